package io.evenkeel.hollow.rest;

import java.io.IOException;
import java.net.URI;
import java.util.List;

/** A request as it comes off its connection. */
interface RawRequest {

    /** Such as {@code HTTP/2.0}. */
    String protocol();

    String method();

    /** Path and query, as the client wrote them. */
    URI target();

    /** All that came under a name, in whatever case it is written. */
    List<String> headers(String name);

    /** Waits until it is there as a whole; can be read once. */
    byte[] body() throws IOException;

    /** The first that came under a name; empty where none did. */
    default String header(String name) {
        List<String> all = headers(name);
        return all.isEmpty() ? "" : all.getFirst();
    }
}
