package io.evenkeel.kube.client.http2;

import io.evenkeel.kube.client.http2.MultiplexedCalls.Request;
import io.evenkeel.kube.client.http2.MultiplexedCalls.Request.Header;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;

/**
 * Writes the headers of requests (RFC 7541). Headers of all calls are put into the table that the server keeps for
 * this connection, and are a number from then on: with its token a call's headers are 1,300 bytes at first, and then 120.
 * The requests must be sent in the order in which their headers were written. Not thread-safe.
 */
final class RequestHeaders {
    static final int LARGEST_TABLE = 4_096;

    private static final int OF_STATIC_TABLE = 61;
    private static final int METHOD = 2;
    private static final int PATH = 4;
    private static final int SCHEME_HTTPS = 7;
    private static final int CONTENT_LENGTH = 28;

    private static final Map<String, Integer> STATIC_NAMES = Map.of(
            ":authority",
            1,
            "accept-encoding",
            16,
            "accept",
            19,
            "authorization",
            23,
            "content-type",
            31,
            "user-agent",
            58);
    private static final Map<String, Integer> STATIC_METHODS = Map.of("GET", 2, "POST", 3);

    private final GrowingBytes block = new GrowingBytes();
    private final Header authority;

    /** The headers that the server keeps, oldest first, by how many were put in before. */
    private final SequencedMap<Header, Integer> table = new LinkedHashMap<>();

    private int inserted;
    private int tableSize;
    private int limit = LARGEST_TABLE;
    private int smallestLimit = LARGEST_TABLE;
    private boolean limitChanged;

    /** @param authority the server's name, and its port where that is not HTTPS's own */
    RequestHeaders(String authority) {
        this.authority = new Header(":authority", authority);
    }

    /** The server keeps no larger table than that. */
    void limitTable(int most) {
        int newLimit = Math.min(most, LARGEST_TABLE);
        limitChanged |= newLimit != limit;
        limit = newLimit;
        smallestLimit = Math.min(smallestLimit, newLimit);
        makeRoom(0);
    }

    /** The headers of a request, in a buffer that the next call writes over. */
    GrowingBytes write(Request request) {
        block.clear();
        if (limitChanged) {
            sayLimit();
        }
        Integer method = STATIC_METHODS.get(request.method());
        if (method == null) {
            number(0, 4, METHOD);
            text(request.method());
        } else {
            number(0x80, 7, method);
        }
        number(0x80, 7, SCHEME_HTTPS);
        repeated(authority);
        number(0, 4, PATH);
        text(request.path());
        request.headers().forEach(this::repeated);
        if (request.body().length > 0) {
            number(0, 4, CONTENT_LENGTH);
            text(Integer.toString(request.body().length));
        }
        return block;
    }

    /** Also what it was in between, as the server has thrown out what did not fit then (RFC 7541, 4.2). */
    private void sayLimit() {
        if (smallestLimit < limit) {
            number(0x20, 5, smallestLimit);
        }
        number(0x20, 5, limit);
        smallestLimit = LARGEST_TABLE;
        limitChanged = false;
    }

    private void repeated(Header header) {
        Integer place = table.get(header);
        if (place != null) {
            number(0x80, 7, OF_STATIC_TABLE + inserted - place);
            return;
        }
        boolean isKept = header.size() <= limit;
        if (isKept) {
            makeRoom(header.size());
            table.put(header, inserted++);
            tableSize += header.size();
        }
        int name = STATIC_NAMES.getOrDefault(header.name(), 0);
        number(isKept ? 0x40 : 0, isKept ? 6 : 4, name);
        if (name == 0) {
            text(header.name());
        }
        text(header.value());
    }

    /** The oldest go, as they do at the server. */
    private void makeRoom(int size) {
        for (Iterator<Header> oldest = table.keySet().iterator(); tableSize + size > limit && oldest.hasNext(); ) {
            tableSize -= oldest.next().size();
            oldest.remove();
        }
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        number(0, 7, bytes.length);
        block.add(bytes, 0, bytes.length);
    }

    /** A number in the lowest bits of a byte, and in more bytes where these are too few (RFC 7541, 5.1). */
    private void number(int pattern, int bits, int value) {
        int most = (1 << bits) - 1;
        if (value < most) {
            block.add(pattern | value);
            return;
        }
        block.add(pattern | most);
        int rest = value - most;
        while (rest >= 0x80) {
            block.add((rest & 0x7f) | 0x80);
            rest >>>= 7;
        }
        block.add(rest);
    }
}
