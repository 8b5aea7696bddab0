package io.evenkeel.hollow.rest;

import java.io.IOException;

/** Answers requests, many at a time, each on a thread of its own. */
@FunctionalInterface
interface Answerer {

    /**
     * Does what is asked for.
     *
     * @throws IOException where the client is gone before it has said all
     */
    Outcome answer(RawRequest request) throws IOException, InterruptedException;
}
