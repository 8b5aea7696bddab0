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

    /**
     * Strings in the code of RFC 7541, appendix B. It is a canonical one: of codes of one length the next character has the
     * next number, and the first of a length follows the last of the shorter ones. So the lengths say it all. For example:
     *
     * <pre>
     * '0' 00000   '1' 00001   '2' 00010   'a' 00011 … 't' 01001     the ten of five bits
     * ' ' 010100   '%' 010101 …                                      of six, from (01001 + 1) and another 0
     * </pre>
     */
    static final class Huffman {
        private static final int LONGEST = 30;
        private static final int END = 256;

        /** Of the code of each byte in turn, and of the end. */
        private static final byte[] LENGTHS = {
            13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28,
            28, 28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7,
            8, 15, 6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19,
            13, 14, 6, 15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13,
            28, 20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21,
            22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23,
            22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
            19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25,
            25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30
        };

        /** The characters by the length of their codes, then by number. */
        private static final short[] SYMBOLS = new short[LENGTHS.length];

        /** Of each length: how many codes, the first of them, and where its character is. */
        private static final int[] COUNT = new int[LONGEST + 1];

        private static final int[] FIRST = new int[LONGEST + 1];
        private static final int[] OFFSET = new int[LONGEST + 1];

        static {
            int placed = 0;
            for (int length = 1; length <= LONGEST; length++) {
                FIRST[length] = (FIRST[length - 1] + COUNT[length - 1]) << 1;
                OFFSET[length] = placed;
                for (short symbol = 0; symbol < LENGTHS.length; symbol++) {
                    if (LENGTHS[symbol] == length) {
                        SYMBOLS[placed++] = symbol;
                        COUNT[length]++;
                    }
                }
            }
        }

        private Huffman() {}

        static String decode(byte[] bytes, int from, int length) throws BrokenConnectionException {
            StringBuilder text = new StringBuilder(2 * length);
            int code = 0;
            int bits = 0;
            for (int i = 0; i < length * Byte.SIZE; i++) {
                int bit = bytes[from + i / Byte.SIZE] >> (Byte.SIZE - 1 - i % Byte.SIZE) & 1;
                code = code << 1 | bit;
                bits++;
                if (bits > LONGEST) {
                    throw new BrokenConnectionException("a header is in no Huffman code");
                }
                int rank = code - FIRST[bits];
                if (rank < COUNT[bits]) {
                    int symbol = SYMBOLS[OFFSET[bits] + rank];
                    if (symbol == END) {
                        throw new BrokenConnectionException("a header has the end of its Huffman code within");
                    }
                    text.append((char) symbol);
                    code = 0;
                    bits = 0;
                }
            }
            // the rest of the last byte is the beginning of the end's code, which is all ones
            if (bits >= Byte.SIZE || code != (1 << bits) - 1) {
                throw new BrokenConnectionException("a header in Huffman code is padded with other bits than ones");
            }
            return text.toString();
        }
    }
}
