package io.evenkeel.lab.bench.plot;

import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/** An SVG file as who looks at it sees it: read as XML, so that it has to be some. */
record Drawing(Element root) {
    /** Where a label is, with the room that a font may need. */
    record Box(String text, double left, double top, double right, double bottom) {
        boolean isOn(Box other) {
            return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
        }
    }

    record Bar(String told, double left, double top, double width, double height) {}

    record Dot(String told, double x, double y) {}

    static Drawing of(String svg) {
        try {
            DocumentBuilderFactory xml = DocumentBuilderFactory.newNSInstance();
            xml.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            return new Drawing(xml.newDocumentBuilder()
                    .parse(new InputSource(new StringReader(svg)))
                    .getDocumentElement());
        } catch (SAXException | ParserConfigurationException | IOException noXml) {
            throw new AssertionError(svg, noXml);
        }
    }

    double width() {
        return number(root, "width");
    }

    double height() {
        return number(root, "height");
    }

    List<Box> labels() {
        return all("text").map(Drawing::box).toList();
    }

    List<String> texts() {
        return labels().stream().map(Box::text).toList();
    }

    /** Of a class, without the square that tells in the legend what the class is. */
    List<Bar> bars(String style) {
        return all("rect", style)
                .map(bar -> new Bar(
                        bar.getTextContent(),
                        number(bar, "x"),
                        number(bar, "y"),
                        number(bar, "width"),
                        number(bar, "height")))
                .filter(bar -> bar.told().contains(": "))
                .toList();
    }

    List<Dot> dots() {
        return all("circle")
                .map(dot -> new Dot(dot.getTextContent(), number(dot, "cx"), number(dot, "cy")))
                .toList();
    }

    /** The points of each line that is a workload's. */
    List<List<String>> lines() {
        return all("polyline", "series")
                .map(line -> Arrays.asList(line.getAttribute("points").split(" ")))
                .toList();
    }

    Stream<Element> all(String name) {
        NodeList found = root.getElementsByTagName(name);
        return IntStream.range(0, found.getLength()).mapToObj(i -> (Element) found.item(i));
    }

    private Stream<Element> all(String name, String style) {
        return all(name)
                .filter(one ->
                        Arrays.asList(one.getAttribute("class").split(" ")).contains(style));
    }

    private static Box box(Element text) {
        double size = number(text, "font-size");
        double x = number(text, "x");
        double baseline = number(text, "y");
        double width = TextSize.width(text.getTextContent(), size);
        double left = switch (text.getAttribute("text-anchor")) {
            case "start" -> x;
            case "middle" -> x - width / 2;
            case "end" -> x - width;
            default -> throw new AssertionError(text.getAttribute("text-anchor"));
        };
        return new Box(text.getTextContent(), left, baseline - 0.78 * size, left + width, baseline + 0.22 * size);
    }

    private static double number(Element element, String attribute) {
        return Double.parseDouble(element.getAttribute(attribute));
    }
}
