package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.api.TokenBucket;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.EventTask;
import io.evenkeel.kube.dispatch.Job.OnPod;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.dispatch.Job.Step;
import io.evenkeel.model.PodCondition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Plans what to do and when. A state machine without threads: jobs are added, taken when they may start, and settled
 * when their step has ended. Times are the dispatcher's nanoseconds. Not thread-safe.
 */
public final class DispatchPlan {
    private static final CommandKind[] KINDS = CommandKind.values();

    private final PodBacklog pods = new PodBacklog();
    private final EventBacklog events;
    private final CallBudget budget;
    private final Turns turns = new Turns();
    private final RandomGenerator random;
    private final DispatcherObserver observer;
    private final Set<Job> underway = new LinkedHashSet<>();
    private int preparing;

    public DispatchPlan(DispatcherSettings settings, RandomGenerator random, DispatcherObserver observer, long now) {
        events = new EventBacklog(settings.keptEvents());
        budget = new CallBudget(settings, now);
        this.random = random;
        this.observer = observer;
    }

    public void add(Command.AtServer command, long now) {
        pods.add(command, now).forEach(job -> observer.dropped(job.kind(), Drop.SUPERSEDED));
    }

    void add(EventTask task, long now) {
        events.add(new Job(task, now)).ifPresent(job -> observer.dropped(job.kind(), Drop.FULL));
    }

    /** Returns the job with its turn now, if one may start. */
    public Optional<Job> take(long now) {
        pods.wake(now);
        Optional<Job> job = pods.takeToPrepare(now);
        if (job.isPresent()) {
            preparing++;
        } else {
            job = takeToCall(now);
            job.ifPresent(taken -> budget.started(taken.kind(), now));
        }
        job.ifPresent(underway::add);
        return job;
    }

    private Optional<Job> takeToCall(long now) {
        EnumSet<CommandKind> able = EnumSet.noneOf(CommandKind.class);
        for (CommandKind kind : KINDS) {
            if (nanosUntil(kind, now) == 0) {
                able.add(kind);
            }
        }
        if (able.isEmpty()) {
            return Optional.empty();
        }
        CommandKind next = turns.give(able);
        return next == CommandKind.RECORD_EVENT ? events.take(now) : pods.takeReady(next, now);
    }

    /** Nanoseconds until {@link #take} may have something if nothing else happens; {@link Long#MAX_VALUE} if never. */
    public long nanosUntilNext(long now) {
        long nanos = pods.hasToPrepare() ? 0 : pods.nanosUntilRested(now);
        for (CommandKind kind : KINDS) {
            nanos = Math.min(nanos, nanosUntil(kind, now));
        }
        return nanos;
    }

    /** Nanoseconds until a call of this kind may start and there is one. */
    private long nanosUntil(CommandKind kind, long now) {
        long allowed = budget.nanosUntilAllowed(kind, now);
        if (allowed == Long.MAX_VALUE) {
            return allowed;
        }
        long ready = kind == CommandKind.RECORD_EVENT
                ? events.nanosUntilReady(now)
                : pods.hasReady(kind) ? 0 : Long.MAX_VALUE;
        return Math.max(allowed, ready);
    }

    /** The job's step has ended: room for others, though not yet on its pod. */
    public void ended(Job job) {
        if (job.step() == Step.PREPARE) {
            preparing--;
        } else {
            budget.ended(job.kind());
        }
    }

    /** Takes in the result of a step. To be called after {@link #ended}, when the results are delivered. */
    public void settle(Job job, Outcome outcome, long now) {
        underway.remove(job);
        switch (outcome) {
            case Outcome.Prepared _ -> {
                job.prepared();
                putBack(job, now);
            }
            case Outcome.TryAgain(var retryAfter, var _) -> {
                observer.retried(job.kind());
                job.tryAgain(now + Retries.delayNanos(job.attempts(), retryAfter, random));
                putBack(job, now);
            }
            case Outcome.Held _ -> {
                job.restsUntil(now + Retries.HELD.toNanos());
                putBack(job, now);
            }
            case Outcome.Dropped(Drop why, var _) -> {
                observer.dropped(job.kind(), why);
                done(job, now);
            }
            case Outcome.Folded _ -> {
                observer.folded();
                done(job, now);
            }
            case Outcome.Done _, Outcome.Bound _, Outcome.Silent _ -> done(job, now);
        }
    }

