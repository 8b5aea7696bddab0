package io.evenkeel.hollow.rest.wire;

import java.util.concurrent.Executor;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Does whatever there is to do for a connection on virtual threads, as any of it may come to wait: Jetty answers requests also on
 * threads that read from TLS. What waits for the network itself is a thread of the server.
 */
final class VirtualConnector extends ServerConnector {
    /** They accept connections as well. */
    private static final int SELECTORS = 1;

    VirtualConnector(Server server, Executor work, ConnectionFactory... protocols) {
        super(server, work, null, null, 0, SELECTORS, protocols);
    }

    @Override
    protected SelectorManager newSelectorManager(Executor work, Scheduler scheduler, int selectors) {
        return super.newSelectorManager(getServer().getThreadPool(), scheduler, selectors);
    }
}
