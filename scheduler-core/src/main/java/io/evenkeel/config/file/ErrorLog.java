package io.evenkeel.config.file;

import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;

/** The errors found in one document. Reading goes on after an error, so that the user sees all of them at once. */
public final class ErrorLog {
    /** A path is as long as the keys in it, which a file may make as long as it likes. */
    private static final int LONGEST = 500;

    private record Entry(int line, int column, String text) {}

    private final String source;
    private final List<Entry> entries = new ArrayList<>();

    public ErrorLog(String source) {
        this.source = source;
    }

    void add(Optional<Mark> place, String path, String message) {
        int line = place.map(Mark::getLine).orElse(0) + 1;
        int column = place.map(Mark::getColumn).orElse(0) + 1;
        String text = path.isEmpty() ? message : path + ": " + message;
        entries.add(new Entry(line, column, "%s:%d:%d: %s".formatted(source, line, column, Excerpt.of(text, LONGEST))));
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** {@code source:line:column: path: message}, in the order of the document. */
    public List<String> lines() {
        return entries.stream()
                .sorted(Comparator.comparingInt(Entry::line).thenComparingInt(Entry::column))
                .map(Entry::text)
                .distinct()
                .toList();
    }
}
