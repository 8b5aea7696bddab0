package io.evenkeel.framework.change;

import io.evenkeel.model.Node;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** In what respects a node has changed for pods that wait. */
final class NodeChanges {
    private NodeChanges() {}

    static Set<ChangeKind> kinds(Optional<Node> before, Optional<Node> after) {
        if (after.isEmpty()) {
            return EnumSet.of(ChangeKind.NODE_DELETED);
        }
        return before.isEmpty() ? EnumSet.of(ChangeKind.NODE_ADDED) : updated(before.get(), after.get());
    }

    private static Set<ChangeKind> updated(Node before, Node after) {
        EnumSet<ChangeKind> kinds = EnumSet.noneOf(ChangeKind.class);
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
