package io.evenkeel.framework.change;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.PluginObject;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * One change of the cluster or of a waiting pod, as {@link Hint}s see it.
 *
 * @param kinds in what respects the object changed, at least one
 * @param before the object as it was; empty where it is new
 * @param after the object as it is; empty where it is gone
 */
public record ClusterChange(
        Set<ChangeKind> kinds, Optional<KubernetesObject> before, Optional<KubernetesObject> after) {

    public ClusterChange {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a change of nothing, from " + before + " to " + after);
        }
        kinds = Collections.unmodifiableSet(EnumSet.copyOf(kinds));
    }

    public static ClusterChange added(ChangeKind kind, KubernetesObject object) {
        return new ClusterChange(EnumSet.of(kind), Optional.empty(), Optional.of(object));
    }

    public static ClusterChange removed(ChangeKind kind, KubernetesObject object) {
        return new ClusterChange(EnumSet.of(kind), Optional.of(object), Optional.empty());
    }

    public boolean is(ChangeKind kind) {
        return kinds.contains(kind);
    }

    public boolean isAnyOf(Collection<ChangeKind> others) {
        return !Collections.disjoint(kinds, others);
    }

    /** The object as it was, if there was one and it is of this type. */
    public <T extends KubernetesObject> Optional<T> before(Class<T> type) {
        return before.filter(type::isInstance).map(type::cast);
    }

    /** The object as it is, if there is one and it is of this type. */
    public <T extends KubernetesObject> Optional<T> after(Class<T> type) {
        return after.filter(type::isInstance).map(type::cast);
    }

    /** What metrics call it; of several respects the first in the order of {@link ChangeKind}. */
    public String label() {
        String label = kinds.iterator().next().label();
        KubernetesObject some = after.or(() -> before).orElseThrow();
        return some instanceof PluginObject ? some.kindName() + label : label;
    }
}
