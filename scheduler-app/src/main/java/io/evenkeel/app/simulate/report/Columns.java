package io.evenkeel.app.simulate.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of cells as lines, each column as wide as its widest cell. */
final class Columns {
    private static final int BETWEEN = 3;

    private Columns() {}

    static List<String> of(List<String[]> rows) {
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
}
