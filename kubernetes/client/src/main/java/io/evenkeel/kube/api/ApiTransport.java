package io.evenkeel.kube.api;

import java.io.IOException;

/** Carries requests to one API server, with whatever it takes to be let in. Used by many threads. */
public interface ApiTransport {

    /**
     * For requests that are answered at once. Whatever the server answers is an answer, also a refusal.
     *
     * @throws IOException where no answer came in time; whether the request was carried out is not known then
     */
    ApiAnswer call(ApiCall call) throws IOException;

    /**
     * Begins a call for which no thread waits, so that a thousand take no more than one. Not every transport can, nor always.
     *
     * @param taker is told once, unless this returns false: then nothing is done, and the call is to be made by {@link #call}
     */
    default boolean begin(ApiCall call, ResponseHandler taker) {
        return false;
    }

    /**
     * For watches and lists: the answer may go on for as long as it likes.
     *
     * @throws IOException where no answer came
     */
    ApiAnswer stream(ApiCall call) throws IOException;

    /** The server's address, for logs and metrics. */
    String host();

    /** Takes the answer of a call for which no thread waits; by a thread that must not be held up. */
    interface ResponseHandler {
        void answered(Answered answer);

        /** No answer came; whether the request was carried out is not known. */
        void unanswered(IOException why);
    }
}
