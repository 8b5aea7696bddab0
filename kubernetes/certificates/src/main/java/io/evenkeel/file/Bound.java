package io.evenkeel.file;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * How much of a file is read. What a user names may be a device that never ends, a few bytes that unpack to as many as there
 * are, or the wrong file.
 *
 * @param bytes at most
 * @param said for users, as in {@code it is larger than 3 MiB}
 */
public record Bound(long bytes, String said) {
    private static final long MEBIBYTE = 1 << 20;

    /** Of configurations, kubeconfigs, tokens, certificates and keys. */
    public static final Bound SETTINGS = new Bound(3 * MEBIBYTE, "3 MiB");

    /** Of text that is held in memory a few times over while it is read. */
    public static Bound eighthOfHeap() {
        return ofHeap(8, "an eighth");
    }

    /** Of YAML: its objects take many times as much as the text. */
    public static Bound sixtyFourthOfHeap() {
        return ofHeap(64, "a sixty-fourth");
    }

    /** Of text that is read piece by piece into objects, which take more than the text. */
    public static Bound halfOfHeap() {
        return ofHeap(2, "half");
    }

    private static Bound ofHeap(int parts, String share) {
        long bytes = Runtime.getRuntime().maxMemory() / parts;
        return new Bound(
                bytes, bytes / MEBIBYTE + " MiB, " + share + " of the heap; EVENKEEL_JAVA_OPTS=-Xmx sets a larger one");
    }

    /** The stream as far as here, and a failure instead of what is beyond. */
    public InputStream of(InputStream all) {
        return new Bounded(all);
    }

    private final class Bounded extends FilterInputStream {
        private long left = bytes;

        Bounded(InputStream all) {
            super(all);
        }

        @Override
        public int read() throws IOException {
            int next = in.read();
            count(next < 0 ? 0 : 1);
            return next;
        }

        @Override
        public int read(byte[] to, int offset, int length) throws IOException {
            int some = in.read(to, offset, (int) Math.min(length, left + 1));
            count(some);
            return some;
        }

        private void count(int some) throws IOException {
            left -= Math.max(0, some);
            if (left < 0) {
                throw new IOException("it is larger than " + said);
            }
        }

        @Override
        public boolean markSupported() {
            return false;
        }
    }
}
