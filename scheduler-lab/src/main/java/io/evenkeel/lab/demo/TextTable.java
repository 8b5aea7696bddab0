package io.evenkeel.lab.demo;

import io.evenkeel.app.cli.Wrapping;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A table drawn as text: a line of heads, groups of rows with a rule before each, columns as wide as their widest cell,
 * but for the first narrower where there is no room, down to their longest word. A cell may be painted, which does not change its width.
 */
final class TextTable {
    private static final String MARGIN = Page.MARGIN;
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

    /** Its lines, of at most this width where words are not too long for that. */
    List<String> draw(int width) {
        int[] widths = widths(text -> text.length());
        int[] least = widths(TextTable::longestWord);
        least[0] = widths[0];
        int room = width - MARGIN.length() - BETWEEN.length() * (columns - 1);
        for (int widest = widest(widths, least); total(widths) > room && widest >= 0; widest = widest(widths, least)) {
            widths[widest]--;
        }
        return lines.stream()
                .flatMap(line -> line.equals(A_RULE) ? Stream.of(drawRule(widths)) : drawRow(line, widths))
                .toList();
    }

    private int[] widths(ToIntFunction<String> widthOf) {
        int[] widths = new int[columns];
        for (List<Cell> line : lines) {
            for (int column = 0; column < line.size(); column++) {
                widths[column] = Math.max(
                        widths[column], widthOf.applyAsInt(line.get(column).text()));
            }
        }
        return widths;
    }

    private static int longestWord(String text) {
        return Arrays.stream(text.split(" ", -1)).mapToInt(String::length).max().orElse(0);
    }

    private static int total(int[] widths) {
        return Arrays.stream(widths).sum();
    }

    /** The widest column that can still be narrower; -1 where none can. */
    private static int widest(int[] widths, int[] least) {
        int widest = -1;
        for (int column = 0; column < widths.length; column++) {
            if (widths[column] > least[column] && (widest < 0 || widths[column] > widths[widest])) {
                widest = column;
            }
        }
        return widest;
    }

    private static String drawRule(int[] widths) {
        List<String> parts = Arrays.stream(widths).mapToObj(RULE::repeat).toList();
        return MARGIN + String.join(CROSSING, parts);
    }

    /** A line for each that the highest of the cells takes. */
    private static Stream<String> drawRow(List<Cell> cells, int[] widths) {
        List<List<String>> wrapped = new ArrayList<>();
        for (int column = 0; column < widths.length; column++) {
            String text = cells.get(column).text();
            wrapped.add(text.length() <= widths[column] ? List.of(text) : Wrapping.wrap(text, widths[column]));
        }
        int height = wrapped.stream().mapToInt(List::size).max().orElse(0);
        return IntStream.range(0, height).mapToObj(line -> drawLine(line, cells, wrapped, widths));
    }

    private static String drawLine(int line, List<Cell> cells, List<List<String>> wrapped, int[] widths) {
        StringBuilder row = new StringBuilder(MARGIN);
        for (int column = 0; column < widths.length; column++) {
            List<String> texts = wrapped.get(column);
            String text = line < texts.size() ? texts.get(line) : "";
            row.append(column == 0 ? "" : BETWEEN)
                    .append(cells.get(column).paint().apply(text));
            row.append(" ".repeat(widths[column] - text.length()));
        }
        return row.toString().stripTrailing();
    }
}
