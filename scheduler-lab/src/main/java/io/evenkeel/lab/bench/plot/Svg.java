package io.evenkeel.lab.bench.plot;

import static io.evenkeel.lab.bench.plot.Numbers.pixels;
import static java.util.stream.Collectors.joining;

import java.util.List;
import java.util.Locale;

/** A drawing as it is written: elements in the order in which they are drawn, later ones above earlier ones. */
final class Svg {
    private final StringBuilder elements = new StringBuilder();

    record Point(double x, double y) {}

    void line(String style, Point from, Point to) {
        add("<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>"
                .formatted(style, pixels(from.x), pixels(from.y), pixels(to.x), pixels(to.y)));
    }

    void path(String style, List<Point> points) {
        String all =
                points.stream().map(one -> pixels(one.x) + "," + pixels(one.y)).collect(joining(" "));
        add("<polyline class=\"%s\" points=\"%s\"/>".formatted(style, all));
    }

    /** A rectangle; who points at it is told something. */
    void bar(String style, Point corner, double width, double height, String told) {
        add("<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\" rx=\"1.5\"><title>%s</title></rect>"
                .formatted(style, pixels(corner.x), pixels(corner.y), pixels(width), pixels(height), escaped(told)));
    }

    /** A circle; who points at it is told something. */
    void dot(String style, Point middle, String told) {
        add("<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"3.5\"><title>%s</title></circle>"
                .formatted(style, pixels(middle.x), pixels(middle.y), escaped(told)));
    }

    void text(Label label) {
        add("<text class=\"%s\" x=\"%s\" y=\"%s\" font-size=\"%s\" text-anchor=\"%s\">%s</text>"
                .formatted(
                        label.style(),
                        pixels(label.x()),
                        pixels(label.baseline()),
                        pixels(label.size()),
                        label.anchor().name().toLowerCase(Locale.ROOT),
                        escaped(label.text())));
    }

    /** All of it. */
    String document(double width, double height, String title) {
        return """
            <svg xmlns="http://www.w3.org/2000/svg" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s" role="img">
            <title>%3$s</title>
            <style>
            %4$s</style>
            <rect class="page" width="%1$s" height="%2$s"/>
            %5$s</svg>
            """.formatted(pixels(width), pixels(height), escaped(title), Stylesheet.CSS, elements);
    }

    private void add(String element) {
        elements.append(element).append('\n');
    }

    /** What XML has no place for, whatever a file calls a workload, is shown as unknown. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(character -> {
            switch (character) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                default -> escaped.appendCodePoint(isText(character) ? character : '\uFFFD');
            }
        });
        return escaped.toString();
    }

    private static boolean isText(int character) {
        boolean surrogate = character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE;
        return !Character.isISOControl(character) && !surrogate && (character & 0xFFFE) != 0xFFFE;
    }
}
