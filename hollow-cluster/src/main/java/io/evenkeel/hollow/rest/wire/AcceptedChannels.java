package io.evenkeel.hollow.rest.wire;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectableChannel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.eclipse.jetty.io.SelectorManager;

/**
 * The connections of a server, so that none outlives it. Jetty closes those that it has made known to itself, but not one that it
 * accepts while it stops: that one would be neither served nor closed, and its client would wait for its own timeout.
 */
final class AcceptedChannels implements SelectorManager.AcceptListener, AutoCloseable {
    private final Set<SelectableChannel> channels = ConcurrentHashMap.newKeySet();

    @Override
    public void onAccepting(SelectableChannel channel) {
        channels.removeIf(each -> !each.isOpen());
        channels.add(channel);
    }

    /** Once no others are accepted. */
    @Override
    public void close() {
        for (SelectableChannel each : channels) {
            try {
                each.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
