package io.evenkeel.kube.client.http2;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Reads the headers of a response (RFC 7541). The server was told to keep no table of headers, so each block says all by
 * itself. Values without a reader are passed over.
 */
final class ResponseHeaders {
    static final String STATUS = ":status";
    static final Set<String> KEPT = Set.of(STATUS, "content-type", "location", "retry-after");

    /** Which names of the static table are kept; of the status the values are in it too. */
    private static final Map<Integer, String> STATIC_NAMES = Map.ofEntries(
            Map.entry(8, STATUS),
            Map.entry(9, STATUS),
            Map.entry(10, STATUS),
            Map.entry(11, STATUS),
            Map.entry(12, STATUS),
            Map.entry(13, STATUS),
            Map.entry(14, STATUS),
            Map.entry(31, "content-type"),
            Map.entry(46, "location"),
            Map.entry(53, "retry-after"));

    private static final Map<Integer, String> STATIC_STATUS =
            Map.of(8, "200", 9, "204", 10, "206", 11, "304", 12, "400", 13, "404", 14, "500");

    private static final int OF_STATIC_TABLE = 61;
    private static final int MOST_BITS = 14;

    private final byte[] block;
    private final int end;
    private int next;

    private ResponseHeaders(byte[] block) {
        this.block = block;
        this.end = block.length;
    }

    /** Reads the headers of {@link #KEPT}, as far as there are any. */
    static Map<String, String> read(byte[] block) throws BrokenConnectionException {
        return new ResponseHeaders(block).all();
    }

    private Map<String, String> all() throws BrokenConnectionException {
        Map<String, String> kept = new HashMap<>();
        while (next < end) {
            int first = block[next] & 0xff;
            if ((first & 0x80) != 0) {
                int index = inTable(number(7));
                if (STATIC_STATUS.containsKey(index)) {
                    kept.put(STATUS, STATIC_STATUS.get(index));
                }
            } else if ((first & 0xe0) == 0x20) {
                number(5); // the size of the table that there is not
            } else {
                literal(number((first & 0x40) != 0 ? 6 : 4), kept);
            }
        }
        return kept;
    }

    private void literal(int index, Map<String, String> kept) throws BrokenConnectionException {
        String name = index == 0 ? text() : STATIC_NAMES.getOrDefault(inTable(index), "");
        if (KEPT.contains(name)) {
            kept.put(name, text());
        } else {
            int length = length();
            next += length;
        }
    }

    private static int inTable(int index) throws BrokenConnectionException {
        if (index == 0 || index > OF_STATIC_TABLE) {
            throw new BrokenConnectionException("a header refers to entry " + index + " of a table that there is not");
        }
        return index;
    }

    private String text() throws BrokenConnectionException {
        boolean isCoded = next < end && block[next] < 0;
        int length = length();
        String text = isCoded
                ? Huffman.decode(block, next, length)
                : new String(block, next, length, StandardCharsets.ISO_8859_1);
        next += length;
        return text;
    }

    private int length() throws BrokenConnectionException {
        int length = number(7);
        if (length > end - next) {
            throw new BrokenConnectionException("a header is longer than what it is in");
        }
        return length;
    }

    private int number(int bits) throws BrokenConnectionException {
        int most = (1 << bits) - 1;
        int value = octet() & most;
        if (value < most) {
            return value;
        }
        int shift = 0;
        int more;
        do {
            more = octet();
            if (shift > MOST_BITS) {
                throw new BrokenConnectionException("a header has a number without end");
            }
            value += (more & 0x7f) << shift;
            shift += 7;
        } while ((more & 0x80) != 0);
        return value;
    }

    private int octet() throws BrokenConnectionException {
        if (next == end) {
            throw new BrokenConnectionException("headers break off");
        }
        return block[next++] & 0xff;
    }
}
