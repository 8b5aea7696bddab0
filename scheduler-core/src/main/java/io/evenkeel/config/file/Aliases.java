package io.evenkeel.config.file;

import java.util.IdentityHashMap;
import java.util.Optional;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;

/**
 * How many values a document has where each alias is replaced by what it stands for. The fifty aliases that SnakeYAML takes can
 * stand for a hundred million values, as lists of aliases of lists of aliases; or for endlessly many, inside their own anchor.
 */
final class Aliases {
    private static final long MOST_REPEATED = 1_000_000;
    private static final long TOO_MANY = Long.MAX_VALUE / 4;
    private static final long UNDERWAY = -1;

    private final IdentityHashMap<Node, Long> sizes = new IdentityHashMap<>();
    private long written = 1;
    private boolean endless;

    private Aliases() {}

    /** Whether the document's aliases stand for no more than anybody would write; logs an error otherwise. */
    static boolean areFew(Node root, ErrorLog errors) {
        Aliases aliases = new Aliases();
        boolean few = aliases.size(root) - aliases.written <= MOST_REPEATED;
        if (!few || aliases.endless) {
            String what = aliases.endless
                    ? "an alias stands inside its own anchor"
                    : "its aliases stand for more than " + MOST_REPEATED + " values";
            errors.add(Optional.ofNullable(root.getStartMark()), "", what);
        }
        return few && !aliases.endless;
    }

    /** Nesting is limited by SnakeYAML, and an alias stands behind its anchor, which has a known size by then. */
    private long size(Node node) {
        if (node instanceof ScalarNode) {
            return 1;
        }
        Long known = sizes.putIfAbsent(node, UNDERWAY);
        if (known != null) {
            endless |= known == UNDERWAY;
            return known;
        }
        long size = 1;
        switch (node) {
            case SequenceNode list -> {
                written += list.getValue().size();
                for (Node element : list.getValue()) {
                    size = Math.min(TOO_MANY, size + size(element));
                }
            }
            case MappingNode mapping -> {
                written += 2L * mapping.getValue().size();
                for (var field : mapping.getValue()) {
                    size = Math.min(TOO_MANY, size + size(field.getKeyNode()) + size(field.getValueNode()));
                }
            }
            default -> {}
        }
        sizes.put(node, size);
        return size;
    }
}
