package io.evenkeel.engine.group;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.run.GroupRunner;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The pods of groups, as far as they are known: those of the queue, and those that count on nodes. A pod that is being bound is
 * both, and counts once. Where no profile places groups, nothing is counted.
 */
public final class KnownMembers implements GroupMembers {
    private final WaitingMembers waiting;
    private final PodTable pods;
    private Optional<PlacedMembers> counted = Optional.empty();

    public KnownMembers(WaitingMembers waiting, PodTable pods) {
        this.waiting = waiting;
        this.pods = pods;
    }

    /**
     * From now on pods in place are counted.
     *
     * @param runners of all profiles
     */
    public void count(ClusterView cluster, List<GroupRunner> runners) {
        counted = Optional.of(PlacedMembers.of(cluster, runners));
    }

    @Override
    public int known(GroupKey group) {
        int placed = placed(group);
        if (placed == 0) {
            return waiting.of(group).size();
        }
        int alsoWaiting = 0;
        for (Pod pod : waiting.of(group)) {
            alsoWaiting += pods.find(pod.key()) < 0 ? 1 : 0;
        }
        return placed + alsoWaiting;
    }

    @Override
    public Optional<GroupKey> groupOf(Pod pod) {
        return counted.flatMap(members -> members.groupOf(pod));
    }

    private Set<Integer> rowsOf(GroupKey group) {
        return counted.map(members -> members.rowsOf(group)).orElse(Set.of());
    }

    /** How many count on nodes. */
    public int placed(GroupKey group) {
        return rowsOf(group).size();
    }

    /** How many of these are known to be bound, and not only on their way; goes through all of the group. */
    public int bound(GroupKey group) {
        int bound = 0;
        for (int row : rowsOf(group)) {
            bound += pods.isAssumed(row) ? 0 : 1;
        }
        return bound;
    }

    /** Returns a member that counts on a node. */
    public Optional<Pod> somePlaced(GroupKey group) {
        return rowsOf(group).stream().findFirst().map(pods::pod);
    }

    /** Where one of them is. */
    public Optional<Integer> someNode(GroupKey group) {
        return rowsOf(group).stream().findFirst().map(pods::node);
    }

    /** Returns the groups that are called after such an object and have a pod that counts on its node. */
    public List<GroupKey> calledAfter(ObjectMeta object) {
        return counted.map(members -> members.calledAfter(object)).orElse(List.of());
    }

    /** Returns the members that wait or are on their way to their nodes, in the order in which they came. */
    public Collection<Pod> waiting(GroupKey group) {
        return waiting.of(group);
    }

    public boolean isAnyWaiting(GroupKey group) {
        return !waiting.of(group).isEmpty();
    }

    /** The pods in place by their groups, however they were placed. A pod placed or removed takes one step. */
    private static final class PlacedMembers implements ClusterIndex {
        private final PodTable pods;
        private final List<GroupRunner> runners;
        /** By the objects that the groups are called after. */
        private final Map<Called, Map<GroupKey, Set<Integer>>> rows = new ShrinkingMap<>();

        private record Called(String namespace, String name) {
            static Called of(GroupKey group) {
                return new Called(group.namespace(), group.name());
            }
        }

        private PlacedMembers(PodTable pods, List<GroupRunner> runners) {
            this.pods = pods;
            this.runners = runners;
        }

        /** @param runners of all profiles: a pod in place counts for its group whichever scheduler it asks for */
        static PlacedMembers of(ClusterView cluster, List<GroupRunner> runners) {
            return cluster.index(PlacedMembers.class, view -> new PlacedMembers(view.pods(), runners));
        }

        private Optional<GroupKey> groupOf(Pod pod) {
            for (GroupRunner runner : runners) {
                Optional<GroupKey> group = runner.groupOf(pod);
                if (group.isPresent()) {
                    return group;
                }
            }
            return Optional.empty();
        }

        private Set<Integer> rowsOf(GroupKey group) {
            return rows.getOrDefault(Called.of(group), Map.of()).getOrDefault(group, Set.of());
        }

        List<GroupKey> calledAfter(ObjectMeta object) {
            return List.copyOf(rows.getOrDefault(new Called(object.namespace(), object.name()), Map.of())
                    .keySet());
        }

        @Override
        public void podPlaced(int row) {
            groupOf(pods.pod(row))
                    .ifPresent(group -> rows.computeIfAbsent(Called.of(group), _ -> new HashMap<>(1))
                            .computeIfAbsent(group, _ -> new LinkedHashSet<>())
                            .add(row));
        }

        @Override
        public void podRemoved(int row) {
            remove(row, pods.pod(row));
        }

        @Override
        public void podReplaced(int row, Pod before) {
            if (!groupOf(before).equals(groupOf(pods.pod(row)))) {
                remove(row, before);
                podPlaced(row);
            }
        }

        private void remove(int row, Pod pod) {
            groupOf(pod)
                    .ifPresent(group -> rows.computeIfPresent(Called.of(group), (_, groups) -> {
                        groups.computeIfPresent(group, (_, members) -> {
                            members.remove(row);
                            return members.isEmpty() ? null : members;
                        });
                        return groups.isEmpty() ? null : groups;
                    }));
        }

        private void forEach(BiConsumer<GroupKey, Set<Integer>> group) {
            rows.values().forEach(groups -> groups.forEach(group));
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            Map<GroupKey, Integer> there = new HashMap<>();
            facts.pods()
                    .forEach(placed -> groupOf(placed.pod()).ifPresent(group -> there.merge(group, 1, Integer::sum)));
            Map<GroupKey, Integer> kept = new HashMap<>();
            forEach((group, members) -> kept.put(group, members.size()));
            differences.compare(() -> "pods in place by group", kept, there);
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            SortedMap<String, Integer> counts = new TreeMap<>();
            forEach((group, members) -> counts.put(group + " " + group.identity(), members.size()));
            counts.forEach((group, count) -> line.accept("members of " + group + " " + count));
        }
    }
}
