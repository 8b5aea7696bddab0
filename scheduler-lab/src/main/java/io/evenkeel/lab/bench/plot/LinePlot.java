package io.evenkeel.lab.bench.plot;

import io.evenkeel.lab.bench.plot.Label.Anchor;
import io.evenkeel.lab.bench.plot.Svg.Point;
import io.evenkeel.lab.bench.suite.CaseName;
import io.evenkeel.lab.bench.suite.StoredCase;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** Rates over how many nodes or pods there are, both logarithmic: a line a workload, with its name where it ends. */
final class LinePlot {
    private static final double WIDTH = 860;
    private static final double LEAST_LENGTH = 380;
    private static final double LEAST_HEIGHT = 360;
    private static final double EDGE = 20;
    private static final double GAP = 8;
    private static final double INSET = 14;
    private static final double TOP = 92;
    private static final double FOOT = 58;
    private static final double LEADER = 34;
    private static final double LABEL_HEIGHT = 17;
    private static final double LEAST_ROW = 26;
    private static final int MOST_CHARACTERS = 60;

    private final Svg svg = new Svg();
    private final Size size;
    private final List<Line> lines;
    private final Usual usual;
    private final LogAxis across;
    private final LogAxis up;
    private final double left;
    private final double right;
    private final double width;
    private final double bottom;

    LinePlot(Size size, List<Line> lines) {
        this.size = size;
        this.lines = lines;
        usual = Usual.of(names());
        List<Double> rates = lines.stream()
                .flatMap(line -> line.cases().stream())
                .map(LinePlot::rate)
                .toList();
        bottom = TOP + Math.max(LEAST_HEIGHT, lines.size() * LABEL_HEIGHT);
        up = LogAxis.covering(rates, bottom, TOP);
        left = EDGE + widest(up.ticks(LEAST_ROW).stream().map(Numbers::of), Label.SMALL) + GAP;
        double labels = LEADER + widest(lines.stream().map(this::name), Label.TEXT) + EDGE;
        right = Math.max(WIDTH - labels, left + LEAST_LENGTH);
        width = right + labels;
        List<Integer> sizes = lines.stream()
                .flatMap(line -> line.cases().stream())
                .map(one -> size.of(one.name()))
                .toList();
        across = new LogAxis(Collections.min(sizes), Collections.max(sizes), left + INSET, right - INSET);
    }

    String svg() {
        String title = "Pods a second by number of " + size.plural();
        String subtitle = usual.subtitle(names());
        svg.text(new Label(title, EDGE, 30, Label.TITLE, Anchor.START, "title"));
        svg.text(new Label(subtitle, EDGE, 52, Label.TEXT, Anchor.START, "quiet"));
        svg.text(new Label("pods a second", EDGE, TOP - 14, Label.SMALL, Anchor.START, "quiet"));
        grid();
        List<Double> middles = labelMiddles();
        for (int i = 0; i < lines.size(); i++) {
            line(lines.get(i), i, middles.get(i));
        }
        return svg.document(width, bottom + FOOT, title + ": " + subtitle);
    }

    private void grid() {
        for (double tick : up.ticks(LEAST_ROW)) {
            double y = up.at(tick);
            svg.line("grid", new Point(left, y), new Point(right, y));
            svg.text(Label.beside(Numbers.of(tick), left - GAP, y, Label.SMALL, Anchor.END, "quiet number"));
        }
        double widest = TextSize.width(Numbers.of(across.most()), Label.SMALL);
        for (double tick : across.ticks(widest + 2 * GAP)) {
            double x = across.at(tick);
            svg.line("grid", new Point(x, TOP), new Point(x, bottom));
            svg.text(new Label(Numbers.of(tick), x, bottom + 18, Label.SMALL, Anchor.MIDDLE, "quiet number"));
        }
        svg.line("axis", new Point(left, bottom), new Point(right, bottom));
        String title = size.plural() + "; both axes are logarithmic";
        svg.text(new Label(title, (left + right) / 2, bottom + 42, Label.SMALL, Anchor.MIDDLE, "quiet"));
    }

    /** Beside where each line ends, or as near to that as the others let it. */
    private List<Double> labelMiddles() {
        List<Double> wishes = lines.stream().map(line -> up.at(line.last())).toList();
        return Spreading.apart(wishes, LABEL_HEIGHT, TOP, bottom);
    }

    private void line(Line line, int index, double labelMiddle) {
        int colour = index % Stylesheet.COLOURS;
        String dashes = "dashed" + index / Stylesheet.COLOURS % Stylesheet.DASHES;
        List<Point> points = new ArrayList<>();
        for (StoredCase one : line.cases()) {
            points.add(new Point(across.at(size.of(one.name())), up.at(rate(one))));
        }
        svg.path("series line" + colour + " " + dashes, points);
        for (int i = 0; i < points.size(); i++) {
            StoredCase one = line.cases().get(i);
            String at = Numbers.of(size.of(one.name())) + " " + size.plural();
            svg.dot(
                    "dot" + colour,
                    points.get(i),
                    name(line) + ", " + at + ": " + Numbers.of(rate(one)) + " pods a second");
        }
        Point end = points.getLast();
        double labelStart = right + LEADER - GAP / 2;
        svg.path(
                "leader line" + colour,
                List.of(
                        new Point(end.x() + GAP, end.y()),
                        new Point(Math.max(right, end.x() + GAP), end.y()),
                        new Point(labelStart - GAP, labelMiddle),
                        new Point(labelStart - GAP / 2, labelMiddle)));
        svg.text(Label.beside(name(line), right + LEADER, labelMiddle, Label.TEXT, Anchor.START, "name" + colour));
    }

    private String name(Line line) {
        String detail = usual.told(line.common());
        String all = detail.isEmpty() ? line.common().workload() : line.common().workload() + ", " + detail;
        return TextSize.shortened(all, MOST_CHARACTERS);
    }

    private List<CaseName> names() {
        return lines.stream().map(Line::common).toList();
    }

    private static double widest(Stream<String> texts, double fontSize) {
        return texts.mapToDouble(text -> TextSize.width(text, fontSize)).max().orElse(0);
    }

    private static double rate(StoredCase one) {
        return one.figure(Plots.PODS_PER_SECOND);
    }
}
