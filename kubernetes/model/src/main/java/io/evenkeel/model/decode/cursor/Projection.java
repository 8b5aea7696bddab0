package io.evenkeel.model.decode.cursor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * A message that is put together from some fields of another: those that are read. Two pods that differ only in the name
 * of a token's volume have equal projections, and what is decoded from one is good for both.
 *
 * <p>It is itself a well-formed message, but for the lengths of messages within, which are written with five bytes because
 * they are not known beforehand. For example, of two pods' specs, where names of volumes and what they hold are not read:
 *
 * <pre>
 * one pod      volumes {name: "token-x7k2p", projected {…}}   nodeSelector {disk: ssd}   hostname "web-0"
 * another      volumes {name: "token-9qfzd", projected {…}}   nodeSelector {disk: ssd}   hostname "web-1"
 * projection                                                  nodeSelector {disk: ssd}   of both
 * </pre>
 *
 * The second pod's is found by its bytes, and none of it is decoded. O(bytes of the message).
 */
public final class Projection {
    private static final int LENGTH_BYTES = 5;
    private static final int FEWEST_BYTES = 1 << 10;
    private static final int MOST_KEPT = 1 << 16;

    private byte[] bytes = new byte[FEWEST_BYTES];
    private int length;

    /** As if it were new: a large message leaves no room behind. */
    public void clear() {
        length = 0;
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[FEWEST_BYTES];
        }
    }

    public void add(byte[] source, int from, int to) {
        ensure(to - from);
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    /** Starts a message within; what is returned is for {@link #end}. */
    public int begin(int field) {
        ensure(2 * LENGTH_BYTES);
        putVarint((field << 3) | 2);
        length += LENGTH_BYTES;
        return length;
    }

    public void end(int begun) {
        int size = length - begun;
        for (int i = 0; i < LENGTH_BYTES; i++) {
            boolean last = i == LENGTH_BYTES - 1;
            bytes[begun - LENGTH_BYTES + i] = (byte) (((size >>> (7 * i)) & 0x7f) | (last ? 0 : 0x80));
        }
    }

    /** How long it is: to see what has been added, and for {@link #cutTo}. */
    public int length() {
        return length;
    }

    public void cutTo(int before) {
        length = before;
    }

    private void putVarint(int value) {
        int rest = value;
        for (; rest >= 0x80; rest >>>= 7) {
            bytes[length++] = (byte) (rest | 0x80);
        }
        bytes[length++] = (byte) rest;
    }

    private void ensure(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    public <T> T decoded(DecodedByBytes<T> known) {
        return known.get(bytes, 0, length);
    }

    /** The checksum of all that was added. */
    public long checked(Checksum checksum) {
        ensure(Long.BYTES);
        Arrays.fill(bytes, length, length + Long.BYTES, (byte) 0);
        return checksum.of(bytes, length);
    }

    /**
     * A number for bytes: the polynomial that has them as its coefficients, seven bytes each, modulo 2<sup>61</sup> - 1 at a point
     * that is drawn (Carter and Wegman). Two different arrays of n bytes at most agree at n / 7 of the 2<sup>61</sup> points, so with a
     * probability of less than one in 10<sup>14</sup> up to 100 KB. Nobody who writes bytes knows the point.
     */
    public static final class Checksum {
        private static final int BYTES = 7;
        private static final long WORD = (1L << BYTES * Byte.SIZE) - 1;
        private static final VarHandle LONGS =
                MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
        private static final int BITS = 61;
        private static final long PRIME = (1L << BITS) - 1;

        private final long point;

        public Checksum(RandomGenerator random) {
            point = random.nextLong(PRIME);
        }

        /** @param bytes followed by eight zeros */
        long of(byte[] bytes, int length) {
            long sum = length; // arrays that differ in zeros at an end are of different lengths
            for (int i = 0; i < length; i += BYTES) {
                sum = next(sum, (long) LONGS.get(bytes, i) & WORD);
            }
            return sum >= PRIME ? sum - PRIME : sum;
        }

        /** The sum times the point plus the word, reduced to 61 bits and a little: 2<sup>61</sup> is 1. */
        private long next(long sum, long word) {
            long low = sum * point;
            long high = Math.multiplyHigh(sum, point);
            long folded = (low & PRIME) + (high << (Long.SIZE - BITS) | low >>> BITS) + word;
            return (folded & PRIME) + (folded >>> BITS);
        }
    }
}
