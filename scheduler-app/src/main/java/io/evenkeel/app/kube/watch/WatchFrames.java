package io.evenkeel.app.kube.watch;

import io.evenkeel.app.kube.ApiAnswer;
import io.evenkeel.model.ObjectReader;
import java.io.IOException;
import java.util.Optional;

/** The events of a watch's answer, as they come in. */
interface WatchFrames {

    /**
     * Waits for the next event; empty at the stream's proper end.
     *
     * @throws IOException if the stream broke off
     */
    Optional<WatchEvent> next() throws IOException;

    /** In whichever encoding the server chose. */
    static WatchFrames of(ApiAnswer answer, String kind, ObjectReader json) {
        return new JsonFrames(answer.body(), kind, json);
    }
}