    private void putBack(Job job, long now) {
        boolean isEvent = job.kind() == CommandKind.RECORD_EVENT;
        if (!(isEvent ? events.putBack(job) : pods.putBack(job, now))) {
            observer.dropped(job.kind(), isEvent ? Drop.FULL : Drop.SUPERSEDED);
        }
    }

    private void done(Job job, long now) {
        if (job.kind() == CommandKind.RECORD_EVENT) {
            events.done(job);
        } else {
            pods.done(job, now);
        }
    }

    public boolean hasAny() {
        return !pods.isEmpty() || !events.isEmpty();
    }

    /** Whether there are bindings, what is written before them, or look-ups at what became of some. */
    public boolean hasBindings() {
        return CommandKind.OF_BINDINGS.stream().anyMatch(kind -> pods.waiting(kind) > 0)
                || underway.stream().map(Job::kind).anyMatch(CommandKind.OF_BINDINGS::contains);
    }

    public Unfinished unfinished() {
        List<Command.AtServer> calling = new ArrayList<>();
        for (Job job : underway) {
            if (job.work() instanceof Job.OnPod(Command.AtServer command)) {
                calling.add(command);
            }
        }
        return new Unfinished(
                pods.waitingCommands(), calling, events.size() + budget.underway(CommandKind.RECORD_EVENT));
    }

    public DispatcherView view() {
        return new DispatcherView(
                DispatcherView.byKind(kind -> kind == CommandKind.RECORD_EVENT ? events.size() : pods.waiting(kind)),
                DispatcherView.byKind(budget::underway),
                preparing);
    }

    /**
     * The order of turns among the kinds of commands that may start. The most urgent goes first, but one that may start is passed
     * over {@value #MOST_PASSED_OVER} times in a row at most, or some more where several are: so whatever floods, each kind gets
     * its share, a quarter beside one other. What a kind leaves of its share goes to the others. O(kinds). Not thread-safe.
     *
     * <p>For example, while bindings flood and some status patches wait:
     *
     * <pre>
     * turn                    1     2     3     4      5     6
     * may start               B P   B P   B P   B P    B P   B
     * P was passed over       0     1     2     3      0     1
     * goes                    B     B     B     P      B     B
     *                                           ^ passed over three times: its turn, however many bindings wait
     * </pre>
     */
    static final class Turns {
        static final int MOST_PASSED_OVER = 3;

        private final Map<CommandKind, Integer> passedOver = new EnumMap<>(CommandKind.class);

        /** Gives the turn to one of these; there must be one. */
        CommandKind give(EnumSet<CommandKind> able) {
            CommandKind next = mostUrgent(able);
            for (CommandKind kind : able) {
                passedOver.merge(kind, 1, Integer::sum);
            }
            passedOver.put(next, 0);
            return next;
        }

        /** Returns the kind that was passed over too often by the most; of equals, the first. */
        private CommandKind mostUrgent(EnumSet<CommandKind> able) {
            CommandKind most = able.iterator().next();
            for (CommandKind kind : able) {
                most = overdue(kind) > overdue(most) ? kind : most;
            }
            return most;
        }

        /** How often it was passed over beyond its patience; negative numbers are all the same. */
        private int overdue(CommandKind kind) {
            return Math.max(0, passedOver.getOrDefault(kind, 0) - MOST_PASSED_OVER + 1);
        }
    }

    /**
     * The events that wait, oldest first. When full it drops the oldest: what is new is what users look for. Events about one
     * object are taken one after the other. Taking is linear in the events that are held up. Not thread-safe.
     */
    static final class EventBacklog {
        private final int capacity;
        private final Deque<Job> waiting = new ArrayDeque<>();
        private final Set<String> busy = new HashSet<>();

