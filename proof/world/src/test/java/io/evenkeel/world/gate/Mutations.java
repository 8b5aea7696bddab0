package io.evenkeel.world.gate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The mutations of the gate, read from a text of blocks with an empty line between them; lines that begin with # are for
 * readers:
 *
 * <pre>
 * A freed place wakes nobody
 * scheduler-core/src/main/java/io/evenkeel/engine/AttemptOutcomes.java
 * - change.ifPresent(freed -> queue.changed(freed, clock.getAsLong()));
 * + // a line in the place of those above, or none
 * </pre>
 */
final class Mutations {
    private static final Path ROOT = Path.of("../..");

    /** What worlds need to have for those of a file. */
    private static final Map<String, String> FEATURES = Map.of(
            "moves.txt", "MOVES",
            "shards.txt", "SHARDS",
            "shard-devices.txt", "SHARDS,DEVICES");

    private Mutations() {}

    /** All but the seeded ones, by what they are of. */
    static List<Mutation> all() {
        return Stream.of(
                        "reviewed.txt",
                        "crossing.txt",
                        "grouped.txt",
                        "heeded.txt",
                        "unnoticed.txt",
                        "volumes.txt",
                        "devices.txt",
                        "moves.txt",
                        "shards.txt",
                        "shard-devices.txt")
                .flatMap(file -> read(file, FEATURES.getOrDefault(file, "")).stream())
                .toList();
    }

    /** Those that are found by telling all stories of a small world. */
    static List<Mutation> seeded() {
        return read("seeded.txt", "");
    }

    static List<String> source(Mutation mutation) {
        try {
            return Files.readAllLines(ROOT.resolve(mutation.file()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(
                    "\"" + mutation.name() + "\" no longer applies: no " + mutation.file(), unreadable);
        }
    }

    private static List<Mutation> read(String resource, String features) {
        try (InputStream in = Objects.requireNonNull(Mutations.class.getResourceAsStream(resource), resource)) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return List.of(text.strip().split("\n{2,}")).stream()
                    .map(block ->
                            block.lines().filter(line -> !line.startsWith("#")).toList())
                    .filter(lines -> !lines.isEmpty())
                    .map(lines -> mutation(lines, features))
                    .toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Mutation mutation(List<String> lines, String features) {
        List<String> change = lines.subList(2, lines.size());
        return new Mutation(lines.getFirst(), lines.get(1), marked(change, "- "), marked(change, "+ "), features);
    }

    private static List<String> marked(List<String> lines, String mark) {
        return lines.stream()
                .filter(line -> line.startsWith(mark))
                .map(line -> line.substring(mark.length()).strip())
                .toList();
    }
}
