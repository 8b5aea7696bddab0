package io.evenkeel.tools.simulate;

import io.evenkeel.model.decode.cursor.Excerpt;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Rows of cells as lines, each column as wide as its widest cell. */
final class Columns {
    private static final int BETWEEN = 3;

    private Columns() {}

    static List<String> of(List<String[]> cells) {
        List<String[]> rows = cells.stream().map(Columns::visible).toList();
        int[] widths = new int[rows.getFirst().length];
        for (String[] row : rows) {
            for (int i = 0; i < row.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        List<String> lines = new ArrayList<>();
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]).append(" ".repeat(widths[i] - row[i].length() + BETWEEN));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }

    /** Names of zones may hold anything. */
    private static String[] visible(String[] row) {
        return Arrays.stream(row).map(Excerpt::oneLine).toArray(String[]::new);
    }
}
