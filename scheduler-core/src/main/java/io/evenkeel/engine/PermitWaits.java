package io.evenkeel.engine;

import io.evenkeel.api.WaitingPod;
import io.evenkeel.api.WaitingPods;
import io.evenkeel.framework.run.BindingSteps.Permission;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/**
 * The pods that wait for permits, by UID and by when the first plugin's time is up, and those of which something was
 * said that is still to be heeded. The engine's thread begins and ends waits; any thread may look them up.
 *
 * <p>To begin and to end a wait takes O(log n).
 */
public final class PermitWaits implements WaitingPods {
    private final Map<String, PermitWait> byUid = new ConcurrentHashMap<>();
    private final NavigableSet<PermitWait> byEnd =
            new TreeSet<>(Comparator.comparingLong(PermitWait::end).thenComparingLong(PermitWait::number));
    private final Queue<PermitWait> changed = new ConcurrentLinkedQueue<>();
    private long begun;

    public void begin(PodBinding binding, List<Permission.Delay> delays, long now) {
        PermitWait wait = new PermitWait(binding, delays, now, begun++, changed::add);
        byEnd.add(wait);
        byUid.put(binding.pod().meta().uid(), wait);
    }

    /** The pod waits no longer, if it did. */
    public Optional<PermitWait> end(String uid) {
        Optional<PermitWait> ended = Optional.ofNullable(byUid.remove(uid));
        ended.ifPresent(wait -> {
            wait.leave();
            byEnd.remove(wait);
        });
        return ended;
    }

    /** Sorts a pod again that needs one permit less. */
    public void reorder(PermitWait wait) {
        byEnd.remove(wait);
        wait.updateEnd();
        byEnd.add(wait);
    }

    public Optional<PermitWait> waitOf(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    /** A pod that is still here and has news of a permit, the first first. */
    public Optional<PermitWait> nextChanged() {
        PermitWait next = changed.poll();
        while (next != null && byUid.get(next.pod().meta().uid()) != next) {
            next = changed.poll();
        }
        return Optional.ofNullable(next);
    }

    /** A pod with no time left. */
    public Optional<PermitWait> firstDue(long now) {
        return byEnd.isEmpty() || byEnd.first().end() > now ? Optional.empty() : Optional.of(byEnd.first());
    }

    public OptionalLong nextEnd() {
        return byEnd.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(byEnd.first().end());
    }

    public Collection<PodBinding> bindings() {
        return inOrder().map(PermitWait::binding).toList();
    }

    @Override
    public List<WaitingPod> all() {
        return inOrder().<WaitingPod>map(wait -> wait).toList();
    }

    @Override
    public Optional<WaitingPod> find(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    private Stream<PermitWait> inOrder() {
        return byUid.values().stream().sorted(Comparator.comparingLong(PermitWait::number));
    }
}
