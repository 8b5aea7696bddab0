package io.evenkeel.image.definition;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/** Jib's configuration in a pom.xml, with the properties that the same file sets. */
final class JibConfiguration {
    private static final String AT = "/project/build/plugins/plugin[artifactId='jib-maven-plugin']/configuration";
    /** What a build hands in, as the Dockerfile calls it. */
    private static final Map<String, String> ARGUMENTS = Map.of(
            "${project.version}", "$VERSION",
            "${image.revision}", "$REVISION",
            "${project.build.outputTimestamp}", "$CREATED",
            "${image.base}", "$BASE");

    private final XPath xpath = XPathFactory.newInstance().newXPath();
    private final Document pom;

    JibConfiguration(Path file) throws IOException {
        try {
            pom = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
        } catch (ParserConfigurationException | SAXException unreadable) {
            throw new IOException(file + " is no XML", unreadable);
        }
    }

    ImageDefinition definition() {
        return new ImageDefinition(
                property(text("/from/image")),
                texts("/container/entrypoint/argument"),
                text("/container/user"),
                text("/container/workingDirectory"),
                Set.copyOf(texts("/container/ports/port")),
                nodes("/container/labels/*").stream()
                        .collect(Collectors.toMap(
                                Node::getNodeName,
                                label -> ARGUMENTS.getOrDefault(label.getTextContent(), label.getTextContent()))),
                layers());
    }

    private List<String> layers() {
        List<String> from = texts("/extraDirectories/paths/path/from");
        List<String> into = texts("/extraDirectories/paths/path/into");
        return IntStream.range(0, from.size())
                .mapToObj(path -> from.get(path).replace("${project.build.directory}/", "") + " → " + into.get(path))
                .toList();
    }

    /** The image's name without its tag. */
    String repository() {
        String name = property(text("/to/image"));
        return name.substring(0, name.indexOf(':'));
    }

    private String property(String value) {
        return value.startsWith("${")
                ? select("/project/properties/*[name()='" + value.substring(2, value.length() - 1) + "']")
                        .getFirst()
                        .getTextContent()
                : value;
    }

    private String text(String path) {
        List<String> found = texts(path);
        if (found.size() != 1) {
            throw new IllegalStateException("Jib's configuration has " + found.size() + " of " + path);
        }
        return found.getFirst();
    }

    private List<String> texts(String path) {
        return nodes(path).stream().map(Node::getTextContent).toList();
    }

    private List<Node> nodes(String path) {
        return select(AT + path);
    }

    private List<Node> select(String path) {
        try {
            NodeList found = (NodeList) xpath.evaluate(path, pom, XPathConstants.NODESET);
            return IntStream.range(0, found.getLength()).mapToObj(found::item).toList();
        } catch (XPathExpressionException wrong) {
            throw new IllegalArgumentException(path, wrong);
        }
    }
}
