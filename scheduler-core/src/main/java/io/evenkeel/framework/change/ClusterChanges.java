package io.evenkeel.framework.change;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.Service;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Tells what has changed from one version of an object to the next, if anything that keeps pods waiting. */
public final class ClusterChanges {
    private ClusterChanges() {}

    /**
     * The change from {@code before} to {@code after}, of which at least one must be there. Nothing where no filter
     * reads what has changed, as with heartbeats; nothing either for pods that are on no node, see {@link
     * #ofWaitingPod}.
     */
    public static Optional<ClusterChange> between(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        KubernetesObject some = after.or(() -> before).orElseThrow();
        Set<ChangeKind> kinds = switch (some) {
            case Node _ -> NodeChanges.kinds(before.map(Node.class::cast), after.map(Node.class::cast));
            case Pod _ -> PodChanges.assigned(before.map(Pod.class::cast), after.map(Pod.class::cast));
            case Namespace _ -> namespaceKinds(before, after);
            case Service _ -> serviceKinds(before, after);
            case WorkloadOwner owner -> ownerKinds(owner, before, after);
            case PluginObject _ -> pluginObjectKinds(before, after);
            case PriorityClass _, UnreadObject _ -> none();
        };
        return kinds.isEmpty() ? Optional.empty() : Optional.of(new ClusterChange(kinds, before, after));
    }

    /** What has changed of a pod that waits for a node; nothing where it is only its status or version. */
    public static Optional<ClusterChange> ofWaitingPod(Pod before, Pod after) {
        Set<ChangeKind> kinds = PodChanges.own(before, after);
        return kinds.isEmpty()
                ? Optional.empty()
                : Optional.of(new ClusterChange(kinds, Optional.of(before), Optional.of(after)));
    }

    private static Set<ChangeKind> namespaceKinds(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (after.isEmpty()) {
            return EnumSet.of(ChangeKind.NAMESPACE_DELETED);
        }
        if (before.isEmpty()) {
            return EnumSet.of(ChangeKind.NAMESPACE_ADDED);
        }
        return before.get().meta().labels().equals(after.get().meta().labels())
                ? none()
                : EnumSet.of(ChangeKind.NAMESPACE_LABELS);
    }

    private static Set<ChangeKind> serviceKinds(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        return before.isPresent() && servedBy(before).equals(servedBy(after))
                ? none()
                : put(after, ChangeKind.SERVICE_PUT, ChangeKind.SERVICE_REMOVED);
    }

    private static Set<ChangeKind> pluginObjectKinds(
            Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (before.isPresent() && after.isPresent()) {
            return EnumSet.of(ChangeKind.PLUGIN_OBJECT_UPDATED);
        }
        return put(after, ChangeKind.PLUGIN_OBJECT_ADDED, ChangeKind.PLUGIN_OBJECT_DELETED);
    }

    private static Optional<Labels> servedBy(Optional<KubernetesObject> service) {
        return service.map(object -> ((Service) object).selector());
    }

    private static Set<ChangeKind> ownerKinds(
            WorkloadOwner some, Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (selectorOf(before).isPresent() && selectorOf(before).equals(selectorOf(after))) {
            return none();
        }
        return switch (some.kind()) {
            case REPLICA_SET -> put(after, ChangeKind.REPLICA_SET_PUT, ChangeKind.REPLICA_SET_REMOVED);
            case STATEFUL_SET -> put(after, ChangeKind.STATEFUL_SET_PUT, ChangeKind.STATEFUL_SET_REMOVED);
            case REPLICATION_CONTROLLER ->
                put(after, ChangeKind.REPLICATION_CONTROLLER_PUT, ChangeKind.REPLICATION_CONTROLLER_REMOVED);
        };
    }

    private static Optional<LabelSelector> selectorOf(Optional<KubernetesObject> owner) {
        return owner.map(object -> ((WorkloadOwner) object).selector());
    }

    private static Set<ChangeKind> put(Optional<KubernetesObject> after, ChangeKind ifThere, ChangeKind ifGone) {
        return EnumSet.of(after.isPresent() ? ifThere : ifGone);
    }

    private static Set<ChangeKind> none() {
        return EnumSet.noneOf(ChangeKind.class);
    }
}
