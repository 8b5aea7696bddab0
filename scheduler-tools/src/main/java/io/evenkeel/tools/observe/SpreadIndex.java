package io.evenkeel.tools.observe;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.tools.why.Workload;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All pods that a controller made, as {@link Replicas}, and which of their constraints may have another skew than was read last.
 *
 * <p>A pod that comes or goes costs one look-up of its replicas, and a step for each constraint that counts it; a node with
 * changed labels or taints, one flag. Nothing is counted here and nothing read: that is {@link Reader}'s, when it has time.
 * What-ifs pass through, and leave no more behind than constraints that are read once for nothing.
 */
final class SpreadIndex implements ClusterIndex {
    private final ClusterView cluster;
    private final Map<Replicas.Key, Replicas> all = new LinkedHashMap<>();
    private final Changes changes = new Changes();

    /** To be registered with the cluster by {@link ClusterView#index}. */
    SpreadIndex(ClusterView cluster) {
        this.cluster = cluster;
    }

    Collection<Replicas> replicas() {
        return all.values();
    }

    Changes changes() {
        return changes;
    }

    void forget(Replicas gone) {
        all.remove(gone.key());
    }

    /** How many there are to be: as the controller says, or as there are where it does not. */
    int wanted(Replicas replicas) {
        return owner(replicas.key().namespace(), replicas.key().controller())
                .map(WorkloadOwner::replicas)
                .orElse(replicas.size());
    }

    /** A pod waits for a node, of any scheduler. */
    void addWaiting(Pod pod) {
        cluster.read(pod, info -> of(info)).ifPresent(replicas -> {
            replicas.waiting++;
            changes.unsettle(replicas);
        });
    }

    void removeWaiting(Pod pod) {
        cluster.read(pod, info -> of(info)).ifPresent(replicas -> {
            replicas.waiting--;
            changes.unsettle(replicas);
        });
    }

    /** Those of a pod in place. */
    Optional<Replicas> of(int row) {
        return of(cluster.pods().pod(row), cluster.pods().shape(row).value());
    }

    private Optional<Replicas> of(PodInfo info) {
        return of(info.pod(), info.shape());
    }

    private Optional<Replicas> of(Pod pod, PodShape shape) {
        Optional<OwnerReference> controller = pod.meta().controller();
        if (controller.isEmpty() || !areSpread(controller.get())) {
            return Optional.empty();
        }
        Replicas.Key key = new Replicas.Key(
                pod.spec().schedulerName(),
                pod.namespace(),
                controller.get(),
                shape.spread().value(),
                shape.nodeRequirement().value(),
                shape.tolerations().value());
        Replicas known = all.get(key);
        if (known == null) {
            known = new Replicas(key, Workload.of(pod, cluster), pod);
            all.put(key, known);
        }
        return Optional.of(known);
    }

    @Override
    public void podPlaced(int row) {
        count(cluster.pods().pod(row), row, 1);
        groupsChanged(row);
    }

    @Override
    public void podRemoved(int row) {
        count(cluster.pods().pod(row), row, -1);
        groupsChanged(row);
    }

    @Override
    public void podReplaced(int row, Pod before) {
        Pod after = cluster.pods().pod(row);
        if (!before.meta().controller().equals(after.meta().controller())) {
            count(before, row, -1);
            count(after, row, 1);
        }
    }

    private void count(Pod pod, int row, int delta) {
        of(pod, cluster.pods().shape(row).value()).ifPresent(replicas -> {
            replicas.placed += delta;
            if (replicas.size() == Math.max(delta, 0)) {
                changes.unsettle(replicas);
            }
        });
    }

    private void groupsChanged(int row) {
        List<SelectorGroup> groups = cluster.selectors().groupsOf(row);
        for (int i = 0; i < groups.size(); i++) {
            changes.changed(groups.get(i));
        }
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        boolean countsAlike = before.isPresent()
                && after.isPresent()
                && before.get().labels().equals(after.get().labels())
                && before.get().taints().equals(after.get().taints());
        if (!countsAlike) {
            changes.allChanged();
        }
    }

