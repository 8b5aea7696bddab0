package io.evenkeel.engine;

import io.evenkeel.engine.PermitWait.Verdict;
import io.evenkeel.framework.WaitingPod;
import io.evenkeel.framework.WaitingPods;
import io.evenkeel.framework.run.Permission;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The pods that wait for permits, by UID and by when the first plugin's time is up, and what plugins have said of them
 * that is still to be heeded. Only that last may come from any thread.
 *
 * <p>To begin and to end a wait takes O(log n).
 */
final class PermitWaits implements WaitingPods {
    private final Map<String, PermitWait> byUid = new LinkedHashMap<>();
    private final NavigableSet<PermitWait> byEnd =
            new TreeSet<>(Comparator.comparingLong(PermitWait::end).thenComparingLong(PermitWait::number));
    private final Queue<Verdict> verdicts = new ConcurrentLinkedQueue<>();
    private long begun;

    void begin(PodBinding binding, List<Permission.Delay> delays, long now) {
        PermitWait wait = new PermitWait(binding, delays, now, begun++, verdicts::add);
        byUid.put(binding.pod().meta().uid(), wait);
        byEnd.add(wait);
    }

    /** The pod waits no longer, if it did. */
    Optional<PermitWait> end(String uid) {
        Optional<PermitWait> ended = Optional.ofNullable(byUid.remove(uid));
        ended.ifPresent(byEnd::remove);
        return ended;
    }

    /** A plugin has given its permit; others are still missing. */
    void granted(PermitWait wait, String plugin) {
        byEnd.remove(wait);
        wait.granted(plugin);
        byEnd.add(wait);
    }

    boolean holds(String uid) {
        return byUid.containsKey(uid);
    }

    /** What a plugin has said of a pod that still waits, the first first. */
    Optional<Verdict> nextVerdict() {
        Verdict next = verdicts.poll();
        while (next != null && byUid.get(next.of().pod().meta().uid()) != next.of()) {
            next = verdicts.poll();
        }
        return Optional.ofNullable(next);
    }

    /** A pod whose time is up. */
    Optional<PermitWait> firstDue(long now) {
        return byEnd.isEmpty() || byEnd.first().end() > now ? Optional.empty() : Optional.of(byEnd.first());
    }

    OptionalLong nextEnd() {
        return byEnd.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(byEnd.first().end());
    }

    Collection<PodBinding> bindings() {
        return byUid.values().stream().map(PermitWait::binding).toList();
    }

    @Override
    public List<WaitingPod> all() {
        return List.copyOf(byUid.values());
    }
}
