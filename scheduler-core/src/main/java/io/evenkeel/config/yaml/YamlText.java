package io.evenkeel.config.yaml;

import java.io.StringReader;
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
    private YamlText() {}

    /** The root of the document; empty, with an error logged, where the text is no YAML. */
    public static Optional<Cursor> parse(String text, ErrorLog errors) {
        try {
            Optional<Node> root = Optional.ofNullable(yaml().compose(new StringReader(withoutTabs(text))));
            if (root.isEmpty()) {
                errors.add(Optional.empty(), "", "the document is empty");
            }
            return root.map(node -> new Cursor(node, "", errors));
        } catch (MarkedYAMLException e) {
            errors.add(Optional.ofNullable(e.getProblemMark()), "", "no valid YAML: " + e.getProblem());
        } catch (YAMLException e) {
            errors.add(Optional.empty(), "", "no valid YAML: " + e.getMessage());
        }
        return Optional.empty();
    }

    /** A tree of maps, lists and scalars as YAML. */
    public static String dump(Map<String, ?> tree) {
        return yaml().dump(tree);
    }

    /** JSON may be indented with tabs, which SnakeYAML refuses; JSON's strings cannot hold any. */
    private static String withoutTabs(String text) {
        return text.stripLeading().startsWith("{") ? text.replace('\t', ' ') : text;
    }

    private static Yaml yaml() {
        LoaderOptions loading = new LoaderOptions();
        DumperOptions dumping = new DumperOptions();
        dumping.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        dumping.setSplitLines(false);
        dumping.setDereferenceAliases(true);
        return new Yaml(new SafeConstructor(loading), new Representer(dumping), dumping, loading, new GoResolver());
    }
}
