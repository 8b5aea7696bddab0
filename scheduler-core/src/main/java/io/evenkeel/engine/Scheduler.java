package io.evenkeel.engine;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.engine.decision.Question;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.FairTurns;
import io.evenkeel.queue.NominatedPods;
import io.evenkeel.queue.QueueSettings;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import io.evenkeel.queue.SchedulingQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The live scheduler as a state machine: takes events, gives commands. One thread calls it; it does no I/O, takes no
 * locks and knows no time but the clock's that it is handed, so the same events at the same times always lead to the
 * same commands.
 *
 * <p>Whoever drives it calls {@link #handle} for each event as it comes, {@link #scheduleNext} as long as that returns
 * true, and {@link #tick} no later than {@link #nextDeadline} says.
 */
public final class Scheduler {
    private final Engine engine;
    private final SchedulingQueue queue;
    private final FairTurns turns;
    private final Permits permits;
    private final Preparations preparations;
    private final Bindings bindings;
    private final Decisions decisions;
    private final AssumedPods assumed;
    private final Preemptions preemptions;
    private final ClusterIntake intake;
    private final UnreadablePods unreadable;
    private final RelistSweep sweep;
    private boolean wasToldOfPods;
    /** By kind that is being listed: whoever wants to know what is not there. */
    private final Map<String, Consumer<Predicate<ObjectMeta>>> listed = new HashMap<>();

    private final SchedulerSettings settings;
    private final LongSupplier clock;

    /**
     * A scheduler that knows nothing of its cluster yet.
     *
     * @param clock nanoseconds that only ever grow
     * @throws io.evenkeel.problem.ConfigurationException if a profile names plugins that there are not
     */
    public Scheduler(
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            NodeChoice choice,
            SchedulerSettings settings,
            Consumer<? super Command> commands,
            SchedulerObserver observer,
            LongSupplier clock) {
        this.settings = settings;
        this.clock = clock;
        PermitWaits waits = new PermitWaits();
        NominatedPods nominated = new NominatedPods(configuration.featureGates());
        WaitingMembers members = new WaitingMembers();
        Set<String> leaving = new HashSet<>();
        engine = new Engine(
                configuration,
                registry,
                choice,
                SchedulingCycle.Scoring.WHEN_NEEDED,
                waits,
                members,
                nominated,
                pod -> leaving.contains(pod.meta().uid()),
                observer,
                settings.clusterLimits());
        PodReports reports = new PodReports(commands, configuration.featureGates());
        turns = new FairTurns(
                engine.cluster().work(), () -> engine.cluster().nodes().end(), (pod, now) -> {
                    reports.deferred(pod);
                    observer.deferred(pod.namespace());
                });
        queue = new SchedulingQueue(
                engine.admission(),
                engine.profiles(),
                nominated,
                members,
                turns,
                QueueSettings.of(
                        configuration,
                        settings.longestUnschedulable(),
                        settings.hintLimits(),
                        engine::fitsBesideNominated,
                        engine::obstacle),
                observer.queue(),
                clock);
        AttemptOutcomes outcomes = new AttemptOutcomes(queue, reports, observer, this::sawFreed, clock);
        unreadable = new UnreadablePods(engine.profiles().keySet(), reports, clock);
        bindings = new Bindings(engine, configuration::isBoundByExtender, outcomes, settings, commands, clock);
        preparations = new Preparations(engine, bindings, outcomes, commands, observer, clock);
        permits = new Permits(waits, engine, preparations, outcomes, observer, clock);
        assumed = new AssumedPods(permits, preparations, bindings);
        preemptions = new Preemptions(
                engine.cluster(), queue, permits, assumed, outcomes, leaving, settings, commands, observer, clock);
        decisions = new Decisions(
                configuration,
                engine,
                outcomes,
                permits,
                preparations,
                queue,
                new GroupNotices(commands),
                commands,
                preemptions,
                observer,
                clock);
        intake = new ClusterIntake(engine, queue, assumed, preemptions, decisions.groups(), observer, clock);
        sweep = new RelistSweep(settings.awaiting(watchedKinds()).awaitedKinds());
    }

    public void handle(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put put -> {
                sweep.saw(put.object());
                wasToldOfPods |= put.object() instanceof Pod;
                unreadable.forget(put.object());
                intake.put(put.object());
            }
            case ClusterEvent.Removed removed -> {
                unreadable.forget(removed.object());
                intake.remove(removed.object());
            }
            case SchedulerEvent.UnreadablePod skipped -> {
                wasToldOfPods = true;
                unreadable.saw(skipped);
            }
            case Relist.Began began -> {
                sweep.began(began.kind(), wasToldOfPods || !began.kind().equals("Pod"));
                listed.put(began.kind(), engine.listBegins(began.kind()));
            }
            case Relist.Present present -> sweep.sawUnreadable(present.kind(), present.identity());
            case Relist.Ended ended -> removeMissing(ended.kind());
            case CommandResult result -> take(result);
            case SchedulerEvent.ExtendersAnswered answered ->
                decisions.extenders().answered(answered.pod(), answered.answer());
            case OfPlace place -> take(place);
            case SchedulerEvent.Inquiry inquiry -> inquiry.question().accept(this);
        }
        settle();
    }

    private void sawFreed(Pod pod) {
        decisions.groups().sawLeft(pod, false);
    }

    private void settle() {
        permits.settle();
        preemptions.settle();
        decisions.groups().settle(isSynced());
    }

    private void take(CommandResult result) {
        switch (result) {
            case CommandResult.OfBinding binding -> takeOfBinding(binding);
            case CommandResult.OfPreparation preparation -> preparations.took(preparation);
            case CommandResult.OfEviction eviction -> preemptions.took(eviction);
        }
    }

    private void take(OfPlace place) {
        long now = clock.getAsLong();
        switch (place) {
            case OfPlace.Held(Pod pod, String node, Duration within) ->
                cluster()
                        .pod(pod.key())
                        .filter(there -> there.meta().uid().equals(pod.meta().uid()))
                        .ifPresent(there -> queue.held().hold(there, node, now + within.toNanos(), now));
            case OfPlace.Released(Pod pod) -> queue.held().release(pod, now);
        }
    }

    private void takeOfBinding(CommandResult.OfBinding result) {
        if (result instanceof CommandResult.Found looked
                && assumed.isOnItsWay(looked.pod())
                && looked.found().filter(Pod::isPlaced).isPresent()) {
            intake.putFound(looked.pod(), looked.found().get());
        }
        bindings.took(result);
    }

    private void removeMissing(String kind) {
        if (!sweep.isUnderway(kind)) {
            return;
        }
        Predicate<ObjectMeta> isGone = sweep.ended(kind);
        List<KubernetesObject> known = new ArrayList<>(cluster().all(kind));
        if (kind.equals("Pod")) {
            known.addAll(queue.pods());
            unreadable.forget(isGone);
            intake.podsToldAnew();
        }
        known.stream().filter(object -> isGone.test(object.meta())).forEach(intake::remove);
        Consumer<Predicate<ObjectMeta>> told = listed.remove(kind);
        if (told != null) {
            told.accept(isGone);
        }
    }

    /** Whether the cluster is known well enough to place pods. */
    public boolean isSynced() {
        return sweep.isComplete();
    }

    /** The kinds with news to be handed in, in the order in which they are best listed. */
    public List<Kind<?>> watchedKinds() {
        return engine.watchedKinds();
    }

    /** The kinds that have not come whole yet. */
    public Set<String> awaitedKinds() {
        return sweep.missing();
    }

    /** Decides the next pod, or says of one why it cannot be; false where there is none, or where too many are being bound. */
    public boolean scheduleNext() {
        if (!isSynced() || bindings.prompt() >= settings.mostBindings()) {
            return false;
        }
        if (unreadable.tellNext()) {
            return true;
        }
        if (decisions.concludeNext()) {
            settle();
            return true;
        }
        long startedAt = clock.getAsLong();
        Optional<Attempt> next = queue.pop(
                startedAt, decisions.extenders().isFree(), decisions.groups().gangsGiveWay(startedAt));
        if (next.isEmpty()) {
            return false;
        }
        decisions.decide(next.get(), startedAt);
        settle();
        return true;
    }

    public void tick() {
        queue.tick(clock.getAsLong());
        assumed.tick();
        preemptions.tick();
        preemptions.settle();
    }

    /** When {@link #tick} will have something to do. */
    public OptionalLong nextDeadline() {
        return earlier(queue.nextDeadline(), earlier(assumed.nextDeadline(), preemptions.nextDeadline()));
    }

    private static OptionalLong earlier(OptionalLong one, OptionalLong other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isPresent() ? one : other;
        }
        return one.getAsLong() - other.getAsLong() <= 0 ? one : other;
    }

    /** All objects that it knows, by reference, for another scheduler to be told of. */
    public List<KubernetesObject> known() {
        return known(watchedKinds());
    }

    /** All objects of these kinds that it knows. */
    public List<KubernetesObject> known(List<Kind<?>> kinds) {
        List<KubernetesObject> objects = new ArrayList<>();
        for (Kind<?> kind : kinds) {
            objects.addAll(kind.equals(Kinds.POD) ? pods() : cluster().all(kind.name()));
        }
        return objects;
    }

    /** For questions and what-ifs: whoever changes something there takes it back. */
    public Engine engine() {
        return engine;
    }

    public ClusterView cluster() {
        return engine.cluster();
    }

    /** For questions and dumps; to be left as it is. */
    public SchedulingQueue queue() {
        return queue;
    }

    /** All pods that are known, in place or waiting for one of our profiles; a copy, as large as the cluster. */
    public List<Pod> pods() {
        PodTable table = cluster().pods();
        List<Pod> pods = new ArrayList<>(table.count());
        for (int row = 0; row < table.end(); row++) {
            if (!table.isFree(row)) {
                pods.add(table.pod(row));
            }
        }
        for (Pod waiting : queue().pods()) {
            if (table.find(waiting.key()) < 0) {
                pods.add(waiting);
            }
        }
        return pods;
    }

    public Optional<Question> atExtenders() {
        return decisions.extenders().question();
    }

    /** The pods on their way to their nodes, and the nodes. */
    public Collection<OnItsWay> onTheirWay() {
        return assumed.all()
                .map(binding -> new OnItsWay(
                        binding.pod(), binding.node(), binding.stage().name(), binding.startedAt()))
                .toList();
    }

    /**
     * A pod that was decided and is not yet known to be bound.
     *
     * @param waitingFor what is being waited for
     * @param since when its attempt began, by the scheduler's clock
     */
    public record OnItsWay(Pod pod, String node, String waitingFor, long since) {}
}
