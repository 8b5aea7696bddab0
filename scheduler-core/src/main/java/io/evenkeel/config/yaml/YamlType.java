package io.evenkeel.config.yaml;

import java.util.Map;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** The type of a node in the document. */
enum YamlType {
    STRING,
    INTEGER,
    FLOAT,
    BOOLEAN,
    NULL,
    MAPPING,
    LIST,
    OTHER;

    private static final Map<Tag, YamlType> SCALARS = Map.of(
            Tag.STR, STRING,
            Tag.INT, INTEGER,
            Tag.FLOAT, FLOAT,
            Tag.BOOL, BOOLEAN,
            Tag.NULL, NULL,
            Tag.MERGE, STRING);

    static YamlType of(Node node) {
        return switch (node) {
            case MappingNode _ -> MAPPING;
            case SequenceNode _ -> LIST;
            case ScalarNode scalar -> SCALARS.getOrDefault(scalar.getTag(), OTHER);
            default -> OTHER;
        };
    }

    /** The node in an error message. */
    static String describe(Node node) {
        return switch (of(node)) {
            case STRING -> '"' + ((ScalarNode) node).getValue() + '"';
            case INTEGER, FLOAT, BOOLEAN -> ((ScalarNode) node).getValue();
            case NULL -> "null";
            case MAPPING -> "a mapping";
            case LIST -> "a list";
            case OTHER -> "a value tagged " + node.getTag();
        };
    }
}
