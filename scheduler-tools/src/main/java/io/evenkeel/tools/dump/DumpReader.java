package io.evenkeel.tools.dump;

import io.evenkeel.file.Bound;
import io.evenkeel.file.BoundedLines;
import io.evenkeel.file.BoundedLines.Line;
import io.evenkeel.file.FileProblem;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.problem.UserProblem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * Reads a dump, or objects as {@code kubectl get -o json} prints them; compressed with gzip or not, which is seen. Holds the
 * objects, and no more than one as text.
 */
final class DumpReader {
    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_PROBLEM = 400;

    private final String file;
    private final ObjectReader objects;
    private final List<KubernetesObject> read = new ArrayList<>();

    private DumpReader(String file, Kinds kinds) {
        this.file = file;
        objects = new ObjectReader(kinds);
    }

    static Dump read(Path file, Kinds kinds, Bound all, Bound line) {
        return new DumpReader(file.toString(), kinds).read(file, all, line);
    }

    private Dump read(Path path, Bound all, Bound line) {
        try (InputStream bytes = unpacked(new BufferedInputStream(Files.newInputStream(path), BUFFER))) {
            BufferedInputStream in = new BufferedInputStream(all.of(bytes), BUFFER);
            String first = firstOf(in);
            Optional<Dump.Header> header = Dump.Header.of(first, file);
            if (header.isPresent()) {
                readLines(new BoundedLines(in, line));
            } else {
                objects.readEach(in, this::take);
                if (first.isBlank() && read.isEmpty()) {
                    throw new UserProblem(file + ": there is nothing in it");
                }
            }
            return new Dump(header, List.copyOf(read));
        } catch (ObjectReadException unreadable) {
            throw new UserProblem(file + ": " + Excerpt.of(String.valueOf(unreadable.getMessage()), LONGEST_PROBLEM));
        } catch (IOException unreadable) {
            throw new UserProblem(FileProblem.reading(path, unreadable));
        } catch (UncheckedIOException unreadable) {
            throw new UserProblem(FileProblem.reading(path, Objects.requireNonNull(unreadable.getCause())));
        }
    }

    private static InputStream unpacked(BufferedInputStream in) throws IOException {
        in.mark(2);
        boolean packed = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return packed ? new GZIPInputStream(in, BUFFER) : in;
    }

    /** As much of the first line as tells a dump from anything else, which is all of it where it is one; the stream stays before it. */
    private static String firstOf(BufferedInputStream in) throws IOException {
        in.mark(BUFFER);
        byte[] first = in.readNBytes(BUFFER / 2);
        in.reset();
        String text = new String(first, StandardCharsets.UTF_8);
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    private void readLines(BoundedLines lines) throws IOException {
        lines.read();
        int number = 1;
        String last = "";
        for (Optional<Line> next = lines.read(); next.isPresent(); next = lines.read()) {
            number++;
            String line = text(next.get(), number);
            if (!last.isEmpty()) {
                throw new UserProblem(file + ":" + number + ": something follows the end of the dump");
            }
            if (line.startsWith("{\"objects\":")) {
                last = line;
            } else if (!line.isBlank()) {
                try {
                    take(objects.read(line));
                } catch (ObjectReadException unreadable) {
                    throw new UserProblem(file + ":" + number + ": "
                            + Excerpt.of(String.valueOf(unreadable.getMessage()), LONGEST_PROBLEM));
                }
            }
        }
        if (last.isEmpty()) {
            throw new UserProblem(file + ": the dump has no end: it was cut off after line " + number);
        }
    }

    private String text(Line line, int number) {
        return switch (line) {
            case Line.Text(String text) -> text;
            case Line.Unusable(String why) -> throw new UserProblem(file + ":" + number + ": " + why);
        };
    }

    private void take(KubernetesObject object) {
        if (Dump.isKept(object)) {
            read.add(object);
        }
    }
}
