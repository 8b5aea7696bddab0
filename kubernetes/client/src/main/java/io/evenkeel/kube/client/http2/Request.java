package io.evenkeel.kube.client.http2;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A call.
 *
 * @param path with the query, encoded
 * @param headers mostly the same in all calls, which then cost a byte each
 * @param body empty for none
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares requests, or writes into them
public record Request(String method, String path, List<Header> headers, byte[] body) {

    /** A header of a request, its name in small letters. */
    public record Header(String name, String value) {
        private static final int OVERHEAD = 32;

        /** Its size in a table of headers (RFC 7541, 4.1). */
        int size() {
            return name.length() + value.getBytes(StandardCharsets.UTF_8).length + OVERHEAD;
        }
    }
}
