package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeSet;

/**
 * All jobs on pods. A pod with jobs is in exactly one place: busy, resting until its next job may be tried again, or
 * ready, by what its next job is and in the order in which pods became ready. A newer patch keeps the place of the one that
 * it replaces: a pod that is turned down again and again would never come to the front otherwise. Every operation is
 * O(log pods) at most. Not thread-safe.
 */
final class PodBacklog {
    private final Map<String, PodJobs> pods = new HashMap<>();
    private final SequencedSet<PodJobs> toPrepare = new LinkedHashSet<>();
    private final Map<CommandKind, SequencedSet<PodJobs>> toCall = new EnumMap<>(CommandKind.class);
    private final TreeSet<Resting> resting =
            new TreeSet<>(Comparator.comparingLong(Resting::until).thenComparing(rest -> rest.pod.key()));
    private final Map<PodJobs, Resting> restingPods = new HashMap<>();
    private final Map<CommandKind, Integer> waiting = new EnumMap<>(CommandKind.class);

    private record Resting(long until, PodJobs pod) {}

    PodBacklog() {
        for (CommandKind kind : CommandKind.values()) {
            toCall.put(kind, new LinkedHashSet<>());
        }
    }

    /** Adds the command; returns the jobs that it makes pointless. */
    List<Job> add(Command.AtServer command, long now) {
        PodJobs pod = pods.computeIfAbsent(new Job.OnPod(command).key(), PodJobs::new);
        Optional<Job> before = readyJob(pod);
        List<Job> pointless = pod.add(command, now);
        waiting.merge(CommandKind.of(command), 1, Integer::sum);
        pointless.forEach(job -> waiting.merge(job.kind(), -1, Integer::sum));
        if (before.isEmpty() || !before.get().waitsWith(pod.next())) {
            before.ifPresent(job -> readySet(job).remove(pod));
            withdrawFromRest(pod);
            place(pod, now);
        }
        return pointless;
    }

    /** The next job of a pod that is ready. */
    private Optional<Job> readyJob(PodJobs pod) {
        return pod.isBusy() || !pod.hasNext() || restingPods.containsKey(pod)
                ? Optional.empty()
                : Optional.of(pod.next());
    }

    /** Makes those ready that have rested. */
    void wake(long now) {
        while (!resting.isEmpty() && resting.getFirst().until() - now <= 0) {
            PodJobs pod = resting.getFirst().pod();
            withdrawFromRest(pod);
            place(pod, now);
        }
    }

    /** Nanoseconds until a pod has rested; {@link Long#MAX_VALUE} if none rests. */
    long nanosUntilRested(long now) {
        return resting.isEmpty()
                ? Long.MAX_VALUE
                : Math.max(0, resting.getFirst().until() - now);
    }

    Optional<Job> takeToPrepare(long now) {
        return take(toPrepare, now);
    }

    boolean hasToPrepare() {
        return !toPrepare.isEmpty();
    }

    boolean hasReady(CommandKind kind) {
        return !toCall(kind).isEmpty();
    }

    Optional<Job> takeReady(CommandKind kind, long now) {
        return take(toCall(kind), now);
    }

    private Optional<Job> take(SequencedSet<PodJobs> ready, long now) {
        if (ready.isEmpty()) {
            return Optional.empty();
        }
        Job job = ready.removeFirst().takeNext(now);
        waiting.merge(job.kind(), -1, Integer::sum);
        return Optional.of(job);
    }

    /** The job that was taken is done, and the pod's next one may follow. */
    void done(Job job, long now) {
        PodJobs pod = busy(job);
        pod.idle();
        place(pod, now);
    }

    /** The job that was taken has another step to go; false if newer commands have made it pointless meanwhile. */
    boolean putBack(Job job, long now) {
        PodJobs pod = busy(job);
        pod.idle();
        boolean useful = !pod.overtakes(job);
        if (useful) {
            pod.putBack(job);
            waiting.merge(job.kind(), 1, Integer::sum);
        }
        place(pod, now);
        return useful;
    }

    private PodJobs busy(Job job) {
        PodJobs pod = pods.get(job.work().key());
        if (pod == null || !pod.isBusy()) {
            throw new IllegalStateException(
                    "nothing is being done on " + job.work().key());
        }
        return pod;
    }

    int waiting(CommandKind kind) {
        return waiting.getOrDefault(kind, 0);
    }

    boolean isEmpty() {
        return pods.isEmpty();
    }

    List<Command.AtServer> waitingCommands() {
        List<Command.AtServer> commands = new ArrayList<>();
        for (PodJobs pod : pods.values()) {
            for (Job job : pod.waiting()) {
                commands.add(((Job.OnPod) job.work()).command());
            }
        }
        return commands;
    }

    private void withdrawFromRest(PodJobs pod) {
        Resting rest = restingPods.remove(pod);
        if (rest != null) {
            resting.remove(rest);
        }
    }

    private void place(PodJobs pod, long now) {
        if (pod.isBusy()) {
            return;
        }
        if (!pod.hasNext()) {
            pods.remove(pod.key());
        } else if (pod.next().notBefore() - now > 0) {
            Resting rest = new Resting(pod.next().notBefore(), pod);
            resting.add(rest);
            restingPods.put(pod, rest);
        } else {
            pod.readySince(now);
            readySet(pod.next()).add(pod);
        }
    }

    private SequencedSet<PodJobs> readySet(Job job) {
        return job.step() == Job.Step.PREPARE ? toPrepare : toCall(job.kind());
    }

    private SequencedSet<PodJobs> toCall(CommandKind kind) {
        return Objects.requireNonNull(toCall.get(kind), "every kind has its set");
    }
}