        EventBacklog(int capacity) {
            this.capacity = capacity;
        }

        /** Adds the job; returns the one that is dropped for it. */
        Optional<Job> add(Job job) {
            Optional<Job> dropped = waiting.size() < capacity ? Optional.empty() : Optional.of(waiting.removeFirst());
            waiting.addLast(job);
            return dropped;
        }

        Optional<Job> take(long now) {
            Set<String> passed = new HashSet<>();
            for (Iterator<Job> jobs = waiting.iterator(); jobs.hasNext(); ) {
                Job job = jobs.next();
                String key = job.work().key();
                if (!busy.contains(key) && !passed.contains(key)) {
                    if (job.notBefore() - now <= 0) {
                        jobs.remove();
                        busy.add(key);
                        job.startsAfter(now - job.notBefore());
                        return Optional.of(job);
                    }
                    passed.add(key);
                }
            }
            return Optional.empty();
        }

        /** Nanoseconds until one may be taken if nothing changes; {@link Long#MAX_VALUE} if that will not do. */
        long nanosUntilReady(long now) {
            long nanos = Long.MAX_VALUE;
            Set<String> passed = new HashSet<>();
            for (Job job : waiting) {
                String key = job.work().key();
                if (!busy.contains(key) && passed.add(key)) {
                    nanos = Math.min(nanos, Math.max(0, job.notBefore() - now));
                    if (nanos == 0) {
                        break;
                    }
                }
            }
            return nanos;
        }

        void done(Job job) {
            busy.remove(job.work().key());
        }

        /** The job that was taken is to be tried again; false if there is no room for it any more. */
        boolean putBack(Job job) {
            busy.remove(job.work().key());
            if (waiting.size() >= capacity) {
                return false;
            }
            waiting.addFirst(job);
            return true;
        }

        int size() {
            return waiting.size();
        }

        boolean isEmpty() {
            return waiting.isEmpty() && busy.isEmpty();
        }
    }

    /**
     * The calls that may be made now. At most {@code parallelism} are underway. A quarter of that is for bindings alone, so that
     * slow patches and events never hold them up, and an eighth for all but bindings, so that slow bindings never hold those up;
     * an eighth is the most that events get, and three that evictions do, which a webhook for deletions may let hang. Events
     * also have a token bucket of their own, as the reference has a client of their own for them. Every operation is O(1). Not
     * thread-safe.
     */
    static final class CallBudget {
        private final int parallelism;
        private final int forBindings;
        private final int notForBindings;
        private final int forEvents;
        private final int forEvictions;
        private final int forWrites;
        private final TokenBucket calls;
        private final TokenBucket events;
        private final Map<CommandKind, Integer> underway = new EnumMap<>(CommandKind.class);
        private int total;

        CallBudget(DispatcherSettings settings, long now) {
            parallelism = settings.parallelism();
            forBindings = parallelism - parallelism / 8;
            notForBindings = Math.max(1, parallelism - Math.ceilDiv(parallelism, 4));
            forEvents = Math.max(1, parallelism / 8);
            forEvictions = Math.max(1, 3 * parallelism / 8);
            forWrites = Math.max(1, forBindings / 2);
            calls = new TokenBucket(settings.qps(), settings.burst(), now);
            events = new TokenBucket(settings.qps(), settings.burst(), now);
        }

        /** Nanoseconds until such a call may start if none ends before; {@link Long#MAX_VALUE} if one has to end first. */
        long nanosUntilAllowed(CommandKind kind, long now) {
            return hasRoom(kind) ? bucket(kind).nanosUntilToken(now) : Long.MAX_VALUE;
        }

