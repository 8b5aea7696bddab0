package io.evenkeel.file;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * The content of files, read again when they change, as mounted secrets do. They are looked at when the content is asked
 * for, at most once in a while; while they cannot be read, or do not fit together, their last content is kept.
 */
public final class ReloadedFiles<T> {
    public static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** Reads the files; what it answers equals what it answered before where they hold the same. */
    @FunctionalInterface
    public interface Reader<T> {
        T read() throws IOException;
    }

    /** Makes something of the files' contents, which come in the order of the files. */
    @FunctionalInterface
    public interface Parser<T> {
        T parse(List<byte[]> contents) throws GeneralSecurityException;
    }

    /** Is told what comes of a look at the files. */
    public interface Listener<T> {
        void reloaded(T before, T now);

        /** Once as a warning, until the files are of use again. */
        void notReloaded(Level level, IOException why);
    }

    private final Reader<T> files;
    private final Duration every;
    private final InstantSource clock;
    private T latest;
    private Instant lookedAt;
    private boolean inTrouble;

    public ReloadedFiles(T first, Reader<T> files, Duration every, InstantSource clock) {
        this.files = files;
        this.every = every;
        this.clock = clock;
        this.lookedAt = clock.instant();
        this.latest = first;
    }

    /**
     * Reads them for the first time, and looks at them every ten seconds at most.
     *
     * @param called how complaints name the files
     * @throws IOException if they cannot be read or do not fit together
     */
    public static <T> ReloadedFiles<T> read(List<Path> files, String called, Parser<T> parser, InstantSource clock)
            throws IOException {
        ParsedFiles<T> parsed = new ParsedFiles<>(files, called, parser);
        return new ReloadedFiles<>(parsed.read(), parsed, LOOK_EVERY, clock);
    }

    /** The content of the files when they were read last. */
    public synchronized T latest() {
        return latest;
    }

    /** The same, after a look if it is time for one. */
    public synchronized T look(Listener<? super T> listener) {
        return clock.instant().isBefore(lookedAt.plus(every)) ? latest : lookNow(listener);
    }

    /** The same, after a look, for who has reason to doubt what is known. */
    public synchronized T lookNow(Listener<? super T> listener) {
        lookedAt = clock.instant();
        try {
            T next = files.read();
            if (!next.equals(latest)) {
                listener.reloaded(latest, next);
                latest = next;
            }
            inTrouble = false;
        } catch (IOException unusable) {
            listener.notReloaded(inTrouble ? Level.DEBUG : Level.WARN, unusable);
            inTrouble = true;
        }
        return latest;
    }

    /** Makes one thing of the contents of several files, and the same thing again while they hold the same. */
    private static final class ParsedFiles<T> implements ReloadedFiles.Reader<T> {
        private record Parsed<T>(List<byte[]> contents, T value) {}

        private final List<Path> files;
        private final String called;
        private final ReloadedFiles.Parser<T> parser;
        private @Nullable Parsed<T> latest;

        ParsedFiles(List<Path> files, String called, ReloadedFiles.Parser<T> parser) {
            this.files = List.copyOf(files);
            this.called = called;
            this.parser = parser;
        }

        @Override
        public T read() throws IOException {
            List<byte[]> contents = new ArrayList<>();
            for (Path file : files) {
                try {
                    contents.add(FileContent.bytes(file));
                } catch (IOException e) {
                    throw new IOException(FileProblem.reading(file, e), e);
                }
            }
            Parsed<T> known = latest;
            if (known == null || !Arrays.deepEquals(known.contents.toArray(), contents.toArray())) {
                known = new Parsed<>(contents, parse(contents));
                latest = known;
            }
            return known.value;
        }

        private T parse(List<byte[]> contents) throws IOException {
            try {
                return parser.parse(contents);
            } catch (GeneralSecurityException e) {
                throw new IOException("cannot use " + called + ": " + e.getMessage(), e);
            }
        }
    }
}
