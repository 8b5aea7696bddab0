package io.evenkeel.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * The lines of a source, each read by itself: one that is too long or no text spoils no other. A line is held in memory a
 * few times over while it is read and answered, so the longest is an eighth of the heap; of a longer one, such as a bomb of
 * a few compressed bytes, no more than that is kept, and one that seems to have no end ends the reading.
 */
public final class BoundedLines implements Closeable {
    private static final int MEBIBYTE = 1 << 20;
    private static final long MOST_PASSED_OVER = 1L << 30;
    private static final int CHUNK = 1 << 16;
    private static final char INSTEAD_OF_DAMAGE = '\ufffd';

    private final InputStream in;
    private final Bound bound;
    private final int longest;
    private final byte[] chunk = new byte[CHUNK];
    private byte[] line = new byte[CHUNK];
    private int next;
    private int end;

    public BoundedLines(InputStream in) {
        this(in, Bound.eighthOfHeap());
    }

    public BoundedLines(InputStream in, Bound bound) {
        this.in = in;
        this.bound = bound;
        this.longest = (int) Math.min(Integer.MAX_VALUE - MEBIBYTE, bound.bytes());
    }

    public sealed interface Line {
        record Text(String text) implements Line {}

        record Unusable(String why) implements Line {}
    }

    /** The next line; empty at the end. */
    public Optional<Line> read() throws IOException {
        if (next == end && !fill()) {
            return Optional.empty();
        }
        int length = 0;
        long passedOver = 0;
        boolean fits = true;
        do {
            int stop = endOfLine();
            fits = fits && stop - next <= longest - length;
            if (fits) {
                append(length, stop);
                length += stop - next;
            } else if ((passedOver += stop - next) > MOST_PASSED_OVER) {
                throw new IOException("a line in it does not end");
            }
            next = stop;
            if (stop < end) {
                next++;
                break;
            }
        } while (fill());
        return Optional.of(fits ? decoded(length) : new Line.Unusable("longer than " + bound.said()));
    }

    private boolean fill() throws IOException {
        next = 0;
        end = Math.max(0, in.read(chunk));
        return end > 0;
    }

    private int endOfLine() {
        for (int i = next; i < end; i++) {
            if (chunk[i] == '\n') {
                return i;
            }
        }
        return end;
    }

    private void append(int length, int stop) {
        int needed = length + stop - next;
        if (needed > line.length) {
            line = Arrays.copyOf(line, (int) Math.min(longest, Math.max(needed, 2L * line.length)));
        }
        System.arraycopy(chunk, next, line, length, stop - next);
    }

    private Line decoded(int length) {
        String text = new String(line, 0, length, StandardCharsets.UTF_8);
        boolean mayBeDamaged = text.indexOf(INSTEAD_OF_DAMAGE) >= 0;
        return mayBeDamaged && !isUtf8(length) ? new Line.Unusable("not UTF-8") : new Line.Text(text);
    }

    private boolean isUtf8(int length) {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(line, 0, length));
            return true;
        } catch (CharacterCodingException damaged) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
