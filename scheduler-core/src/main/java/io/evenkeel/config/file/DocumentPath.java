package io.evenkeel.config.file;

import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/** The way down a document to a value, as {@code profiles[0].plugins.score.enabled[NodeAffinity].name} describes it. */
final class DocumentPath {
    private static final Pattern STEP = Pattern.compile("\\[([^]]*)]|([^.\\[\\]]+)");
    private static final String NAME = "name";

    private final List<MatchResult> steps;

    private DocumentPath(List<MatchResult> steps) {
        this.steps = steps;
    }

    static DocumentPath of(String text) {
        return new DocumentPath(STEP.matcher(text).results().toList());
    }

    /** The value, or the place that it would have in the innermost one around that is there. */
    Cursor from(Cursor root) {
        Cursor found = root;
        boolean there = true;
        for (MatchResult step : steps) {
            Optional<Cursor> next = there ? below(found, step) : Optional.empty();
            there = next.isPresent();
            Cursor around = found;
            found = next.orElseGet(() -> step.group(2) == null
                    ? around.at(step.group(), around.node())
                    : around.child(step.group(), around.node()));
        }
        return found;
    }

    private static Optional<Cursor> below(Cursor around, MatchResult step) {
        String name = step.group(2);
        return name == null
                ? element(around, step.group(1))
                : value(around.node(), name).map(value -> around.child(name, value));
    }

    private static Optional<Cursor> element(Cursor list, String numberOrName) {
        if (!(list.node() instanceof SequenceNode sequence)) {
            return Optional.empty();
        }
        List<Node> elements = sequence.getValue();
        return IntStream.range(0, elements.size())
                .filter(i -> numberOrName.equals(String.valueOf(i))
                        || value(elements.get(i), NAME)
                                .filter(name -> isText(name, numberOrName))
                                .isPresent())
                .mapToObj(i -> list.at("[" + i + "]", elements.get(i)))
                .findFirst();
    }

    private static Optional<Node> value(Node mapping, String key) {
        return mapping instanceof MappingNode entries
                ? entries.getValue().stream()
                        .filter(entry -> isText(entry.getKeyNode(), key))
                        .map(entry -> entry.getValueNode())
                        .findFirst()
                : Optional.empty();
    }

    private static boolean isText(Node node, String text) {
        return node instanceof ScalarNode scalar && scalar.getValue().equals(text);
    }
}
