package io.evenkeel.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a list of events that fails as short as dropping events can make it. */
final class Shortener {
    private final Predicate<List<ClusterEvent>> fails;

    Shortener(Predicate<List<ClusterEvent>> fails) {
        this.fails = fails;
    }

    List<ClusterEvent> shorten(List<ClusterEvent> failing) {
        List<ClusterEvent> shortest = new ArrayList<>(failing);
        for (int chunk = Math.max(1, shortest.size() / 2); ; chunk = Math.max(1, chunk / 2)) {
            boolean dropped = false;
            for (int from = Math.max(0, shortest.size() - chunk); from >= 0 && !shortest.isEmpty(); ) {
                List<ClusterEvent> shorter = new ArrayList<>(shortest);
                shorter.subList(from, Math.min(from + chunk, shorter.size())).clear();
                if (fails.test(shorter)) {
                    shortest = shorter;
                    dropped = true;
                }
                from = from == 0 ? -1 : Math.max(0, from - chunk);
            }
            if (chunk == 1 && !dropped) {
                return shortenInside(shortest);
            }
        }
    }

    private List<ClusterEvent> shortenInside(List<ClusterEvent> events) {
        List<ClusterEvent> shortest = new ArrayList<>(events);
        for (int i = 0; i < shortest.size(); i++) {
            int position = i;
            switch (shortest.get(i)) {
                case ClusterEvent.Burst(var inner) ->
                    shortest.set(
                            i,
                            new ClusterEvent.Burst(new Shortener(shorter ->
                                            fails.test(with(shortest, position, new ClusterEvent.Burst(shorter))))
                                    .shorten(inner)));
                case ClusterEvent.Suppose(var inner) ->
                    shortest.set(
                            i,
                            new ClusterEvent.Suppose(new Shortener(shorter ->
                                            fails.test(with(shortest, position, new ClusterEvent.Suppose(shorter))))
                                    .shorten(inner)));
                default -> {}
            }
        }
        return shortest;
    }

    private static List<ClusterEvent> with(List<ClusterEvent> events, int position, ClusterEvent replacement) {
        List<ClusterEvent> changed = new ArrayList<>(events);
        changed.set(position, replacement);
        return changed;
    }
}
