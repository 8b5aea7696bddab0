package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.dispatch.Job.OnPod;
import io.evenkeel.model.PodCondition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The jobs on one pod, in their order. What a newer command makes pointless is gone: a newer patch of the same condition,
 * or of none, replaces a waiting one, also of its group, and a binding, which ends a pod's being unschedulable, discards it. So a pod that is
 * tried and turned down again and again has two patches waiting at most, however slow the server. A binding does not wait until what
 * the server would not take is tried again.
 */
final class PodJobs {
    private final String key;
    private final Deque<Job> waiting = new ArrayDeque<>();
    private boolean busy;
    private long readySince;

    PodJobs(String key) {
        this.key = key;
    }

    String key() {
        return key;
    }

    /** Adds the command; returns the jobs that it makes pointless. */
    List<Job> add(Command.AtServer command, long now) {
        if (command instanceof Command.Bind bind) {
            return addBinding(new Job(new OnPod(bind), now));
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

    private List<Job> addBinding(Job binding) {
        List<Job> pointless = waiting.stream()
                .filter(job -> job.work() instanceof OnPod(Command.PatchStatus patch)
                        && (isOfScheduling(patch) || (typeOf(patch).isEmpty() && job.attempts() > 0)))
                .toList();
        waiting.removeAll(pointless);
        List<Job> resting = waiting.stream().filter(job -> job.attempts() > 0).toList();
        waiting.removeAll(resting);
        waiting.addLast(binding);
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
        if (job.attempts() > 0 && waiting.stream().anyMatch(each -> each.work() instanceof OnPod(Command.Bind _))) {
            waiting.addLast(job);
        } else {
            waiting.addFirst(job);
        }
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
        Optional<Job> newer =
                waiting.stream().filter(job -> overtakes(job, patch)).findFirst();
        newer.filter(_ -> waiting.stream().noneMatch(PodJobs::nominates))
                .ifPresent(job -> job.becomes(new OnPod(merge(patch, ((OnPod) job.work()).command()))));
        return newer.isPresent();
    }

    private static boolean overtakes(Job job, Command.PatchStatus failed) {
        return switch (job.work()) {
            case OnPod(Command.PatchStatus newer) -> typeOf(newer).equals(typeOf(failed));
            case OnPod(Command.Bind _) ->
                isOfScheduling(failed) || typeOf(failed).isEmpty();
            default -> false;
        };
    }

    private static boolean nominates(Job job) {
        return job.work() instanceof OnPod(Command.PatchStatus patch)
                && patch.nominatedNodeName().isPresent();
    }

    Job next() {
        return waiting.getFirst();
    }

    void readySince(long now) {
        readySince = now;
    }

    Job takeNext(long now) {
        busy = true;
        Job job = waiting.removeFirst();
        job.startsAfter(now - readySince);
        return job;
    }

    void idle() {
        busy = false;
    }

    boolean isBusy() {
        return busy;
    }

    boolean hasNext() {
        return !waiting.isEmpty();
    }

    Iterable<Job> waiting() {
        return waiting;
    }
}
