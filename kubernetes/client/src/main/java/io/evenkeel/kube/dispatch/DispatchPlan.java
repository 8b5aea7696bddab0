package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.api.TokenBucket;
import io.evenkeel.kube.dispatch.CommandSink.DispatcherView;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.dispatch.Job.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

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
}
