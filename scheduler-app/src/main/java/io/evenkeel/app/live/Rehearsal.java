package io.evenkeel.app.live;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * A dry run beside another scheduler: says the verdict on each pod, and when the other has placed the pod, what it made
 * of it. The other's node is judged on the cluster that it saw: without the pods that only the dry run has placed.
 *
 * <p>On the engine's thread, {@link #tell} aside. Keeps a verdict for each pod that has no node yet.
 */
final class Rehearsal implements LoopObserver {
    private static final Logger log = LoggerFactory.getLogger(Rehearsal.class);
    private static final long BETWEEN_SUMMARIES = TimeUnit.MINUTES.toNanos(1);

    private sealed interface Verdict {
        /** As it was decided on. */
        Pod pod();

        record Placed(Pod pod, String node) implements Verdict {}

        record Waits(Pod pod, String message) implements Verdict {}
    }

    private final LongSupplier clock;
    private final Agreement agreement = new Agreement();
    private final Map<String, Verdict> verdicts = new HashMap<>();
    private final Set<String> leftWaiting = new HashSet<>();
    private long told;

    Rehearsal(LongSupplier clock) {
        this.clock = clock;
        told = clock.getAsLong();
    }

    void decided(Command.AtServer command) {
        switch (command) {
            case Command.Bind(var pod, var node, var _) ->
                verdicts.put(pod.meta().uid(), new Verdict.Placed(pod, node));
            case Command.RecordEvent(var pod, var event)
            when event.type() == ObjectEvent.Type.WARNING && !pod.meta().terminating() -> waits(pod, event.note());
            case Command.RecordEvent _,
                    Command.RecordGroupEvent _,
                    Command.PatchStatus _,
                    Command.PatchGroup _,
                    Command.Lookup _,
                    Command.Evict _,
                    Command.WriteObject _ -> {}
        }
    }

