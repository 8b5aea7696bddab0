package io.evenkeel.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A fuzzer's bytes as a sequence of choices, read from the front, so that a change to a byte changes one choice and leaves
 * those before it. At the end all choices are the first.
 *
 * <pre>
 * 02 03 61 62 63   below(4) → 2, text() → "abc", below(9) → 0
 * </pre>
 */
final class Draws {
    private final byte[] bytes;
    private int next;

    Draws(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean areLeft() {
        return next < bytes.length;
    }

    int below(int options) {
        return areLeft() ? (bytes[next++] & 0xff) % options : 0;
    }

    boolean isTrue() {
        return below(2) == 1;
    }

    <T> T from(List<T> options) {
        return options.get(below(options.size()));
    }

    /** Eight bytes of it, or fewer: small numbers are as easily reached as large ones. */
    long number() {
        long number = 0;
        for (int left = below(9); left > 0; left--) {
            number = number << 8 | below(256);
        }
        return isTrue() ? -number : number;
    }

    /** Its length, then its characters, of which each is one byte. */
    String text() {
        int length = Math.min(below(256), bytes.length - next);
        String text = new String(bytes, next, length, StandardCharsets.ISO_8859_1);
        next += length;
        return text;
    }

    /** What nothing has been drawn from yet. */
    byte[] rest() {
        byte[] rest = java.util.Arrays.copyOfRange(bytes, next, bytes.length);
        next = bytes.length;
        return rest;
    }
}
