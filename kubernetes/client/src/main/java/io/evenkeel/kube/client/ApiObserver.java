package io.evenkeel.kube.client;

/** An observer of the requests to the API server. Called by the thread that made one, so it should be quick. */
@FunctionalInterface
public interface ApiObserver {
    ApiObserver NONE = new ApiObserver() {
        @Override
        public void requested(String method, String host, String result, long nanos) {}
    };

    /** The result of a request that was not answered. */
    String NO_ANSWER = "<error>";

    /**
     * A request was answered, or not.
     *
     * @param result the answer's status code, or {@link #NO_ANSWER}
     * @param nanos until the answer's headers were there
     */
    void requested(String method, String host, String result, long nanos);

    /**
     * A request was not answered because the server was not reached: its port is closed, its host unknown, or TLS fails.
     *
     * @param nanos until that was known
     */
    default void unreached(String host, String why, long nanos) {}

    /** A request was made with a body of so many bytes, none where it has no body. */
    default void sent(String method, String host, long bytes) {}

    /** A whole answer has come with a body of so many bytes; streams, as lists and watches are, are not told of. */
    default void received(String method, String host, long bytes) {}

    /** A request is about to be made that our own limits have held back for so long, which may be no time at all. */
    default void heldBack(String method, String host, long nanos) {}
}