    private void waits(Pod pod, String message) {
        Verdict now = new Verdict.Waits(pod, message);
        Optional<Verdict> before = Optional.ofNullable(verdicts.put(pod.meta().uid(), now));
        boolean repeated =
                before.isPresent() && before.get() instanceof Verdict.Waits(var _, var last) && last.equals(message);
        if (!repeated) {
            log.atInfo()
                    .setMessage("Would leave waiting")
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("message", message)
                    .log();
        }
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put(Pod pod) when pod.isPlaced() -> sawPlaced(scheduler, pod);
            case ClusterEvent.Put(Pod pod) -> sawWaiting(pod);
            case ClusterEvent.Removed(Pod pod) -> forget(pod.meta().uid());
            default -> {}
        }
    }

    private void sawPlaced(Scheduler scheduler, Pod pod) {
        Optional<Verdict> verdict = forget(pod.meta().uid());
        if (verdict.isPresent()) {
            compare(scheduler, verdict.get(), pod.spec().nodeName());
        } else if (scheduler.queue().find(pod.key()).isPresent()) {
            agreement.count(Agreement.Kind.UNDECIDED);
        }
    }

    private Optional<Verdict> forget(String uid) {
        leftWaiting.remove(uid);
        return Optional.ofNullable(verdicts.remove(uid));
    }

    private void compare(Scheduler scheduler, Verdict ours, String theirs) {
        if (ours instanceof Verdict.Placed(var pod, var node) && node.equals(theirs)) {
            agreement.count(Agreement.Kind.SAME_NODE);
            log.atInfo()
                    .setMessage("Another scheduler chose the same node")
                    .addKeyValue("pod", pod.key())
                    .addKeyValue("node", theirs)
                    .log();
            return;
        }
        Assessment assessment = assess(scheduler, ours.pod(), theirs);
        agreement.count(kindOf(assessment));
        switch (ours) {
            case Verdict.Placed(var pod, var node) ->
                tell(log.atInfo().setMessage("Another scheduler chose another node"), pod, theirs, assessment, node);
            case Verdict.Waits(var pod, var why) ->
                tell(
                        log.atInfo().setMessage("Another scheduler placed a pod that would be left waiting"),
                        pod,
                        theirs,
                        assessment,
                        why);
        }
    }

    private static void tell(LoggingEventBuilder line, Pod pod, String node, Assessment there, String instead) {
        line.addKeyValue("pod", pod.key())
                .addKeyValue("node", node)
                .addKeyValue("there", inWords(there))
                .addKeyValue("instead", instead)
                .log();
    }

    /** The verdicts left are on pods that no other has placed; the pod itself may be counted where we would have it. */
    private Assessment assess(Scheduler scheduler, Pod pod, String node) {
        List<Pod> without = new ArrayList<>(List.of(pod));
        verdicts.values().stream()
                .filter(Verdict.Placed.class::isInstance)
                .map(Verdict::pod)
                .forEach(without::add);
        try {
            return scheduler.engine().assess(pod, node, without);
        } catch (RuntimeException fault) {
            return new Assessment.Rejected("a plugin failed: " + fault.getMessage());
        }
    }

    private static Agreement.Kind kindOf(Assessment assessment) {
        return switch (assessment) {
            case Assessment.Fits fits -> fits.isBest() ? Agreement.Kind.AS_GOOD : Agreement.Kind.LOWER_SCORE;
            case Assessment.Rejected _ -> Agreement.Kind.UNFIT;
        };
    }

    private static String inWords(Assessment assessment) {
        return switch (assessment) {
            case Assessment.Fits fits when fits.isBest() -> "as good as any";
            case Assessment.Fits(long score, long best) -> "fits, scores " + score + " where the best scores " + best;
            case Assessment.Rejected(var reason) -> "does not fit: " + reason;
        };
    }

    private void sawWaiting(Pod pod) {
        String uid = pod.meta().uid();
        pod.status()
                .scheduled()
                .filter(condition -> condition.status().equals("False"))
                .filter(_ -> verdicts.get(uid) instanceof Verdict.Placed)
                .filter(_ -> leftWaiting.add(uid))
                .ifPresent(condition -> {
                    agreement.count(Agreement.Kind.LEFT_WAITING);
                    log.atInfo()
                            .setMessage("Another scheduler leaves a pod waiting that would be placed")
                            .addKeyValue("pod", pod.key())
                            .addKeyValue("message", condition.message())
                            .log();
                });
    }

    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {
        if (clock.getAsLong() - told >= BETWEEN_SUMMARIES) {
            told = clock.getAsLong();
            agreement.tell();
            forgetThoseThatAreGone(scheduler);
        }
    }

    @Override
    public long nanosUntilNext(Scheduler scheduler) {
        return Math.max(1, told + BETWEEN_SUMMARIES - clock.getAsLong());
    }

    /** A relist does not report deletions one by one, so verdicts on deleted pods are looked for. */
    private void forgetThoseThatAreGone(Scheduler scheduler) {
        verdicts.values().removeIf(verdict -> {
            String pod = verdict.pod().key();
            return !scheduler.queue().find(pod).isPresent()
                    && scheduler.cluster().pods().find(pod) < 0;
        });
        leftWaiting.retainAll(verdicts.keySet());
    }

    /** Says how far the two agreed, if that has not been said already. */
    void tell() {
        agreement.tell();
    }

    /** Counts of how often a dry run and the scheduler beside it agreed. Counted by the engine's thread, logged by any. */
    static final class Agreement {
        private static final Logger log = LoggerFactory.getLogger(Agreement.class);

        /** A pod's placement by the other scheduler, as judged by this one. */
        enum Kind {
            SAME_NODE("sameNode"),
            AS_GOOD("asGood"),
            /** It chose a node where the pod fits, and scores less than on the best. */
            LOWER_SCORE("lowerScore"),
            /** It chose a node where the pod does not fit by our rules. */
            UNFIT("unfit"),
            /** It left a pod waiting that we would have placed. */
            LEFT_WAITING("leftWaiting"),
            /** It placed a pod before it was our turn to decide. */
            UNDECIDED("undecided");

            private final String key;

            Kind(String key) {
                this.key = key;
            }
        }

        private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
        private boolean news;

        synchronized void count(Kind kind) {
            counts.merge(kind, 1, Integer::sum);
            news = true;
        }

        /** Logs the counts, if they have changed since they were logged last. */
        synchronized void tell() {
            if (!news) {
                return;
            }
            news = false;
            LoggingEventBuilder line = log.atInfo().setMessage("Compared with the other scheduler so far");
            for (Kind kind : Kind.values()) {
                line = line.addKeyValue(kind.key, counts.getOrDefault(kind, 0));
            }
            line.log();
        }
    }
}
