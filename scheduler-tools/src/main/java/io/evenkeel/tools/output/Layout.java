package io.evenkeel.tools.output;

import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How text for people is laid out.
 *
 * @param columns how long lines may be
 * @param colours whether the terminal shows them
 * @param kubectl options for kubectl by which the commands of the text are about the same cluster, as they are typed but not quoted
 */
public record Layout(int columns, boolean colours, List<String> kubectl) {
    private static final int BETWEEN_COLUMNS = 3;

    /** Plain text, with commands for the usual cluster. */
    public static Layout of(int columns) {
        return new Layout(columns, false, List.of());
    }

    /** What a line is for, and how a terminal shows it. */
    public enum Ink {
        CAUSE("1"),
        COMMAND("36"),
        REMARK("2");

        private final String code;

        Ink(String code) {
            this.code = code;
        }
    }

    /** Rows of cells as lines, each column as wide as its widest cell. What is in a cell may be anything. */
    public static List<String> inColumns(List<String[]> cells) {
        List<List<String>> rows = cells.stream()
                .map(row -> Arrays.stream(row).map(Excerpt::oneLine).toList())
                .toList();
        int[] widths = new int[rows.getFirst().size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + BETWEEN_COLUMNS));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /** Lines of one text. What is in a line may be anything, as the names in scenarios and dumps may be. */
    public static String text(List<String> lines) {
        return lines.stream().map(Excerpt::oneLine).collect(Collectors.joining("\n"));
    }

    /** A line that is as long as it will be. */
    public String inked(Ink ink, String line) {
        return colours ? "\033[" + ink.code + "m" + line + "\033[0m" : line;
    }
}
