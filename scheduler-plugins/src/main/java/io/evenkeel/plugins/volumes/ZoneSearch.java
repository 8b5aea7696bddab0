package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;

/** Finds all nodes at once that are in the wrong zone. */
final class ZoneSearch {
    private final NodesByLabel labels;
    private final NodeSet somewhere = new NodeSet();
    private final NodeSet admitted = new NodeSet();
    private final NodeSet named = new NodeSet();
    private final NodeSet outside = new NodeSet();

    ZoneSearch(NodesByLabel labels) {
        this.labels = labels;
    }

    /** The nodes that say where they are, and are in none of these; valid until the next call. */
    NodeSetView outside(Zones zones) {
        somewhere.clear();
        Zones.KEYS.forEach(key -> labels.addHaving(key, somewhere));
        outside.clear();
        for (Zones.Label label : zones.all()) {
            admit(label);
            named.copyFrom(somewhere);
            named.removeAll(admitted);
            outside.addAll(named);
        }
        return outside;
    }

    /** A label of old goes before the one that nodes have today. */
    private void admit(Zones.Label label) {
        admitted.clear();
        label.values().forEach(value -> labels.addHaving(label.newKey(), value, admitted));
        if (!label.newKey().equals(label.key())) {
            named.clear();
            labels.addHaving(label.key(), named);
            admitted.removeAll(named);
            label.values().forEach(value -> labels.addHaving(label.key(), value, admitted));
        }
    }
}
