package io.evenkeel.kube.client.http2;

/**
 * Strings in the code of RFC 7541, appendix B. It is a canonical one: of codes of one length the next character has the
 * next number, and the first of a length follows the last of the shorter ones. So the lengths say it all. For example:
 *
 * <pre>
 * '0' 00000   '1' 00001   '2' 00010   'a' 00011 … 't' 01001     the ten of five bits
 * ' ' 010100   '%' 010101 …                                      of six, from (01001 + 1) and another 0
 * </pre>
 */
final class Huffman {
    private static final int LONGEST = 30;
    private static final int END = 256;

    /** Of the code of each byte in turn, and of the end. */
    private static final byte[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15,
        6, 12, 10, 13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22,
        20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23,
        23, 24, 22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22,
        22, 22, 23, 22, 22, 23, 26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26,
        27, 24, 21, 21, 26, 26, 28, 27, 27, 27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27,
        26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26, 30
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
