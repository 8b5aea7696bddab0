package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A random stream of events, the same for the same seed. */
final class RandomEvents {
    private static final int SLOTS = 24;

    private final Pick pick;
    private final RandomSelectors selectors;
    private final RandomObjects objects;
    private final boolean isLarge;
    private final List<SelectorGroup.Key> groups;
    private final List<ClusterEvent.AcquireCounter> counters;

    /** Every fifth seed has more nodes than a topology has node sets for. */
    RandomEvents(long seed) {
        pick = new Pick(new SplittableRandom(seed));
        selectors = new RandomSelectors(pick);
        isLarge = seed % 5 == 0;
        objects = new RandomObjects(pick, selectors, isLarge ? 150 : 8, isLarge ? 60 : 10);
        groups = pick.exactly(12, selectors::group);
        counters = pick.exactly(12, this::acquireCounter);
    }

    /** Of a large cluster fewer, since a recount of it takes longer. */
    List<ClusterEvent> take(int count) {
        List<ClusterEvent> events = new ArrayList<>();
        if (isLarge) {
            events.add(new ClusterEvent.Burst(pick.exactly(300, () -> new ClusterEvent.Put(objects.node()))));
            events.add(new ClusterEvent.Burst(pick.exactly(300, () -> new ClusterEvent.Put(objects.pod()))));
        }
        for (int i = 0; i < (isLarge ? count / 4 : count); i++) {
            events.add(next(0));
        }
        return events;
    }

    private ClusterEvent next(int depth) {
        return switch (pick.below(depth < 3 ? 45 : 42)) {
            case 0, 1, 2 -> new ClusterEvent.Put(objects.node());
            case 3, 4, 5 -> new ClusterEvent.Change(pick.of(ClusterEvent.Change.Respect.values()), objects.node());
            case 6, 7 -> new ClusterEvent.Remove(objects.node());
            case 8, 9, 10, 11, 12, 13, 14, 15 -> new ClusterEvent.Put(objects.pod());
            case 16, 17, 18 -> new ClusterEvent.Remove(objects.pod());
            case 19, 20, 21, 22 -> new ClusterEvent.Assume(objects.pendingPod(), objects.nodeName());
            case 23, 24 ->
                new ClusterEvent.Confirm(
                        selectors.namespace() + "/" + objects.podName(), !pick.oneIn(3), objects.nodeName());
            case 25, 26 -> new ClusterEvent.Put(objects.namespace());
            case 27 -> new ClusterEvent.Remove(objects.namespace());
            case 28 ->
                pick.oneIn(2) ? new ClusterEvent.Put(objects.service()) : new ClusterEvent.Remove(objects.service());
            case 29 -> pick.oneIn(2) ? new ClusterEvent.Put(objects.owner()) : new ClusterEvent.Remove(objects.owner());
            case 30 -> new ClusterEvent.Admit(slot(), objects.pendingPod());
            case 31, 32, 33 ->
                new ClusterEvent.AcquireGroup(slot(), pick.oneIn(3) ? selectors.group() : pick.of(groups));
            case 34, 35, 36 ->
                pick.oneIn(3) ? acquireCounter() : pick.of(counters).into(slot());
            case 37 -> new ClusterEvent.AcquireTopology(slot(), selectors.topology());
            case 38 -> new ClusterEvent.Derive(slot(), pick.below(5));
            case 39 -> new ClusterEvent.Release(slot());
            case 40 -> pick.oneIn(4) ? new ClusterEvent.DropIdle() : new ClusterEvent.Release(slot());
            case 41 -> new ClusterEvent.Ask(selectors.namespace(), selectors.labels(), objects.pendingPod());
            case 42 -> new ClusterEvent.Burst(pick.exactly(2 + pick.below(20), () -> next(depth + 1)));
            default -> new ClusterEvent.Suppose(pick.exactly(1 + pick.below(6), () -> next(depth + 1)));
        };
    }

    private int slot() {
        return pick.below(SLOTS);
    }

    private ClusterEvent.AcquireCounter acquireCounter() {
        Topology.Key topology = selectors.topology();
        return new ClusterEvent.AcquireCounter(
                slot(), slot(), topology, selectors.eligibility(topology), pick.oneIn(2));
    }
}
