package io.evenkeel.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A value of ASN.1 in its distinguished encoding (X.690), the stuff of certificates and keys: a tag, a length and the
 * content, which for some tags is more of them.
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
record Der(int tag, byte[] content) {
    static final int BOOLEAN = 0x01;
    static final int INTEGER = 0x02;
    static final int BIT_STRING = 0x03;
    static final int OCTET_STRING = 0x04;
    static final int OBJECT_IDENTIFIER = 0x06;
    static final int UTF8_STRING = 0x0c;
    static final int GENERALIZED_TIME = 0x18;
    static final int SEQUENCE = 0x30;
    static final int SET = 0x31;

    private static final int TAGGED = 0x80;
    private static final int CONSTRUCTED = 0x20;
    private static final int LONG_FORM = 0x80;
    private static final int MORE = 0x80;
    private static final int BITS = 7;
    private static final Pattern DOT = Pattern.compile("\\.");

    static Der of(int tag, Der... parts) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (Der part : parts) {
            content.writeBytes(part.encoded());
        }
        return new Der(tag, content.toByteArray());
    }

    static Der sequence(Der... parts) {
        return of(SEQUENCE, parts);
    }

    /** A value that its number in a context explains. */
    static Der tagged(int number, Der... parts) {
        return of(TAGGED | CONSTRUCTED | number, parts);
    }

    static Der tagged(int number, byte[] content) {
        return new Der(TAGGED | number, content);
    }

    boolean isTagged(int number) {
        return tag == (TAGGED | CONSTRUCTED | number);
    }

    static Der integer(BigInteger value) {
        return new Der(INTEGER, value.toByteArray());
    }

    static Der text(int tag, String text) {
        return new Der(tag, text.getBytes(StandardCharsets.UTF_8));
    }

    /** @param dotted such as 2.5.4.3 */
    static Der identifier(String dotted) {
        long[] numbers = DOT.splitAsStream(dotted).mapToLong(Long::parseLong).toArray();
        numbers[1] += 40 * numbers[0];
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        for (int i = 1; i < numbers.length; i++) {
            int length = Math.max(1, Math.ceilDiv(Long.SIZE - Long.numberOfLeadingZeros(numbers[i]), BITS));
            for (int shift = BITS * (length - 1); shift > 0; shift -= BITS) {
                content.write((int) (numbers[i] >> shift) | MORE);
            }
            content.write((int) numbers[i] & (MORE - 1));
        }
        return new Der(OBJECT_IDENTIFIER, content.toByteArray());
    }

    boolean is(Der other) {
        return tag == other.tag && Arrays.equals(content, other.content);
    }

    byte[] encoded() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        byte[] length = BigInteger.valueOf(content.length).toByteArray();
        int sign = length.length > 1 && length[0] == 0 ? 1 : 0;
        if (content.length >= LONG_FORM) {
            out.write(LONG_FORM | (length.length - sign));
        }
        out.write(length, sign, length.length - sign);
        out.writeBytes(content);
        return out.toByteArray();
    }

    /**
     * The value that these bytes begin with.
     *
     * @throws IllegalArgumentException if they are none
     */
    static Der parse(byte[] bytes) {
        List<Der> all = new Der(SEQUENCE, bytes).parts();
        if (all.isEmpty()) {
            throw new IllegalArgumentException("there is nothing");
        }
        return all.getFirst();
    }

    /**
     * Returns the values in its content.
     *
     * @throws IllegalArgumentException if it is made of none
     */
    List<Der> parts() {
        List<Der> parts = new ArrayList<>();
        int next = 0;
        while (next < content.length) {
            int head = next + 2;
            int length = head <= content.length ? content[next + 1] & 0xff : LONG_FORM;
            if (length >= LONG_FORM) {
                int bytes = length - LONG_FORM;
                if (bytes == 0 || bytes > 3 || head + bytes > content.length) {
                    throw new IllegalArgumentException("a length breaks off");
                }
                length = new BigInteger(1, content, head, bytes).intValue();
                head += bytes;
            }
            if (length > content.length - head) {
                throw new IllegalArgumentException("a value breaks off");
            }
            parts.add(new Der(content[next] & 0xff, Arrays.copyOfRange(content, head, head + length)));
            next = head + length;
        }
        return parts;
    }
}
