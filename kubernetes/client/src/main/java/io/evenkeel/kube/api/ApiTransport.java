package io.evenkeel.kube.api;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

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
     * Makes a call by this thread where there is nothing to do but to send it and to wait for the answer, so long at most: all that
     * it takes is at hand. Not every transport can, nor always.
     *
     * @return nothing where it takes more, or where the server refused to look at it: the call is to be made by {@link #call}
     * @throws IOException where no answer came in time; whether the request was carried out is not known then
     */
    default Optional<ApiAnswer> callAtHand(ApiCall call, long nanos) throws IOException {
        return Optional.empty();
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

    /**
     * The time for which calls were held back by this process' own limits before they were let through: known where they
     * wait, and told with the calls where they are made, by the same thread.
     */
    public static final class RateLimitDelay {
        private static final ScopedValue<Long> NANOS = ScopedValue.newInstance();

        private RateLimitDelay() {}

        /** Makes calls that were held back for this long. */
        public static <T> T by(long nanos, Supplier<T> calls) {
            return ScopedValue.where(NANOS, nanos).call(calls::get);
        }

        /** Of the calls that this thread makes now; empty where they are under no limit. */
        public static OptionalLong nanos() {
            return NANOS.isBound() ? OptionalLong.of(NANOS.get()) : OptionalLong.empty();
        }
    }
}
