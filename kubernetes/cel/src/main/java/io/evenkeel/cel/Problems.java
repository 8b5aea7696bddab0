package io.evenkeel.cel;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Problems of one expression, each with its line and a mark under its place, as the reference prints them. */
final class Problems {
    private record One(int at, String message) {}

    private static final int MOST = 100;
    private static final int LONGEST = 100_000;

    private final String source;
    private final List<One> found = new ArrayList<>();

    Problems(String source) {
        this.source = source;
    }

    void add(int at, String message) {
        if (found.size() < MOST) {
            found.add(new One(at, message));
        }
    }

    CelProblem at(int at, String message) {
        add(at, message);
        return all();
    }

    boolean any() {
        return !found.isEmpty();
    }

    CelProblem all() {
        StringBuilder text = new StringBuilder();
        found.stream()
                .sorted(Comparator.comparingInt(One::at))
                .map(this::text)
                .distinct()
                .takeWhile(_ -> text.length() < LONGEST)
                .forEach(one -> text.append(text.isEmpty() ? "" : "\n").append(one));
        return new CelProblem(text.toString());
    }

    private String text(One one) {
        int at = Math.min(one.at, source.length());
        int start = source.lastIndexOf('\n', at - 1) + 1;
        int end = source.indexOf('\n', start);
        String line = source.substring(start, end < 0 ? source.length() : end);
        long number = source.chars().limit(start).filter(c -> c == '\n').count() + 1;
        int column = source.codePointCount(start, at);
        return "ERROR: <input>:" + number + ":" + (column + 1) + ": " + one.message + "\n | " + line.replace('\t', ' ')
                + "\n | " + ".".repeat(column) + "^";
    }
}
