package io.evenkeel.app.record;

import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.app.record.Said.DecisionHash;
import io.evenkeel.app.record.SegmentHeader.RunSettings;
import io.evenkeel.app.record.SegmentHeader.Start;
import io.evenkeel.file.FileProblem;
import io.evenkeel.file.SecretFile;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.Deflater;

/** The files of a run's record: one that is written, those before it while there is room. */
final class RecordFiles {
    /** In so many parts at least: the oldest goes whole. */
    private static final int PARTS = 8;

    private static final long LONGEST_SEGMENT = 1L << 26;

    private final RecordDirectory directory;
    private final Disk disk;
    private final long limit;
    private final Kinds kinds;
    private final InstantSource time;
    private final String run;
    private final AtomicLong bytes = new AtomicLong();
    private Optional<SegmentOutput> open = Optional.empty();
    private Optional<RunSettings> settings = Optional.empty();
    private Path current;
    private long seed;
    private int segments;
    private long begun;
    private long counted;

    RecordFiles(RecordOptions options, Disk disk, Kinds kinds, InstantSource time, String run) {
        directory = new RecordDirectory(options.directory());
        this.disk = disk;
        limit = options.limit();
        this.kinds = kinds;
        this.time = time;
        this.run = run;
        current = options.directory();
    }

    /** Begins the record of a run. */
    void begin(RunSettings itsSettings, long itsSeed, long nanos) throws IOException {
        settings = Optional.of(itsSettings);
        seed = itsSeed;
        next(Start.RUN, nanos, 0, new DecisionHash(), List.of());
    }

    boolean isOpen() {
        return open.isPresent();
    }

    Path current() {
        return current;
    }

    /** How many bytes have been written in all. */
    long bytes() {
        return bytes.get();
    }

    void write(Entry entry) {
        output().write(entry);
    }

    void time(long nanos) {
        output().time(nanos);
    }

    boolean isFrameFull() {
        return output().isFrameFull();
    }

    private SegmentOutput output() {
        return open.orElseThrow(() -> new IllegalStateException("no segment is open"));
    }

    void flush() throws IOException {
        output().flush();
        count();
        directory.keep(limit, run, current);
        if (output().size() > limit) {
            throw new IOException("one segment alone is larger than the limit of " + limit + " bytes");
        }
    }

    private void count() {
        bytes.addAndGet(output().size() - counted);
        counted = output().size();
    }

    /** Whether the segment is as long as it should be; not amid a listing, as the next segment would not know of that. */
    boolean isFull() {
        return output().size() - begun >= Math.min(limit / PARTS, LONGEST_SEGMENT) && !output().isBeingListed();
    }

    /** Ends the segment, and begins the next with what has been told of until here. */
    void rotate(long nanos, long events, DecisionHash hash) throws IOException {
        List<KubernetesObject> objects = output().told().all();
        end(Entry.Why.FULL);
        next(Start.FOLLOWS, nanos, events, hash, objects);
    }

    /** Begins a segment after a gap. */
    void resume(long nanos, long events, DecisionHash hash, List<KubernetesObject> objects) throws IOException {
        next(Start.GAP, nanos, events, hash, objects);
    }

    private void next(Start start, long nanos, long events, DecisionHash hash, List<KubernetesObject> objects)
            throws IOException {
        abandon();
        current = directory.file(run, segments);
        SegmentHeader header = new SegmentHeader(
                run,
                segments,
                start,
                time.instant(),
                nanos,
                seed,
                events,
                hash.decisions(),
                hash.value(),
                settings.orElseThrow());
        segments++; // whatever becomes of this one: its name may be taken from now on
        counted = 0;
        directory.make();
        directory.date(time.instant(), run);
        OutputStream file = disk.create(current);
        try {
            SegmentOutput next = SegmentOutput.begin(file, header, kinds);
            open = Optional.of(next);
            writeKnown(next, objects);
            begun = next.size();
        } catch (IOException | RuntimeException failed) {
            abandon();
            discard();
            throw failed;
        }
    }

    /** A segment that does not tell of all objects is of no use. */
    private void discard() {
        try {
            Files.deleteIfExists(current);
        } catch (IOException stays) {
            // it is the beginning that failed, which is told
        }
    }

    private void writeKnown(SegmentOutput next, List<KubernetesObject> objects) throws IOException {
        for (KubernetesObject object : objects) {
            next.write(new Entry.Known(object));
            if (next.isFrameFull()) {
                flush();
            }
        }
        next.write(new Entry.AllKnown());
        flush();
    }

    /** Ends the segment as it should end. */
    void end(Entry.Why why) throws IOException {
        write(new Entry.Ended(why));
        output().flush();
        count();
        SegmentOutput ending = output();
        open = Optional.empty();
        ending.close();
    }

    /** Leaves the segment as it is: what is in it is whole but for its end. */
    void abandon() {
        open.ifPresent(left -> {
            try {
                left.close();
            } catch (IOException failed) {
                // it had failed before, and that is told
            }
        });
        open = Optional.empty();
    }

    /** For a user. */
    String problem(IOException failed) {
        return directory.problem().orElseGet(() -> FileProblem.writing(current, failed));
    }

    /** Where the files of a record are made. */
    interface Disk {
        /** The file system. */
        Disk REAL = SecretFile::create;

        /** A file that was not there before, to be written from its beginning. */
        OutputStream create(Path file) throws IOException;
    }

    /** A segment that is being written. What is not flushed is lost where the process ends. */
    static final class SegmentOutput implements AutoCloseable {
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
}
