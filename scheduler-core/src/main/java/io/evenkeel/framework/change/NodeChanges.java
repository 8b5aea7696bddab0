package io.evenkeel.framework.change;

import io.evenkeel.model.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** In what respects a node has changed for pods that wait, those that metrics name first in front. */
final class NodeChanges {
    private NodeChanges() {}

    static List<ChangeKind> kinds(Optional<Node> before, Optional<Node> after) {
        if (after.isEmpty()) {
            return List.of(ChangeKind.NODE_DELETED);
        }
        return before.isEmpty() ? List.of(ChangeKind.NODE_ADDED) : updated(before.get(), after.get());
    }

    private static List<ChangeKind> updated(Node before, Node after) {
        List<ChangeKind> kinds = new ArrayList<>();
        if (!before.allocatable().equals(after.allocatable())) {
            kinds.add(ChangeKind.NODE_ALLOCATABLE);
        }
        if (!before.labels().equals(after.labels())) {
            kinds.add(ChangeKind.NODE_LABELS);
        }
        if (before.unschedulable() != after.unschedulable() || !before.taints().equals(after.taints())) {
            kinds.add(ChangeKind.NODE_TAINTS);
        }
        if (!before.declaredFeatures().equals(after.declaredFeatures())) {
            kinds.add(ChangeKind.NODE_DECLARED_FEATURES);
        }
        return kinds;
    }
}
