package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.CountingRoom;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.Derivations.Derived;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.DerivedGroups;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What users of a cluster hold and will give back, by slot: what its reference counts must come to. */
final class HeldThings {
    private record HeldCounter(DomainCounter counter, SelectorGroup group) {}

    private final ClusterState cluster;
    private final Map<Integer, Object> slots = new TreeMap<>();

    HeldThings(ClusterState cluster) {
        this.cluster = cluster;
    }

    void apply(ClusterEvent event) {
        switch (event) {
            case ClusterEvent.Admit(int slot, var pod) -> hold(slot, cluster.admit(pod));
            case ClusterEvent.AcquireGroup(int slot, var key) ->
                hold(slot, cluster.view().selectors().acquire(key));
            case ClusterEvent.AcquireTopology(int slot, var key) ->
                hold(slot, cluster.view().counters().acquireTopology(key));
            case ClusterEvent.Derive(int slot, int kind) -> hold(slot, derive(kind));
            case ClusterEvent.AcquireCounter acquire -> acquireCounter(acquire);
            case ClusterEvent.Release(int slot) -> release(slot);
            default -> throw new IllegalArgumentException("nothing to hold: " + event);
        }
    }

    void releaseAll() {
        List.copyOf(slots.keySet()).forEach(this::release);
    }

    private void hold(int slot, Object held) {
        release(slot);
        slots.put(slot, held);
    }

    private Derived derive(int kind) {
        NodeTable nodes = cluster.view().nodes();
        return switch (kind) {
            case 0 ->
                cluster.view()
                        .derivations()
                        .maskOverNodes(node -> nodes.node(node).labels().has("l0"));
            case 1 ->
                cluster.view()
                        .derivations()
                        .columnOverNodes(node -> nodes.node(node).taints().size());
            case 2 ->
                cluster.view()
                        .derivations()
                        .maskOverUsage(node ->
                                nodes.requested(0, node) * 2 < nodes.allocatable(0, node) - nodes.nonZeroCpu(node));
            case 3 -> cluster.view().derivations().groupsOverUsage(node -> nodes.podCount(node) % 3);
            default ->
                cluster.view()
                        .derivations()
                        .columnOverUsage(node -> nodes.podCount(node) + (int) nodes.requested(1, node));
        };
    }

    private void acquireCounter(ClusterEvent.AcquireCounter event) {
        if (event.slot() == event.groupSlot() || !(slots.get(event.groupSlot()) instanceof SelectorGroup group)) {
            return;
        }
        DomainCounter counter = cluster.view()
                .counters()
                .acquire(group.tally(), event.topology(), event.eligibility(), event.minimumWanted());
        hold(event.slot(), new HeldCounter(counter, cluster.view().selectors().acquire(group.key())));
    }

    private void release(int slot) {
        switch (slots.remove(slot)) {
            case null -> {}
            case PodInfo pod -> cluster.dismiss(pod);
            case SelectorGroup group -> cluster.view().selectors().release(group);
            case Topology topology -> cluster.view().counters().release(topology);
            case DerivedMask mask -> cluster.view().derivations().drop(mask);
            case DerivedColumn column -> cluster.view().derivations().drop(column);
            case DerivedGroups groups -> cluster.view().derivations().drop(groups);
            case HeldCounter(DomainCounter counter, SelectorGroup group) -> {
                cluster.view().counters().release(counter);
                cluster.view().selectors().release(group);
            }
            case Object other -> throw new IllegalStateException("held " + other);
        }
    }

    /** Compares every reference count with the slots. */
    List<String> differences() {
        Map<Object, Integer> users = new HashMap<>();
        Map<Facet<PodShape>, Integer> shapes = new HashMap<>();
        for (Object held : slots.values()) {
            switch (held) {
                case HeldCounter(DomainCounter counter, SelectorGroup group) -> {
                    users.merge(counter, 1, Integer::sum);
                    users.merge(group, 1, Integer::sum);
                }
                case PodInfo pod -> shapes.merge(pod.interned(), 1, Integer::sum);
                default -> users.merge(held, 1, Integer::sum);
            }
        }
        CountingRoom.usedWithin(cluster.view()).forEach(thing -> users.merge(thing, 1, Integer::sum));
        for (int row = 0; row < cluster.view().pods().end(); row++) {
            if (!cluster.view().pods().isFree(row)) {
                shapes.merge(cluster.view().pods().shape(row), 1, Integer::sum);
            }
        }

        List<String> differences = new ArrayList<>();
        CountingRoom.shared(cluster.view())
                .forEach(shared ->
                        compare("users of " + shared.name(), shared.users(), users.get(shared.thing()), differences));
        cluster.view().shapes().shapes().all().stream()
                .filter(shape -> shape.references() > 0)
                .forEach(shape -> compare("users of shape", shape.references(), shapes.get(shape), differences));
        return differences;
    }

    private static void compare(String what, Object kept, Object expected, List<String> differences) {
        if (!kept.equals(expected)) {
            differences.add(what + ": kept " + kept + ", expected " + expected);
        }
    }
}
