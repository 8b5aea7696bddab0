package io.evenkeel.config.file;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;

/** A mapping's entries by key: duplicates are logged, and what {@code <<} merges in is added. */
final class MappingEntries {
    /** Merges can be nested, and by an alias a mapping can be merged into itself. */
    private static final int DEPTH_LIMIT = 50;

    /** A value and the place of its key. */
    record Entry(Optional<Mark> place, Cursor value) {}

    private final Cursor owner;
    private final ErrorLog errors;

    private MappingEntries(Cursor owner, ErrorLog errors) {
        this.owner = owner;
        this.errors = errors;
    }

    static Map<String, Entry> of(Cursor owner, MappingNode mapping, ErrorLog errors) {
        return new MappingEntries(owner, errors).entriesOf(mapping, 0);
    }

    private Map<String, Entry> entriesOf(MappingNode mapping, int depth) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        Map<String, Entry> merged = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Optional<Mark> place = Optional.ofNullable(tuple.getKeyNode().getStartMark());
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                errors.add(place, owner.path(), "a key must be a scalar");
            } else if (Tag.MERGE.equals(key.getTag())) {
                merge(tuple.getValueNode(), depth, merged);
            } else {
                Cursor value = owner.child(key.getValue(), tuple.getValueNode());
                Entry first = entries.putIfAbsent(key.getValue(), new Entry(place, value));
                if (first != null) {
                    int line = first.place().map(Mark::getLine).orElse(0) + 1;
                    errors.add(place, value.path(), "is given twice, first in line " + line);
                }
            }
        }
        merged.forEach(entries::putIfAbsent);
        return entries;
    }

    private void merge(Node source, int depth, Map<String, Entry> merged) {
        List<Node> sources = source instanceof SequenceNode sequence ? sequence.getValue() : List.of(source);
        for (Node each : sources) {
            if (each instanceof MappingNode mapping && depth < DEPTH_LIMIT) {
                entriesOf(mapping, depth + 1).forEach(merged::putIfAbsent);
            } else {
                errors.add(
                        Optional.ofNullable(source.getStartMark()),
                        owner.path(),
                        "<< must be given a mapping or a list of mappings");
            }
        }
    }
}
