package io.evenkeel.api;

import io.evenkeel.model.KubernetesObject;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * One change of the cluster or of a waiting pod, as {@code Hint}s see it.
 *
 * @param kinds in what respects the object changed, at least one; the first is what metrics call it
 * @param before the object as it was; empty where it is new
 * @param after the object as it is; empty where it is gone
 * @param internal whether nothing has happened in the cluster, and the scheduler only expects something else of it than it
 *     did. Whom that wakes sits the whole backoff out: else pods that wait could wake one another over and over
 * @since 0.1
 */
public record ClusterChange(
        List<ChangeKind> kinds, Optional<KubernetesObject> before, Optional<KubernetesObject> after, boolean internal) {

    public ClusterChange {
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("a change of nothing, from " + before + " to " + after);
        }
        kinds = List.copyOf(kinds);
    }

    public ClusterChange(List<ChangeKind> kinds, Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        this(kinds, before, after, false);
    }

    public static ClusterChange added(ChangeKind kind, KubernetesObject object) {
        return new ClusterChange(List.of(kind), Optional.empty(), Optional.of(object));
    }

    public static ClusterChange removed(ChangeKind kind, KubernetesObject object) {
        return new ClusterChange(List.of(kind), Optional.of(object), Optional.empty());
    }

    public ClusterChange asInternal() {
        return new ClusterChange(kinds, before, after, true);
    }

    public boolean is(ChangeKind kind) {
        return kinds.contains(kind);
    }

    public boolean isAnyOf(Collection<ChangeKind> others) {
        for (int i = 0; i < kinds.size(); i++) {
            if (others.contains(kinds.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** The object as it was, if there was one and it is of this type. */
    public <T extends KubernetesObject> Optional<T> before(Class<T> type) {
        return before.filter(type::isInstance).map(type::cast);
    }

    /** The object as it is, if there is one and it is of this type. */
    public <T extends KubernetesObject> Optional<T> after(Class<T> type) {
        return after.filter(type::isInstance).map(type::cast);
    }

    /** Returns its name in metrics. */
    public String label() {
        return kinds.getFirst().label();
    }
}
