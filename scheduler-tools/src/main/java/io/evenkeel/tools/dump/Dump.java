package io.evenkeel.tools.dump;

import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.file.Bound;
import io.evenkeel.file.BoundedLines;
import io.evenkeel.file.BoundedLines.Line;
import io.evenkeel.file.FileProblem;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.decode.cursor.ObjectReadException;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import io.evenkeel.problem.UserProblem;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/**
 * The contents of a file of objects.
 *
 * @param header empty where it is not from here
 */
public record Dump(Optional<Header> header, List<KubernetesObject> objects) {
    /**
     * The first line of a dump.
     *
     * @param program that made it, and its version
     * @param time as RFC 3339 has it
     * @param source the API server or the scheduler that it is from; empty where names were replaced
     * @param leftOut by kind: why there is nothing of it
     */
    public record Header(String program, String time, String source, boolean anonymised, Map<String, String> leftOut) {
        static final int VERSION = 1;

        private static final String DUMP = "dump";
        private static final String NAME = "evenkeel";
        private static final String NOT_SAID = "why is not said, as there could be names in it";

        /** Where it is from and why something is missing may have names in it. */
        public Header {
            if (anonymised) {
                source = "";
                leftOut = leftOut.keySet().stream().collect(Collectors.toMap(kind -> kind, _ -> NOT_SAID));
            }
        }

        /** Of a dump that this program, of that version, makes now. */
        public static Header now(String version, String source, boolean anonymised, Map<String, String> leftOut) {
            return new Header(
                    "evenkeel " + version,
                    Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
                    source,
                    anonymised,
                    leftOut);
        }

        String json() {
            Tree tree = new Tree()
                    .put(DUMP, NAME)
                    .put("version", VERSION)
                    .put("program", program)
                    .put("time", time)
                    .put("source", source)
                    .put("anonymised", anonymised);
            if (!leftOut.isEmpty()) {
                tree.put("leftOut", new TreeMap<>(leftOut));
            }
            return tree.json();
        }

        /** Reads the header in a line; empty where it is not the first line of a dump. */
        static Optional<Header> of(String line, String file) {
            if (!line.startsWith("{\"" + DUMP + "\"")) {
                return Optional.empty();
            }
            try {
                JsonObject json = JsonParser.parseString(line).getAsJsonObject();
                String version = text(json, "version");
                if (!version.equals(String.valueOf(VERSION))) {
                    throw new UserProblem(file + ":1: version: this is a dump of version " + version
                            + ", and this program reads version " + VERSION);
                }
                Map<String, String> leftOut = new TreeMap<>();
                if (json.get("leftOut") instanceof JsonObject kinds) {
                    kinds.keySet().forEach(kind -> leftOut.put(kind, text(kinds, kind)));
                }
                return Optional.of(new Header(
                        text(json, "program"),
                        text(json, "time"),
                        text(json, "source"),
                        text(json, "anonymised").equals("true"),
                        leftOut));
            } catch (JsonParseException | IllegalStateException malformed) {
                throw new UserProblem(file + ":1: no valid JSON");
            }
        }

        private static String text(JsonObject json, String member) {
            return json.get(member) instanceof JsonPrimitive text ? text.getAsString() : "";
        }
    }

    /**
     * Reads the objects of these kinds.
     *
     * @throws UserProblem if the file cannot be read whole
     */
    public static Dump read(Path file, Kinds kinds) {
        return DumpReader.read(file, kinds, Bound.halfOfHeap(), Bound.eighthOfHeap());
    }

    /**
     * Writes a dump line by line, so that no more than one object is held as text: a header, the objects, and how many they were.
     * Leaves the writer open. Pods that have finished use nothing, and are left out.
     *
     * @param lines what becomes of each object's line: the same, or one without names
     */
    public static void write(
            Header header,
            Collection<? extends KubernetesObject> all,
            Kinds kinds,
            UnaryOperator<String> lines,
            Writer out)
            throws IOException {
        ObjectWriter objects = new ObjectWriter(kinds);
        out.write(header.json());
        out.write('\n');
        long written = 0;
        for (KubernetesObject object : all) {
            if (isKept(object)) {
                out.write(lines.apply(objects.json(object)));
                out.write('\n');
                written++;
            }
        }
        out.write("{\"objects\":" + written + "}\n");
        out.flush();
    }

    static boolean isKept(KubernetesObject object) {
        return !(object instanceof UnreadObject)
                && !(object instanceof Pod pod && pod.status().isFinished());
    }

    /**
     * Reads a dump, or objects as {@code kubectl get -o json} prints them; compressed with gzip or not, which is seen. Holds the
     * objects, and no more than one as text.
     */
    static final class DumpReader {
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
                throw new UserProblem(
                        file + ": " + Excerpt.of(String.valueOf(unreadable.getMessage()), LONGEST_PROBLEM));
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
}
