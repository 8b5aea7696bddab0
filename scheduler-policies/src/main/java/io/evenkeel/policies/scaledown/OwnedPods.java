package io.evenkeel.policies.scaledown;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The pods on nodes by the ReplicaSet that made them, and which of these may have to be ranked again; beside them, pods without a
 * ReplicaSet that still have a cost of ours.
 *
 * <p>A pod that comes or goes, or is ready or no longer, costs a look-up of its owner. What-ifs pass through and leave no more behind
 * than owners that are ranked once for nothing.
 */
final class OwnedPods implements ClusterIndex {
    private static final String REPLICA_SET = "ReplicaSet";

    /** @param replicaSet none of pods that no ReplicaSet made */
    record Owner(String namespace, Optional<OwnerReference> replicaSet) {}

    private final ClusterView cluster;
    private final Map<Owner, Set<String>> pods = new HashMap<>();
    private final LinkedHashSet<Owner> changed = new LinkedHashSet<>();

    OwnedPods(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** The keys of an owner's pods. */
    Set<String> of(Owner owner) {
        return pods.getOrDefault(owner, Set.of());
    }

    /** Marks the owner to be ranked again. */
    void changed(Owner owner) {
        changed.add(owner);
    }

    /** Takes an owner to be ranked again, if there is one; it comes up again only after another change. */
    Optional<Owner> nextChanged() {
        return changed.isEmpty() ? Optional.empty() : Optional.of(changed.removeFirst());
    }

    boolean isAnyChanged() {
        return !changed.isEmpty();
    }

    private static Optional<Owner> ownerOf(Pod pod) {
        Optional<OwnerReference> replicaSet = pod.meta()
                .controller()
                .filter(owner ->
                        owner.kind().equals(REPLICA_SET) && owner.apiVersion().startsWith("apps/"));
        return replicaSet.isPresent() || Mark.isLeftOn(pod)
                ? Optional.of(new Owner(pod.namespace(), replicaSet))
                : Optional.empty();
    }

    @Override
    public void podPlaced(int row) {
        add(cluster.pods().pod(row));
    }

    @Override
    public void podRemoved(int row) {
        remove(cluster.pods().pod(row));
    }

    @Override
    public void podReplaced(int row, Pod before) {
        Pod after = cluster.pods().pod(row);
        if (!ownerOf(before).equals(ownerOf(after))) {
            remove(before);
            add(after);
        } else if (before.status().ready() != after.status().ready()
                || !before.meta().annotations().equals(after.meta().annotations())
                || !before.meta().uid().equals(after.meta().uid())) {
            ownerOf(after).ifPresent(changed::add);
        }
    }

    private void add(Pod pod) {
        ownerOf(pod).ifPresent(owner -> {
            pods.computeIfAbsent(owner, _ -> new TreeSet<>()).add(pod.key());
            changed.add(owner);
        });
    }

    private void remove(Pod pod) {
        ownerOf(pod).ifPresent(owner -> {
            pods.computeIfPresent(owner, (_, its) -> {
                its.remove(pod.key());
                return its.isEmpty() ? null : its;
            });
            changed.add(owner);
        });
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        if (!before.map(Node::labels).equals(after.map(Node::labels))) {
            PodTable table = cluster.pods();
            for (int row = table.firstOnNode(node); row != PodTable.NONE; row = table.nextOnNode(row)) {
                ownerOf(table.pod(row)).ifPresent(changed::add);
            }
        }
    }

    /** A policy may be about pods of other namespaces, or have been. */
    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        KubernetesObject object = after.or(() -> before).orElseThrow();
        if (object instanceof PolicyObject) {
            if (!before.map(OwnedPods::spec).equals(after.map(OwnedPods::spec))) {
                changed.addAll(pods.keySet());
            }
        } else if (object instanceof Namespace) {
            if (!before.map(OwnedPods::labels).equals(after.map(OwnedPods::labels))) {
                pods.keySet().stream()
                        .filter(owner -> owner.namespace().equals(object.meta().name()))
                        .forEach(changed::add);
            }
        }
    }

    private static Object spec(KubernetesObject object) {
        return object instanceof PolicyObject policy ? policy.spec() : object;
    }

    private static Labels labels(KubernetesObject object) {
        return object.meta().labels();
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Map<Owner, Set<String>> recounted = new HashMap<>();
        facts.podsByNode(pod -> {
            ownerOf(pod)
                    .ifPresent(owner -> recounted
                            .computeIfAbsent(owner, _ -> new TreeSet<>())
                            .add(pod.key()));
            return false;
        });
        differences.compare(() -> "pods of ReplicaSets", pods, recounted);
    }
}
