package io.evenkeel.engine;

import io.evenkeel.config.yaml.GoDuration;
import io.evenkeel.engine.PodBinding.Stage;
import io.evenkeel.framework.Objection;
import io.evenkeel.framework.Permission;
import io.evenkeel.framework.SchedulerObserver;
import io.evenkeel.framework.Status;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The pods that count on their nodes and wait for a permit. The first plugin whose time is up turns the pod away: its
 * place is free then, and the pod sleeps until something happens that may help it.
 *
 * <p>Beginning and ending a wait take O(log n).
 */
final class PermitWaits {
    private final Map<String, PermitWait> byUid = new LinkedHashMap<>();
    private final NavigableSet<PermitWait> byEnd =
            new TreeSet<>(Comparator.comparingLong(PermitWait::end).thenComparingLong(PermitWait::number));
    private final Engine engine;
    private final AttemptOutcomes outcomes;
    private final SchedulerObserver observer;
    private final LongSupplier clock;
    private long begun;

    /** @param shortest the plugin that waits least */
    private record PermitWait(PodBinding binding, Permission.Delay shortest, long since, long number) {
        long end() {
            return since + shortest.limit().toNanos();
        }
    }

    PermitWaits(Engine engine, AttemptOutcomes outcomes, SchedulerObserver observer, LongSupplier clock) {
        this.engine = engine;
        this.outcomes = outcomes;
        this.observer = observer;
        this.clock = clock;
    }

    void begin(PodBinding binding, List<Permission.Delay> delays) {
        Permission.Delay shortest = delays.stream()
                .min(Comparator.comparing(Permission.Delay::limit))
                .orElseThrow();
        binding.enter(Stage.PERMIT, Long.MAX_VALUE);
        PermitWait wait = new PermitWait(binding, shortest, clock.getAsLong(), begun++);
        byUid.put(binding.pod().meta().uid(), wait);
        byEnd.add(wait);
    }

    boolean holds(Pod pod) {
        return byUid.containsKey(pod.meta().uid());
    }

    Collection<PodBinding> all() {
        return byUid.values().stream().map(PermitWait::binding).toList();
    }

    /** Somebody else has bound the pod, and it is counted where they have. */
    void sawPlaced(Pod pod) {
        end(pod.meta().uid(), Status.Code.UNSCHEDULABLE).ifPresent(binding -> {
            engine.takeBack(binding.node(), binding.steps());
            outcomes.overtaken(binding);
        });
    }

    /** The pod is gone, and is counted nowhere any more. */
    void sawGone(String uid) {
        end(uid, Status.Code.UNSCHEDULABLE).ifPresent(binding -> {
            engine.takeBack(binding.node(), binding.steps());
            outcomes.vanished(binding);
        });
    }

    /** The pod is being deleted: it waits no longer, whatever the plugins think. */
    void sawTerminating(Pod pod) {
        deny(pod.meta().uid(), new Objection("", Status.unschedulable("removed")));
    }

    /** Turns away those whose time is up. */
    void tick() {
        long now = clock.getAsLong();
        while (!byEnd.isEmpty() && byEnd.first().end() <= now) {
            PermitWait late = byEnd.first();
            Permission.Delay delay = late.shortest();
            String message = "rejected due to timeout after waiting " + GoDuration.format(delay.limit()) + " at plugin "
                    + delay.plugin();
            deny(late.binding().pod().meta().uid(), new Objection(delay.plugin(), Status.unschedulable(message)));
        }
    }

    OptionalLong nextDeadline() {
        return byEnd.isEmpty()
                ? OptionalLong.empty()
                : OptionalLong.of(byEnd.first().end());
    }

    private void deny(String uid, Objection objection) {
        end(uid, objection.status().code()).ifPresent(binding -> {
            engine.forget(binding.pod(), binding.node(), binding.steps());
            outcomes.denied(binding, objection);
        });
    }

    private Optional<PodBinding> end(String uid, Status.Code result) {
        PermitWait wait = byUid.remove(uid);
        if (wait == null) {
            return Optional.empty();
        }
        byEnd.remove(wait);
        observer.waitedOnPermit(result, clock.getAsLong() - wait.since());
        return Optional.of(wait.binding());
    }
}
