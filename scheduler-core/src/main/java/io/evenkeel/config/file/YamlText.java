package io.evenkeel.config.file;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.representer.Representer;

/** Text to tree and back. */
public final class YamlText {
    private static final int LONGEST_LINE = 1 << 20;

    private YamlText() {}

    /** The root of the document; empty, with an error logged, where the text is no YAML. */
    public static Optional<Cursor> parse(String text, ErrorLog errors) {
        if (hasTooLongLine(text, errors)) {
            return Optional.empty();
        }
        try {
            Optional<Node> root =
                    Optional.ofNullable(yaml(new LoaderOptions()).compose(new StringReader(withoutTabs(text))));
            if (root.isEmpty()) {
                errors.add(Optional.empty(), "", "the document is empty");
            }
            return root.filter(node -> Aliases.areFew(node, errors)).map(node -> new Cursor(node, "", errors));
        } catch (YAMLException e) {
            log(e, errors);
        }
        return Optional.empty();
    }

    /** The roots of all documents that the text holds, if any; of any length. */
    public static List<Cursor> parseAll(String text, ErrorLog errors) {
        LoaderOptions unlimited = new LoaderOptions();
        unlimited.setCodePointLimit(Integer.MAX_VALUE);
        List<Cursor> roots = new ArrayList<>();
        if (hasTooLongLine(text, errors)) {
            return roots;
        }
        try {
            for (Node node : yaml(unlimited).composeAll(new StringReader(text))) {
                Cursor root = new Cursor(node, "", errors);
                if (!root.isNull() && Aliases.areFew(node, errors)) {
                    roots.add(root);
                }
            }
        } catch (YAMLException e) {
            log(e, errors);
        }
        return List.copyOf(roots);
    }

    /** SnakeYAML takes a time for a word that grows with the square of its length, and a word ends with its line. */
    private static boolean hasTooLongLine(String text, ErrorLog errors) {
        int number = 1;
        for (int begin = 0; begin < text.length(); number++) {
            int end = text.indexOf('\n', begin);
            end = end < 0 ? text.length() : end;
            if (end - begin > LONGEST_LINE) {
                errors.add(Optional.empty(), "", "line " + number + " is longer than 1 MiB");
                return true;
            }
            begin = end + 1;
        }
        return false;
    }

    private static void log(YAMLException problem, ErrorLog errors) {
        if (problem instanceof MarkedYAMLException marked) {
            errors.add(Optional.ofNullable(marked.getProblemMark()), "", "no valid YAML: " + marked.getProblem());
        } else {
            errors.add(Optional.empty(), "", "no valid YAML: " + problem.getMessage());
        }
    }

    /** A tree of maps, lists and scalars as YAML. */
    public static String dump(Map<String, ?> tree) {
        return yaml(new LoaderOptions()).dump(tree);
    }

    /** JSON may be indented with tabs, which SnakeYAML refuses; JSON's strings cannot hold any. */
    private static String withoutTabs(String text) {
        return text.stripLeading().startsWith("{") ? text.replace('\t', ' ') : text;
    }

    private static Yaml yaml(LoaderOptions loading) {
        DumperOptions dumping = new DumperOptions();
        dumping.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        dumping.setSplitLines(false);
        dumping.setDereferenceAliases(true);
        return new Yaml(new SafeConstructor(loading), new Representer(dumping), dumping, loading, new GoResolver());
    }

    /**
     * How many values a document has where each alias is replaced by what it stands for. The fifty aliases that SnakeYAML takes can
     * stand for a hundred million values, as lists of aliases of lists of aliases; or for endlessly many, inside their own anchor.
     */
    private static final class Aliases {
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
}
