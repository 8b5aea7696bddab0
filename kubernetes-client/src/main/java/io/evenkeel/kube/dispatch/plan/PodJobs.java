package io.evenkeel.kube.dispatch.plan;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.dispatch.plan.Job.OnPod;
import io.evenkeel.model.PodCondition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The jobs on one pod, in their order. What a newer command makes pointless is gone: a newer patch of the same condition,
 * or of none, replaces a waiting one, also of its group, and a binding, which ends a pod's being unschedulable, discards it. So a pod that is
 * tried and turned down again and again has two patches waiting at most, however slow the server. A binding, and what is written
 * or looked up for one, does not wait until what the server would not take is tried again.
 *
 * <p>Nor does it wait for the answer to a patch for longer than {@link #PATIENCE}: then it overtakes the patch, and other patches
 * wait for that answer. The server may carry the patch out after the binding, and so take the pod for one without a node, so
 * once both have their answers it is written that the pod is scheduled. A patch and a binding of a pod, for example:
 *
 * <pre>
 *   second   sent                        answered
 *   0        PodScheduled is False
 *   0.1                                                 the binding is there, and waits
 *   1        the binding
 *   1.1                                  the binding
 *   7                                    the patch
 *   7        PodScheduled is True
 * </pre>
 */
final class PodJobs {
    /** Far more than an answer takes where all is well. */
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(1);

    private final String key;
    private final Deque<Job> waiting = new ArrayDeque<>();
    private @Nullable Job underway;
    private @Nullable Job overtaken;
    private long startedAt;
    private @Nullable PodCondition mayUndo;
    private boolean isBound;
    private long readySince;

    PodJobs(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** Adds the command; returns the jobs that it makes pointless. */
    List<Job> add(Command.AtServer command, long now) {
        if (CommandKind.OF_BINDINGS.contains(CommandKind.of(command))) {
            return addOfBinding(new Job(new OnPod(command), now));
        }
        Optional<Job> pointless = switch (command) {
            case Command.PatchStatus patch -> takePatch(typeOf(patch));
            case Command.PatchGroup patch -> take(job -> isOfTheSame(job, patch));
            case Command.Bind _,
                    Command.WriteObject _,
                    Command.Lookup _,
                    Command.Evict _,
                    Command.RecordEvent _,
                    Command.RecordGroupEvent _ -> Optional.empty();
        };
        Command.AtServer merged = pointless
                .map(job -> merge(((OnPod) job.work()).command(), command))
                .orElse(command);
        waiting.addLast(new Job(new OnPod(merged), now));
        return pointless.stream().toList();
    }

    private List<Job> addOfBinding(Job added) {
        List<Job> pointless = added.kind() != CommandKind.BIND
                ? List.of()
                : waiting.stream()
                        .filter(job -> job.work() instanceof OnPod(Command.PatchStatus patch)
                                && (isOfScheduling(patch) || (typeOf(patch).isEmpty() && job.attempts() > 0)))
                        .toList();
        waiting.removeAll(pointless);
        List<Job> resting = waiting.stream().filter(PodJobs::letsBindingsPass).toList();
        waiting.removeAll(resting);
        waiting.addLast(added);
        waiting.addAll(resting);
        return pointless;
    }

    private static boolean isOfScheduling(Command.PatchStatus patch) {
        return typeOf(patch).filter(PodCondition.POD_SCHEDULED::equals).isPresent();
    }

    /** The condition that the patch is of; empty where it nominates only. */
    private static Optional<String> typeOf(Command.PatchStatus patch) {
        return patch.condition().map(PodCondition::type);
    }

    /** Whether the job patches the same condition of the same group. */
    private static boolean isOfTheSame(Job job, Command.PatchGroup patch) {
        return job.work() instanceof OnPod(Command.PatchGroup other)
                && other.kind().equals(patch.kind())
                && other.group().key().equals(patch.group().key())
                && other.condition().type().equals(patch.condition().type());
    }

    private Optional<Job> takePatch(Optional<String> conditionType) {
        return take(job -> job.work() instanceof OnPod(Command.PatchStatus patch)
                && typeOf(patch).equals(conditionType));
    }

    private Optional<Job> take(Predicate<Job> pointless) {
        for (Iterator<Job> jobs = waiting.iterator(); jobs.hasNext(); ) {
            Job job = jobs.next();
            if (pointless.test(job)) {
                jobs.remove();
                return Optional.of(job);
            }
        }
        return Optional.empty();
    }

    /** A patch that leaves the nomination as it is must not undo one that was still to be written. */
    private static Command.AtServer merge(Command.AtServer older, Command.AtServer newer) {
        if (older instanceof Command.PatchStatus(var _, var _, var nominated)
                && newer instanceof Command.PatchStatus(var pod, var condition, var unchanged)
                && unchanged.isEmpty()) {
            return new Command.PatchStatus(pod, condition, nominated);
        }
        return newer;
    }

    void putBack(Job job) {
        if (letsBindingsPass(job) && isBindingWaiting()) {
            waiting.addLast(job);
        } else {
            waiting.addFirst(job);
        }
    }

    private static boolean letsBindingsPass(Job job) {
        return job.attempts() > 0 && !CommandKind.OF_BINDINGS.contains(job.kind());
    }

    private boolean isBindingWaiting() {
        return waiting.stream().anyMatch(job -> CommandKind.OF_BINDINGS.contains(job.kind()));
    }

    /**
     * Whether the job that was being done is of no use any more, now that it would have to be tried again. What it was to
     * nominate, the newer patch does that has overtaken it, unless one that waits nominates anyway. A binding waits for no
     * nomination.
     */
    boolean overtakes(Job failed) {
        if (failed.work() instanceof OnPod(Command.PatchGroup patch)) {
            return waiting.stream().anyMatch(job -> isOfTheSame(job, patch));
        }
        if (!(failed.work() instanceof OnPod(Command.PatchStatus patch))) {
            return false;
        }
        if (failed == overtaken && isOfNoUseOnceBound(patch)) {
            return true;
        }
        Optional<Job> newer =
                waiting.stream().filter(job -> overtakes(job, patch)).findFirst();
        newer.filter(_ -> waiting.stream().noneMatch(PodJobs::nominates))
                .ifPresent(job -> job.becomes(new OnPod(merge(patch, ((OnPod) job.work()).command()))));
        return newer.isPresent();
    }

    private static boolean overtakes(Job job, Command.PatchStatus failed) {
        return switch (job.work()) {
            case OnPod(Command.PatchStatus newer) -> typeOf(newer).equals(typeOf(failed));
            case OnPod(Command.Bind _) -> isOfNoUseOnceBound(failed);
            default -> false;
        };
    }

    private static boolean isOfNoUseOnceBound(Command.PatchStatus patch) {
        return isOfScheduling(patch) || typeOf(patch).isEmpty();
    }

    private static boolean nominates(Job job) {
        return job.work() instanceof OnPod(Command.PatchStatus patch)
                && patch.nominatedNodeName().isPresent();
    }

    /** The next that may be done: no patch, while one is unanswered that was overtaken. */
    private Optional<Job> ready() {
        return waiting.stream()
                .filter(job -> overtaken == null || job.kind() != CommandKind.PATCH_STATUS)
                .findFirst();
    }

    Job next() {
        return ready().orElseThrow();
    }

    void readySince(long now) {
        readySince = now;
    }

    Job takeNext(long now) {
        Job job = next();
        waiting.remove(job);
        underway = job;
        startedAt = now;
        job.startsAfter(now - readySince);
        return job;
    }

    /** Until when the pod's binding waits for the answer to a patch; empty where it does not. */
    OptionalLong patientUntil() {
        return underway != null && underway.kind() == CommandKind.PATCH_STATUS && isBindingWaiting()
                ? OptionalLong.of(startedAt + PATIENCE)
                : OptionalLong.empty();
    }

    /** The patch that is underway keeps nothing waiting from now on but other patches. */
    void overtake() {
        overtaken = underway;
        underway = null;
        if (overtaken != null
                && overtaken.work() instanceof OnPod(Command.PatchStatus patch)
                && isOfScheduling(patch)) {
            mayUndo = patch.condition().orElseThrow();
        }
    }

    /**
     * The job that was underway has its answer.
     *
     * @param hasBound whether it has bound the pod
     */
    void answered(Job job, boolean hasBound) {
        if (job == overtaken) {
            overtaken = null;
        } else if (job == underway) {
            underway = null;
        } else {
            throw new IllegalStateException(job.kind() + " is not underway on " + key);
        }
        isBound |= hasBound;
    }

    /** What is to be written as the server may have carried an overtaken patch out after the binding; once. */
    Optional<PodCondition> correction() {
        if (!isBound || overtaken != null || mayUndo == null) {
            return Optional.empty();
        }
        long generation = mayUndo.observedGeneration();
        mayUndo = null;
        return Optional.of(new PodCondition(PodCondition.POD_SCHEDULED, "True", "", "", "", generation));
    }

    boolean isBusy() {
        return underway != null;
    }

    boolean hasNext() {
        return ready().isPresent();
    }

    boolean isOver() {
        return waiting.isEmpty() && underway == null && overtaken == null;
    }

    Iterable<Job> waiting() {
        return waiting;
    }
}