        private boolean hasRoom(CommandKind kind) {
            if (total >= parallelism) {
                return false;
            }
            return switch (kind) {
                case BIND -> onTheWayToNodes() < forBindings;
                case WRITE_OBJECT -> onTheWayToNodes() < forBindings && underway(CommandKind.WRITE_OBJECT) < forWrites;
                case LOOKUP, PATCH_STATUS -> isAnyNotForBindings();
                case EVICT -> isAnyNotForBindings() && underway(CommandKind.EVICT) < forEvictions;
                case RECORD_EVENT -> isAnyNotForBindings() && underway(CommandKind.RECORD_EVENT) < forEvents;
            };
        }

        private boolean isAnyNotForBindings() {
            return total - onTheWayToNodes() < notForBindings;
        }

        /** Bindings, and what is written before them. */
        private int onTheWayToNodes() {
            return underway(CommandKind.BIND) + underway(CommandKind.WRITE_OBJECT);
        }

        void started(CommandKind kind, long now) {
            bucket(kind).take(now);
            underway.merge(kind, 1, Integer::sum);
            total++;
        }

        void ended(CommandKind kind) {
            underway.merge(kind, -1, Integer::sum);
            total--;
        }

        int underway(CommandKind kind) {
            return underway.getOrDefault(kind, 0);
        }

        private TokenBucket bucket(CommandKind kind) {
            return kind == CommandKind.RECORD_EVENT ? events : calls;
        }
    }

    /**
     * All jobs on pods. A pod with jobs is in exactly one place: busy, resting until its next job may be tried again, or
     * ready, by what its next job is and in the order in which pods became ready. A newer patch keeps the place of the one that
     * it replaces: a pod that is turned down again and again would never come to the front otherwise. Every operation is
     * O(log pods) at most. Not thread-safe.
     */
    private static final class PodBacklog {
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

        /**
         * The jobs on one pod, in their order. What a newer command makes pointless is gone: a newer patch of the same conditions,
         * or of none, replaces a waiting one, also of its group, and a binding, which ends a pod's being unschedulable, discards it. So a pod that is
         * tried and turned down again and again has two patches waiting at most, however slow the server. A binding does not wait until what
         * the server would not take is tried again.
         */
        private static final class PodJobs {
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
                    case Command.PatchStatus patch -> takePatch(typesOf(patch));
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
                                && (isOfScheduling(patch) || (typesOf(patch).isEmpty() && job.attempts() > 0)))
                        .toList();
                waiting.removeAll(pointless);
                List<Job> resting =
                        waiting.stream().filter(job -> job.attempts() > 0).toList();
                waiting.removeAll(resting);
                waiting.addLast(binding);
                waiting.addAll(resting);
                return pointless;
            }

            private static boolean isOfScheduling(Command.PatchStatus patch) {
                return typesOf(patch).contains(PodCondition.POD_SCHEDULED);
            }

            /** The conditions that the patch is of; empty where it nominates only. */
            private static Set<String> typesOf(Command.PatchStatus patch) {
                return patch.conditions().stream().map(PodCondition::type).collect(Collectors.toSet());
            }

            /** Whether the job patches the same condition of the same group. */
            private static boolean isOfTheSame(Job job, Command.PatchGroup patch) {
                return job.work() instanceof OnPod(Command.PatchGroup other)
                        && other.kind().equals(patch.kind())
                        && other.group().key().equals(patch.group().key())
                        && other.condition().type().equals(patch.condition().type());
            }

            private Optional<Job> takePatch(Set<String> conditionTypes) {
                return take(job -> job.work() instanceof OnPod(Command.PatchStatus patch)
                        && typesOf(patch).equals(conditionTypes));
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
                        && newer instanceof Command.PatchStatus(var pod, var conditions, var unchanged)
                        && unchanged.isEmpty()) {
                    return new Command.PatchStatus(pod, conditions, nominated);
                }
                return newer;
            }

            void putBack(Job job) {
                if (job.attempts() > 0
                        && waiting.stream().anyMatch(each -> each.work() instanceof OnPod(Command.Bind _))) {
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
                    case OnPod(Command.PatchStatus newer) -> typesOf(newer).equals(typesOf(failed));
                    case OnPod(Command.Bind _) ->
                        isOfScheduling(failed) || typesOf(failed).isEmpty();
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
    }
}
