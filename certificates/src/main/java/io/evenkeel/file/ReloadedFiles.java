package io.evenkeel.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.slf4j.event.Level;

/**
 * What files hold, read again when they change, as mounted secrets do. A question looks at them, every ten seconds at
 * most; while they cannot be read, or do not fit together, what they held last is kept.
 */
public final class ReloadedFiles<T> {
    public static final Duration LOOK_EVERY = Duration.ofSeconds(10);

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

    private final List<Path> files;
    private final String called;
    private final Parser<T> parser;
    private final InstantSource clock;
    private List<byte[]> contents;
    private T latest;
    private Instant lookedAt;
    private boolean inTrouble;

    /**
     * Reads them for the first time.
     *
     * @param called how complaints name the files
     * @throws IOException if they cannot be read or do not fit together
     */
    public ReloadedFiles(List<Path> files, String called, Parser<T> parser, InstantSource clock) throws IOException {
        this.files = List.copyOf(files);
        this.called = called;
        this.parser = parser;
        this.clock = clock;
        this.lookedAt = clock.instant();
        this.contents = read();
        this.latest = parse(contents);
    }

    /** What they held at the last look. */
    public synchronized T latest() {
        return latest;
    }

    /** The same, after a look if it is time for one. */
    public synchronized T look(Listener<? super T> listener) {
        Instant now = clock.instant();
        if (!now.isBefore(lookedAt.plus(LOOK_EVERY))) {
            lookedAt = now;
            readAnew(listener);
        }
        return latest;
    }

    private void readAnew(Listener<? super T> listener) {
        try {
            List<byte[]> found = read();
            if (!sameAs(found)) {
                T next = parse(found);
                listener.reloaded(latest, next);
                contents = found;
                latest = next;
            }
            inTrouble = false;
        } catch (IOException unusable) {
            listener.notReloaded(inTrouble ? Level.DEBUG : Level.WARN, unusable);
            inTrouble = true;
        }
    }

    private boolean sameAs(List<byte[]> found) {
        return Arrays.deepEquals(contents.toArray(), found.toArray());
    }

    private List<byte[]> read() throws IOException {
        List<byte[]> read = new ArrayList<>();
        for (Path file : files) {
            try {
                read.add(Files.readAllBytes(file));
            } catch (IOException e) {
                throw new IOException(FileProblem.reading(file, e), e);
            }
        }
        return read;
    }

    private T parse(List<byte[]> found) throws IOException {
        try {
            return parser.parse(found);
        } catch (GeneralSecurityException e) {
            throw new IOException("cannot use " + called + ": " + e.getMessage(), e);
        }
    }
}
