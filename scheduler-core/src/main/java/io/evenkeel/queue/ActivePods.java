package io.evenkeel.queue;

import io.evenkeel.queue.EntryHeap.EntryHeaps;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The pods that may be tried now, in the order of the queue's sort. Those that extenders have a say in are kept apart, so
 * that the others can be taken while these wait for the one that is at the extenders. For example:
 *
 * <pre>
 *   pod  priority  needs extenders      first, where these are free   and where they are busy
 *   a    9         yes                  a                             c
 *   b    7         yes
 *   c    5         no
 * </pre>
 *
 * <p>Pods of gangs, whose turns may take long, are kept apart too, so that others can be taken in between. So are those of
 * namespaces that are behind ({@link FairTurns}), as far as it would have been their turn: they come after all others.
 *
 * <p>add, remove and reorder take O(log n), the first is found at once.
 */
final class ActivePods {
    private final Comparator<QueueEntry> order;
    private final FairTurns turns;
    private final Lines lines;
    private final Map<String, Lines> behind = new TreeMap<>();

    /** @param turn the order in which they are taken */
    ActivePods(Comparator<QueueEntry> turn, FairTurns turns) {
        order = turn.thenComparingLong(entry -> entry.sequence);
        this.turns = turns;
        lines = new Lines(turn);
    }

    /** @param gangsGiveWay whether pods of gangs, as far as they are known as such, come after all others */
    Optional<QueueEntry> first(boolean extendersAreFree, boolean gangsGiveWay, long now) {
        if (!behind.isEmpty()) {
            catchUp();
        }
        Optional<QueueEntry> first = lines.first(extendersAreFree, gangsGiveWay);
        while (first.isPresent() && turns.isBehind(turns.payerOf(first.get().pod()))) {
            fallBehind(first.get());
            first = lines.first(extendersAreFree, gangsGiveWay);
        }
        if (behind.isEmpty()) {
            return first;
        }
        boolean mayRest = first.isEmpty();
        Optional<QueueEntry> late = behind.entrySet().stream()
                .filter(one -> !mayRest || !turns.isResting(one.getKey()))
                .map(Map.Entry::getValue)
                .flatMap(waiting -> waiting.first(extendersAreFree, gangsGiveWay).stream())
                .min(order);
        if (first.isEmpty()) {
            return late;
        }
        late.filter(entry -> order.compare(
                                entry,
                                lines.first(extendersAreFree, gangsGiveWay).orElseThrow())
                        < 0)
                .ifPresent(entry -> turns.passedOver(entry.pod(), entry.behind.orElseThrow(), now));
        return first;
    }

    /** When pods of a namespace that is behind have rested. */
    OptionalLong nextRested() {
        return behind.entrySet().stream()
                .filter(one -> one.getValue().size() > 0 && turns.isResting(one.getKey()))
                .mapToLong(one -> turns.restsUntil(one.getKey()))
                .min();
    }

    private void fallBehind(QueueEntry entry) {
        lines.remove(entry);
        String payer = turns.payerOf(entry.pod());
        entry.behind = Optional.of(payer);
        behind.computeIfAbsent(payer, _ -> new Lines(order)).add(entry);
    }

    /** Lets those back who are no longer behind. */
    private void catchUp() {
        Iterator<Map.Entry<String, Lines>> all = behind.entrySet().iterator();
        while (all.hasNext()) {
            Map.Entry<String, Lines> one = all.next();
            if (one.getValue().size() == 0) {
                all.remove();
            } else if (!turns.isBehind(one.getKey())) {
                all.remove();
                one.getValue().drainTo(lines);
            }
        }
    }

    private Lines linesOf(QueueEntry entry) {
        return entry.behind.map(payer -> behind.getOrDefault(payer, lines)).orElse(lines);
    }

    void add(QueueEntry entry) {
        lines.add(entry);
    }

    void remove(QueueEntry entry) {
        linesOf(entry).remove(entry);
        entry.behind = Optional.empty();
    }

    /** To be called after something changed that the order depends on. */
    void reorder(QueueEntry entry) {
        linesOf(entry).reorder(entry);
    }

    int size() {
        return lines.size() + behind.values().stream().mapToInt(Lines::size).sum();
    }

    int countWithExtenders() {
        return lines.withExtenders.size()
                + behind.values().stream()
                        .mapToInt(waiting -> waiting.withExtenders.size())
                        .sum();
    }

    /** Pods that come after each other, by what may keep some of them from being taken. */
    private static final class Lines extends EntryHeaps {
        private final Comparator<QueueEntry> order;
        private final EntryHeap free;
        private final EntryHeap withExtenders;
        private final EntryHeap ofGangs;

        Lines(Comparator<QueueEntry> turn) {
            order = turn.thenComparingLong(entry -> entry.sequence);
            free = new EntryHeap(turn);
            withExtenders = new EntryHeap(turn);
            ofGangs = new EntryHeap(turn);
        }

        Optional<QueueEntry> first(boolean extendersAreFree, boolean gangsGiveWay) {
            EntryHeap first = extendersAreFree ? earlier(free, withExtenders) : free;
            if (!gangsGiveWay || first.isEmpty()) {
                first = earlier(first, ofGangs);
            }
            return first.isEmpty() ? Optional.empty() : Optional.of(first.first());
        }

        private EntryHeap earlier(EntryHeap one, EntryHeap other) {
            boolean isOther = !other.isEmpty() && (one.isEmpty() || order.compare(other.first(), one.first()) < 0);
            return isOther ? other : one;
        }

        void drainTo(Lines others) {
            for (EntryHeap heap : new EntryHeap[] {free, withExtenders, ofGangs}) {
                while (!heap.isEmpty()) {
                    QueueEntry entry = heap.first();
                    heap.remove(entry);
                    entry.behind = Optional.empty();
                    others.add(entry);
                }
            }
        }

        int size() {
            return free.size() + withExtenders.size() + ofGangs.size();
        }

        @Override
        EntryHeap heapOf(QueueEntry entry) {
            if (entry.needsExtenders) {
                return withExtenders;
            }
            return entry.isOfGang ? ofGangs : free;
        }
    }
}
