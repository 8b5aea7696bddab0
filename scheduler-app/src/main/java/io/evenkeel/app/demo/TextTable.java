package io.evenkeel.app.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A table drawn as text: a line of heads, groups of rows with a rule before each, columns as wide as their widest cell.
 * A cell may be painted, which does not change its width.
 */
final class TextTable {
    private static final String MARGIN = "   ";
    private static final String BETWEEN = " │ ";
    private static final String RULE = "─";
    private static final String CROSSING = "─┼─";

    /** A cell's text, and how it is painted when it is drawn. */
    record Cell(String text, UnaryOperator<String> paint) {
        static Cell of(String text) {
            return new Cell(text, UnaryOperator.identity());
        }
    }

    private static final List<Cell> A_RULE = List.of();

    private final int columns;
    private final List<List<Cell>> lines = new ArrayList<>();

    private TextTable(List<Cell> heads) {
        columns = heads.size();
        lines.add(heads);
    }

    static TextTable withHeads(String... heads) {
        return new TextTable(Arrays.stream(heads).map(Cell::of).toList());
    }

    /** Starts a group: the rows that follow stand under a rule. */
    TextTable rule() {
        lines.add(A_RULE);
        return this;
    }

    TextTable row(String... cells) {
        return row(Arrays.stream(cells).map(Cell::of).toList());
    }

    TextTable row(List<Cell> cells) {
        if (cells.size() != columns) {
            throw new IllegalArgumentException("a row of " + cells.size() + " cells in a table of " + columns);
        }
        lines.add(cells);
        return this;
    }

    List<String> draw() {
        int[] widths = new int[columns];
        for (List<Cell> line : lines) {
            for (int column = 0; column < line.size(); column++) {
                widths[column] =
                        Math.max(widths[column], line.get(column).text().length());
            }
        }
        return lines.stream()
                .map(line -> line.equals(A_RULE) ? drawRule(widths) : drawRow(line, widths))
                .toList();
    }

    private static String drawRule(int[] widths) {
        List<String> parts = Arrays.stream(widths).mapToObj(RULE::repeat).toList();
        return MARGIN + String.join(CROSSING, parts);
    }

    private static String drawRow(List<Cell> cells, int[] widths) {
        StringBuilder row = new StringBuilder(MARGIN);
        for (int column = 0; column < widths.length; column++) {
            Cell cell = cells.get(column);
            row.append(column == 0 ? "" : BETWEEN).append(cell.paint().apply(cell.text()));
            row.append(" ".repeat(widths[column] - cell.text().length()));
        }
        return row.toString().stripTrailing();
    }
}
