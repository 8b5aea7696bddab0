package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.world.plugin.WhimsicalPlugin;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * That a pod which is turned away late does not sleep through what came while it waited for its permit: {@link
 * WhimsicalPlugin} wants to look at its pods again when a node comes, or the labels of one change, or the pod's own.
 */
final class MissedChanges {
    private final String replica;
    private final Map<String, Waiting> waiting = new HashMap<>();

    MissedChanges(String replica) {
        this.replica = replica;
    }

    /** A pod that waits for its permit, in which attempt, and whether something has come for it. */
    private static final class Waiting {
        private final int attempt;
        private boolean sawChange;

        private Waiting(int attempt) {
            this.attempt = attempt;
        }
    }

    /** The engine takes this in next, which has been told so much before. */
    void take(SchedulerEvent event, Told before) {
        if (!(event instanceof ClusterEvent.Put put)) {
            return;
        }
        switch (put.object()) {
            case Node node -> {
                Optional<Node> known = before.node(node.name());
                if (known.isEmpty() || !known.get().labels().equals(node.labels())) {
                    waiting.values().forEach(each -> each.sawChange = true);
                }
            }
            case Pod pod ->
                before.pod(pod.meta().uid())
                        .filter(known -> !known.labels().equals(pod.labels()) && !pod.isPlaced())
                        .map(_ -> waiting.get(pod.meta().uid()))
                        .ifPresent(each -> each.sawChange = true);
            default -> {}
        }
    }

    /** After a turn: who waits now, and who does no longer. */
    void check(Told told, Collection<OnItsWay> onTheirWay, List<QueueEntryView> queue) {
        Map<String, QueueEntryView> byUid = new HashMap<>();
        queue.forEach(entry ->
                told.podOfKey(entry.key()).ifPresent(pod -> byUid.put(pod.meta().uid(), entry)));
        for (OnItsWay each : onTheirWay) {
            String uid = each.pod().meta().uid();
            if (each.waitingFor().equals("PERMIT") && byUid.containsKey(uid)) {
                waiting.computeIfAbsent(uid, _ -> new Waiting(byUid.get(uid).attempts()));
            } else {
                waiting.remove(uid);
            }
        }
        waiting.entrySet().removeIf(each -> {
            boolean waitsOn = onTheirWay.stream()
                    .anyMatch(other -> other.pod().meta().uid().equals(each.getKey()));
            if (!waitsOn && each.getValue().sawChange && byUid.containsKey(each.getKey())) {
                mustBeAwake(each.getValue(), byUid.get(each.getKey()));
            }
            return !waitsOn;
        });
    }

    private void mustBeAwake(Waiting waited, QueueEntryView entry) {
        boolean sleeps = entry.state() == QueueState.UNSCHEDULABLE && entry.attempts() == waited.attempt;
        if (sleeps && entry.rejectedBy().contains(WhimsicalPlugin.NAME)) {
            throw new Violation(replica + " lets " + entry.key() + " sleep through a change that came while it waited");
        }
    }
}
