package io.evenkeel.kube.watch.frame;

import java.io.IOException;
import java.util.Optional;

/** The events of a watch's answer, as they come in. */
public interface WatchFrames {

    /**
     * Waits for the next event; empty at the stream's proper end.
     *
     * @throws IOException if the stream broke off
     */
    Optional<WatchEvent> next() throws IOException;
}
