package io.evenkeel.lab.bench.plot;

import io.evenkeel.lab.bench.plot.Bars.Bar;
import io.evenkeel.lab.bench.plot.Label.Anchor;
import io.evenkeel.lab.bench.plot.Svg.Point;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/** Rates as horizontal bars, below each the one that it is compared with. */
final class BarPlot {
    private static final double WIDTH = 860;
    private static final double LEAST_LENGTH = 380;
    private static final double EDGE = 20;
    private static final double GAP = 8;
    private static final double THICKNESS = 14;
    private static final double BETWEEN_ROWS = 10;
    private static final double HEAD = 66;
    private static final double LEGEND = 26;
    private static final double FOOT = 54;
    private static final double SQUARE = 12;
    private static final int MOST_CHARACTERS = 60;

    /** Beyond that, the shortest bar would be hard to see. */
    private static final double MOST_RATIO = 50;

    private final Svg svg = new Svg();
    private final Bars bars;
    private final boolean isLogarithmic;
    private final Axis axis;
    private final double left;
    private final double right;
    private final double width;
    private final double top;
    private final double rowHeight;
    private final double bottom;

    BarPlot(Bars bars) {
        this.bars = bars;
        left = EDGE + Math.max(widest(BarPlot::name, Label.TEXT), widest(Bar::detail, Label.SMALL)) + GAP;
        double numbers = GAP + widest(BarPlot::told, Label.SMALL) + EDGE;
        right = Math.max(WIDTH - numbers, left + LEAST_LENGTH);
        width = right + numbers;
        top = HEAD + (bars.then().isPresent() ? LEGEND : 0);
        boolean isTall = bars.then().isPresent()
                || bars.bars().stream().anyMatch(bar -> !bar.detail().isEmpty());
        rowHeight = (isTall ? 2 : 1) * THICKNESS + BETWEEN_ROWS;
        bottom = top + bars.bars().size() * rowHeight;
        isLogarithmic = isLogarithmic(bars.values());
        axis = isLogarithmic
                ? LogAxis.ofLengths(bars.values(), left, right)
                : LinearAxis.covering(bars.values(), left, right);
    }

    String svg() {
        String title = "Pods a second by workload";
        svg.text(new Label(title, EDGE, 30, Label.TITLE, Anchor.START, "title"));
        svg.text(new Label(bars.subtitle(), EDGE, 52, Label.TEXT, Anchor.START, "quiet"));
        bars.then().ifPresent(this::legend);
        grid();
        double middle = top + rowHeight / 2;
        for (Bar bar : bars.bars()) {
            row(bar, middle);
            middle += rowHeight;
        }
        svg.line("axis", new Point(left, top), new Point(left, bottom));
        return svg.document(width, bottom + FOOT, title + ": " + bars.subtitle());
    }

    private void legend(String then) {
        double afterFirst = legend("now", bars.now(), EDGE);
        legend("then", then, afterFirst + 2 * GAP);
    }

    /** Draws one entry and returns where it ends. */
    private double legend(String style, String name, double x) {
        String shown = TextSize.shortened(name, MOST_CHARACTERS / 2);
        double middle = HEAD + 6;
        svg.bar(style, new Point(x, middle - SQUARE / 2), SQUARE, SQUARE, name);
        svg.text(Label.beside(shown, x + SQUARE + GAP, middle, Label.SMALL, Anchor.START, "quiet"));
        return x + SQUARE + GAP + TextSize.width(shown, Label.SMALL);
    }

    private void grid() {
        double widest = TextSize.width(Numbers.of(Collections.max(bars.values())), Label.SMALL);
        for (double tick : axis.ticks(widest + 2 * GAP)) {
            double x = axis.at(tick);
            svg.line("grid", new Point(x, top), new Point(x, bottom));
            svg.text(new Label(Numbers.of(tick), x, bottom + 18, Label.SMALL, Anchor.MIDDLE, "quiet number"));
        }
        String scale = isLogarithmic ? "pods a second, logarithmic" : "pods a second";
        svg.text(new Label(scale, (left + right) / 2, bottom + 40, Label.SMALL, Anchor.MIDDLE, "quiet"));
    }

    private void row(Bar bar, double middle) {
        boolean hasDetail = !bar.detail().isEmpty();
        double name = hasDetail ? middle - THICKNESS / 2 : middle;
        svg.text(Label.beside(name(bar), left - GAP, name, Label.TEXT, Anchor.END, "name"));
        if (hasDetail) {
            double detail = middle + THICKNESS / 2;
            svg.text(Label.beside(bar.detail(), left - GAP, detail, Label.SMALL, Anchor.END, "quiet"));
        }
        String whose = bar.workload() + (hasDetail ? ", " + bar.detail() : "") + ": ";
        double first = bar.before().isPresent() ? middle - THICKNESS / 2 : middle;
        bar("now", bar.rate(), first, whose);
        svg.text(Label.beside(told(bar), axis.at(bar.rate()) + GAP, first, Label.SMALL, Anchor.START, "number"));
        bar.before().ifPresent(before -> {
            double second = middle + THICKNESS / 2;
            bar("then", before, second, whose);
            svg.text(Label.beside(
                    Numbers.of(before), axis.at(before) + GAP, second, Label.SMALL, Anchor.START, "quiet number"));
        });
    }

    private void bar(String style, double rate, double middle, String whose) {
        Point corner = new Point(left, middle - THICKNESS / 2 + 0.5);
        svg.bar(style, corner, axis.at(rate) - left, THICKNESS - 1, whose + Numbers.of(rate) + " pods a second");
    }

    private static String name(Bar bar) {
        return TextSize.shortened(bar.workload(), MOST_CHARACTERS);
    }

    private static String told(Bar bar) {
        OptionalDouble ratio = bar.ratio();
        return Numbers.of(bar.rate()) + (ratio.isPresent() ? " (" + Numbers.ratio(ratio.getAsDouble()) + ")" : "");
    }

    private double widest(Function<Bar, String> text, double fontSize) {
        return bars.bars().stream()
                .mapToDouble(bar -> TextSize.width(text.apply(bar), fontSize))
                .max()
                .orElse(0);
    }

    private static boolean isLogarithmic(List<Double> values) {
        List<Double> positive = values.stream().filter(value -> value > 0).toList();
        return !positive.isEmpty() && Collections.max(positive) > MOST_RATIO * Collections.min(positive);
    }
}
