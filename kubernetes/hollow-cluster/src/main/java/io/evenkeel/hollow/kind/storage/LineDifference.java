package io.evenkeel.hollow.kind.storage;

import java.util.ArrayList;
import java.util.List;

/**
 * The difference between two texts, as hunks of a unified diff. The longest part that both have stays, and so on before it and
 * behind it: this shows a change of a few fields best (Ratcliff and Obershelp). It takes a time that grows with the
 * cube of the lines at the worst; there are some dozens.
 */
final class LineDifference {

    private static final int CONTEXT = 3;

    /** A line with its mark: a blank, a minus or a plus. */
    private record Line(char mark, String text) {

        boolean isChange() {
            return mark != ' ';
        }
    }

    private final List<String> before;
    private final List<String> after;
    private final List<Line> lines = new ArrayList<>();

    private LineDifference(List<String> before, List<String> after) {
        this.before = before;
        this.after = after;
    }

    static String between(List<String> before, List<String> after) {
        LineDifference difference = new LineDifference(before, after);
        difference.compare(0, before.size(), 0, after.size());
        return difference.hunks();
    }

    private void compare(int from, int to, int otherFrom, int otherTo) {
        int start = from;
        int otherStart = otherFrom;
        int length = 0;
        for (int i = from; i < to; i++) {
            for (int j = otherFrom; j < otherTo; j++) {
                int common = common(i, to, j, otherTo);
                if (common > length) {
                    start = i;
                    otherStart = j;
                    length = common;
                }
            }
        }
        if (length == 0) {
            before.subList(from, to).forEach(text -> lines.add(new Line('-', text)));
            after.subList(otherFrom, otherTo).forEach(text -> lines.add(new Line('+', text)));
            return;
        }
        compare(from, start, otherFrom, otherStart);
        before.subList(start, start + length).forEach(text -> lines.add(new Line(' ', text)));
        compare(start + length, to, otherStart + length, otherTo);
    }

    private int common(int start, int to, int otherStart, int otherTo) {
        int length = 0;
        while (start + length < to
                && otherStart + length < otherTo
                && before.get(start + length).equals(after.get(otherStart + length))) {
            length++;
        }
        return length;
    }

    private String hunks() {
        StringBuilder text = new StringBuilder();
        int end = 0;
        for (int i = 0; i < lines.size(); i++) {
            if (i >= end && nearChange(i)) {
                end = i;
                while (end < lines.size() && nearChange(end)) {
                    end++;
                }
                hunk(i, end, text);
            }
        }
        return text.toString();
    }

    private boolean nearChange(int index) {
        return lines.subList(Math.max(0, index - CONTEXT), Math.min(lines.size(), index + CONTEXT + 1)).stream()
                .anyMatch(Line::isChange);
    }

    private void hunk(int from, int to, StringBuilder text) {
        text.append("@@ -%d,%d +%d,%d @@\n"
                .formatted(
                        count(0, from, '+') + 1, count(from, to, '+'), count(0, from, '-') + 1, count(from, to, '-')));
        lines.subList(from, to)
                .forEach(line -> text.append(line.mark()).append(line.text()).append('\n'));
    }

    private long count(int from, int to, char without) {
        return lines.subList(from, to).stream()
                .filter(line -> line.mark() != without)
                .count();
    }
}
