package io.evenkeel.app.record;

import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;

/** A segment that is being written. What is not flushed is lost where the process ends. */
final class SegmentOutput implements AutoCloseable {
    private static final int LONG = 1 << 17;

    /** Little is gained by trying harder, and twice the time lost. */
    private static final int LEVEL = 3;

    private final OutputStream file;
    private final ByteWriter entries = new ByteWriter();
    private final EntryWriter writer;
    private final Deflater deflater = new Deflater(LEVEL, true);
    private byte[] piece = new byte[1 << 16];
    private int frames;
    private long written;

    private SegmentOutput(Kinds kinds, OutputStream file) {
        this.file = file;
        writer = new EntryWriter(kinds, entries);
    }

    /** Begins a segment in an empty file, which is closed where that fails. */
    static SegmentOutput begin(OutputStream file, SegmentHeader header, Kinds kinds) throws IOException {
        SegmentOutput segment = new SegmentOutput(kinds, file);
        try {
            byte[] json = header.json().getBytes(StandardCharsets.UTF_8);
            file.write(Frames.MAGIC);
            segment.written = Frames.MAGIC.length;
            segment.frame(json, json.length);
        } catch (IOException failed) {
            try (segment) {
                throw failed;
            }
        }
        return segment;
    }

    /** The objects told of in it. */
    ToldObjects told() {
        return writer.told();
    }

    boolean isBeingListed() {
        return writer.told().isBeingListed();
    }

    void write(Entry entry) {
        writer.write(entry);
    }

    /** Writes an {@link Entry.Time}; there are more of these than of all other entries. */
    void time(long nanos) {
        writer.time(nanos);
    }

    /** Whether there is enough for a frame. */
    boolean isFrameFull() {
        return entries.length() >= LONG;
    }

    /** Hands all that was written to the system. */
    void flush() throws IOException {
        if (entries.length() == 0) {
            return;
        }
        Frames.requireShort(entries.length());
        deflater.setInput(entries.array(), 0, entries.length());
        int length = 0;
        int more;
        do {
            if (length == piece.length) {
                piece = Arrays.copyOf(piece, 2 * piece.length);
            }
            more = deflater.deflate(piece, length, piece.length - length, Deflater.SYNC_FLUSH);
            length += more;
        } while (more > 0);
        entries.clear();
        frame(piece, length);
    }

    private void frame(byte[] bytes, int length) throws IOException {
        file.write(Frames.head(frames, bytes, length));
        file.write(bytes, 0, length);
        frames++;
        written += Frames.HEAD + length;
    }

    /** How many bytes the file has. */
    long size() {
        return written;
    }

    @Override
    public void close() throws IOException {
        deflater.end();
        file.close();
    }
}
