package io.evenkeel.app.record;

import io.evenkeel.file.FileProblem;
import io.evenkeel.model.kind.Kinds;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A segment that is read, frame by frame. A file that ends amid a frame comes from a process that was killed: whole frames
 * are read, and {@link #cutOff} says so. Anything else that is wrong is a {@link RecordException}.
 */
public final class SegmentInput implements AutoCloseable {
    private final Path path;
    private final InputStream file;
    private final Inflater inflater = new Inflater(true);
    private final byte[] header;
    private Optional<EntryReader> reader = Optional.empty();
    private Optional<Entry.Why> ended = Optional.empty();
    private Optional<String> cutOff = Optional.empty();
    private byte[] entries = new byte[1 << 12];
    private long offset;
    private long frameAt;
    private int frames;

    private SegmentInput(Path path, InputStream file) throws IOException {
        this.path = path;
        this.file = file;
        byte[] magic = file.readNBytes(Frames.MAGIC.length);
        offset = magic.length;
        if (magic.length == 0) {
            throw new RecordException(path + ": offset 0: the file is empty");
        }
        if (!Arrays.equals(magic, Arrays.copyOf(Frames.MAGIC, magic.length))) {
            throw new RecordException(path + ": offset 0: not a record of evenkeel");
        }
        Optional<byte[]> json = magic.length < Frames.MAGIC.length ? Optional.empty() : frame();
        header = json.orElseThrow(() -> new RecordException(
                path + ": offset " + offset + ": cut off in its header, there is nothing to replay"));
    }

    /** Opens a segment; a file that is none is a RecordException. */
    public static SegmentInput open(Path path) {
        try {
            return of(path, new BufferedInputStream(Files.newInputStream(path), 1 << 16));
        } catch (IOException unreadable) {
            throw new RecordException(FileProblem.reading(path, unreadable));
        }
    }

    /** Makes one of bytes that are read already; problems name the path. */
    public static SegmentInput of(Path path, InputStream file) {
        try {
            return new SegmentInput(path, file);
        } catch (IOException unreadable) {
            closed(file);
            throw new RecordException(FileProblem.reading(path, unreadable));
        } catch (RecordException wrong) {
            closed(file);
            throw wrong;
        }
    }

    private static void closed(InputStream file) {
        try {
            file.close();
        } catch (IOException late) {
            // it was only read
        }
    }

    /** The header of the segment. */
    public SegmentHeader header() {
        try {
            return SegmentHeader.of(new String(header, StandardCharsets.UTF_8));
        } catch (RuntimeException wrong) {
            throw new RecordException(path + ": offset " + Frames.MAGIC.length + ": the header cannot be read: "
                    + String.valueOf(wrong.getMessage()).lines().findFirst().orElse(""));
        }
    }

    public Path path() {
        return path;
    }

    /** To be said before the first entry is read: objects of these kinds are in it. */
    public void expect(Kinds kinds) {
        reader = Optional.of(new EntryReader(kinds));
    }

    /** The objects that have been told of so far. */
    ToldObjects told() {
        return reader().told();
    }

    private EntryReader reader() {
        return reader.orElseThrow(() -> new IllegalStateException("which kinds are expected was not said"));
    }

    /** How the segment ends; empty before that, and where the process was killed. */
    public Optional<Entry.Why> ended() {
        return ended;
    }

    /** Where the file ends too early and what that means, for a user. */
    public Optional<String> cutOff() {
        return cutOff;
    }

    /** The next entry; empty at the end. */
    public Optional<Entry> next() {
        try {
            while (!reader().hasNext()) {
                if (!nextFrame()) {
                    return Optional.empty();
                }
            }
            Entry entry = reader().next();
            if (entry instanceof Entry.Ended end) {
                ended = Optional.of(end.why());
                requireEnd();
            }
            return Optional.of(entry);
        } catch (IOException unreadable) {
            throw new RecordException(FileProblem.reading(path, unreadable));
        } catch (RecordException known) {
            throw known;
        } catch (RuntimeException senseless) {
            throw wrong(frameAt, "an entry makes no sense: " + senseless.getMessage());
        }
    }

    private void requireEnd() throws IOException {
        if (reader().hasNext() || file.read() >= 0) {
            throw wrong(offset, "more comes after the end");
        }
    }

    private boolean nextFrame() throws IOException {
        if (ended.isPresent()) {
            return false;
        }
        Optional<byte[]> piece = frame();
        if (piece.isEmpty()) {
            cutOff = Optional.of(path + ": offset " + frameAt + ": "
                    + (frameAt == offset
                            ? "the segment has no end, as where it is still written or its process was killed"
                            : "the file ends within a frame, as where a process is killed or a disk is full")
                    + "; what comes before is used");
            return false;
        }
        int length = inflated(piece.get()); // into an array that may be another by then
        reader().begin(new ByteReader(entries, length));
        return true;
    }

    private int inflated(byte[] piece) {
        inflater.setInput(piece);
        int length = 0;
        try {
            for (int more = 1; more > 0; length += more) {
                if (length == Frames.LONGEST) {
                    throw wrong(frameAt, "the frame unpacks to more than a record may have");
                }
                if (length == entries.length) {
                    entries = Arrays.copyOf(entries, 2 * entries.length);
                }
                more = inflater.inflate(entries, length, entries.length - length);
            }
        } catch (DataFormatException senseless) {
            throw wrong(frameAt, "the frame cannot be unpacked");
        }
        return length;
    }

    /** The next frame's piece; empty where the file ends before the frame does. */
    private Optional<byte[]> frame() throws IOException {
        frameAt = offset;
        byte[] head = file.readNBytes(Frames.HEAD);
        offset += head.length;
        if (head.length < Frames.HEAD) {
            requireTrue(head);
            return Optional.empty();
        }
        ByteBuffer numbers = ByteBuffer.wrap(head);
        int length = numbers.getInt();
        if (numbers.getInt() != Frames.headSum(frames, length) || length < 0 || length > Frames.LONGEST) {
            throw wrong(frameAt, "the checksum of the frame's length is wrong: the file was changed");
        }
        byte[] piece = file.readNBytes(length);
        offset += piece.length;
        if (piece.length < length) {
            return Optional.empty();
        }
        if (numbers.getInt() != Frames.sum(piece, length)) {
            throw wrong(frameAt, "the checksum of the frame is wrong: the file was changed");
        }
        frames++;
        return Optional.of(piece);
    }

    /** Of a head that is not whole, what is there may still be seen to be wrong. */
    private void requireTrue(byte[] part) {
        if (part.length >= 8
                && ByteBuffer.wrap(part).getInt(4)
                        != Frames.headSum(frames, ByteBuffer.wrap(part).getInt())) {
            throw wrong(frameAt, "the checksum of the frame's length is wrong: the file was changed");
        }
    }

    private RecordException wrong(long at, String reason) {
        return new RecordException(path + ": offset " + at + ": " + reason);
    }

    @Override
    public void close() {
        inflater.end();
        closed(file);
    }
}
