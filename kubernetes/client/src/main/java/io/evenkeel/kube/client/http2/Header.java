package io.evenkeel.kube.client.http2;

import java.nio.charset.StandardCharsets;

/** A header of a request, its name in small letters. */
public record Header(String name, String value) {
    private static final int OVERHEAD = 32;

    /** Its size in a table of headers (RFC 7541, 4.1). */
    int size() {
        return name.length() + value.getBytes(StandardCharsets.UTF_8).length + OVERHEAD;
    }
}
