package io.evenkeel.tools.observe;

import io.evenkeel.cluster.counting.SelectorGroup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The changes since the last look: notes that cost a step each, made while events are taken in. */
final class Changes {
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
