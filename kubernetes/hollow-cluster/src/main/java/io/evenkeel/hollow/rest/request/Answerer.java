package io.evenkeel.hollow.rest.request;

import java.io.IOException;

/** Answers requests, many at a time, each on a thread of its own. */
@FunctionalInterface
public interface Answerer {

    /**
     * Does what is asked for.
     *
     * @throws IOException where the client is gone before it has said all
     */
    Outcome answer(RawRequest request) throws IOException, InterruptedException;
}
