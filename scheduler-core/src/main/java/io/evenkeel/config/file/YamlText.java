package io.evenkeel.config.file;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.Node;
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
}