    /** By Services and controllers default constraints choose whom to count. */
    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        KubernetesObject object = after.or(() -> before).orElseThrow();
        boolean selects = object instanceof Service || object instanceof WorkloadOwner;
        if (selects && !before.map(SpreadIndex::selection).equals(after.map(SpreadIndex::selection))) {
            changes.peersChanged(object.meta().namespace());
        }
    }

    private static Object selection(KubernetesObject object) {
        return switch (object) {
            case Service service -> service.selector();
            case WorkloadOwner owner -> owner.selector();
            default -> object;
        };
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Map<OwnerReference, Integer> recounted = new HashMap<>();
        facts.podsByNode(pod -> {
            pod.meta()
                    .controller()
                    .filter(SpreadIndex::areSpread)
                    .ifPresent(controller -> recounted.merge(controller, 1, Integer::sum));
            return false;
        });
        Map<OwnerReference, Integer> kept = new HashMap<>();
        all.values().stream()
                .filter(replicas -> replicas.placed != 0)
                .forEach(replicas -> kept.merge(replicas.key().controller(), replicas.placed, Integer::sum));
        differences.compare(() -> "pods in place by controller", kept, recounted);
    }

    /** Whether the pods of this controller are spread over nodes by a scheduler. */
    private static boolean areSpread(OwnerReference controller) {
        return !controller.keepsPodsOnNodes();
    }

    /** The controller itself, of the kinds that are watched. */
    private Optional<WorkloadOwner> owner(String namespace, OwnerReference controller) {
        for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
            if (kind.isReferredToBy(controller)) {
                return cluster.objects()
                        .find(kind.kindName(), namespace + "/" + controller.name())
                        .map(WorkloadOwner.class::cast);
            }
        }
        return Optional.empty();
    }

    /** The changes since the last look: notes that cost a step each, made while events are taken in. */
    static final class Changes {
        private final Map<SelectorGroup, List<WatchedConstraint>> byGroup = new HashMap<>();
        private final ArrayDeque<WatchedConstraint> toRead = new ArrayDeque<>();
        private final Set<Replicas> unsettled = new LinkedHashSet<>();
        private final Set<String> namespacesOfPeers = new HashSet<>();
        private boolean all;

        /** These have come or gone, or may have other constraints. */
        void unsettle(Replicas replicas) {
            unsettled.add(replicas);
        }

        void changed(SelectorGroup group) {
            List<WatchedConstraint> watched = byGroup.get(group);
            if (watched != null) {
                for (int i = 0; i < watched.size(); i++) {
                    queue(watched.get(i));
                }
            }
        }

        void allChanged() {
            all = true;
        }

        /** Pods of this namespace may be spread from others by default. */
        void peersChanged(String namespace) {
            namespacesOfPeers.add(namespace);
        }

        void watch(WatchedConstraint constraint) {
            byGroup.computeIfAbsent(constraint.group(), _ -> new ArrayList<>()).add(constraint);
            queue(constraint);
        }

        void unwatch(WatchedConstraint constraint) {
            constraint.isGone = true;
            byGroup.computeIfPresent(constraint.group(), (_, watched) -> {
                watched.remove(constraint);
                return watched.isEmpty() ? null : watched;
            });
        }

        private void queue(WatchedConstraint constraint) {
            if (!constraint.isQueued) {
                constraint.isQueued = true;
                toRead.add(constraint);
            }
        }

        boolean isEmpty() {
            return toRead.isEmpty() && unsettled.isEmpty() && namespacesOfPeers.isEmpty() && !all;
        }

        /** Spells out what was noted for all at once: a look at each of the replicas, where there was such a note. */
        void spellOut(Iterable<Replicas> replicas) {
            if (!namespacesOfPeers.isEmpty()) {
                replicas.forEach(one -> {
                    if (one.key().rules().constraints().isEmpty()
                            && namespacesOfPeers.contains(one.key().namespace())) {
                        unsettled.add(one);
                    }
                });
                namespacesOfPeers.clear();
            }
            if (all) {
                byGroup.values().forEach(watched -> watched.forEach(this::queue));
                all = false;
            }
        }

        List<Replicas> takeUnsettled(int most) {
            List<Replicas> taken = unsettled.stream().limit(most).toList();
            taken.forEach(unsettled::remove);
            return taken;
        }

        List<WatchedConstraint> takeToRead(long steps) {
            List<WatchedConstraint> taken = new ArrayList<>();
            long left = steps;
            while (left > 0 && !toRead.isEmpty()) {
                WatchedConstraint next = toRead.poll();
                next.isQueued = false;
                if (!next.isGone) {
                    taken.add(next);
                    left -= 1 + next.counter().topology().end();
                }
            }
            return taken;
        }
    }
}
