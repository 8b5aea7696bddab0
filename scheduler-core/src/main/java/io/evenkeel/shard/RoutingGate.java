package io.evenkeel.shard;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.RelistSweep;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerEvent.UnreadablePod;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.shard.ForeignTerms.Change;
import io.evenkeel.shard.PodsThatWait.Topic;
import io.evenkeel.shard.PodsThatWait.Waiting;
import io.evenkeel.shard.PodsThatWait.Way;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What both gates do alike: they keep pods that wait, each with its way, choose it anew for those alone whom news may concern, and tell
 * the engine who is gone.
 */
abstract sealed class RoutingGate implements ShardGate permits LocalGate, OverseerGate {
    /** A label that no node has: what asks for it fits nowhere. */
    private static final String NOWHERE = "evenkeel.io/no-such-node";

    final ShardMap map;
    final Supplier<Scheduler> engine;
    final Consumer<? super Command> commands;
    final PodFacts facts;
    final Reach reach;
    final Seen seen;
    final RelistSweep sweep = new RelistSweep(Set.of());
    /** By key. */
    final PodsThatWait waiting = new PodsThatWait();

    private final Set<String> profiles;
    private long routes;

    RoutingGate(
            ShardMap map,
            SchedulerConfiguration configuration,
            Supplier<Scheduler> engine,
            Consumer<? super Command> commands) {
        this.map = map;
        this.engine = engine;
        this.commands = commands;
        profiles = configuration.effectiveProfiles().stream()
                .map(Profile::schedulerName)
                .collect(Collectors.toUnmodifiableSet());
        facts = new PodFacts(map, engine, this::shardOf, waiting);
        reach = new Reach(map, configuration.effectiveProfiles(), facts);
        seen = new Seen(engine);
    }

    /** Empty where the node is not known. */
    abstract OptionalInt shardOf(String node);

    /** Takes in an object that is no pod. */
    abstract void takeObject(ClusterEvent event, KubernetesObject object, Consumer<? super SchedulerEvent> in);

    /** Takes in a pod that is in place, or has run to its end. */
    abstract void takeSettled(Pod pod, Consumer<? super SchedulerEvent> in);

    /** Takes in a pod of our profiles that waits. */
    void takeWaiting(Pod pod, Consumer<? super SchedulerEvent> in) {
        route(pod, in);
    }

    /** Whether this engine is to tell of it. */
    abstract boolean isOurs(Pod unreadable);

    abstract void takeAnswer(CommandResult result, Consumer<? super SchedulerEvent> in);

    /** The pod waits, as it is now. */
    abstract void route(Pod pod, Consumer<? super SchedulerEvent> in);

    abstract Way wayOf(Pod pod, ShardTrace trace);

    /** What the engine knows of the pod is no earlier version of what comes now. */
    abstract boolean isAnother(Way before, Way now);

    /** The pod as the engine is to know it. */
    abstract Pod asLetIn(Pod pod, Way way);

    /** Whether a pod that no shard is to judge by itself goes this way, as far as this gate sees to it. */
    abstract boolean isAcross(Way way);

    /** Whether another engine counts a pod that goes so. */
    boolean isCountedElsewhere(Way way) {
        return way instanceof Way.Kept;
    }

    /** Whether something of the kind is kept, of which a list may tell that it is gone. */
    boolean keepsAny(String kind) {
        return true;
    }

    void listBegan(String kind) {}

    void listEnded(String kind, Predicate<ObjectMeta> gone, Consumer<? super SchedulerEvent> in) {}

    /** The pod is in place, or gone: nothing of it is kept as of one that waits. */
    void forget(Pod pod) {
        waiting.remove(pod.key());
        seen.settled(pod);
    }

    @Override
    public void take(SchedulerEvent event, Consumer<? super SchedulerEvent> in) {
        switch (event) {
            case ClusterEvent.Put put -> put(put, in);
            case ClusterEvent.Removed removed -> removed(removed, in);
            case UnreadablePod unreadable -> {
                seen.saw("Pod", unreadable.pod().meta());
                if (isOurs(unreadable.pod())) {
                    in.accept(event);
                }
            }
            case Relist relist -> listed(relist, in);
            case CommandResult result -> takeAnswer(result, in);
            default -> in.accept(event);
        }
    }

    private void put(ClusterEvent.Put event, Consumer<? super SchedulerEvent> in) {
        KubernetesObject object = event.object();
        seen.saw(object.kindName(), object.meta());
        if (object instanceof Pod pod) {
            put(pod, in);
            return;
        }
        if (object instanceof PolicyObject) {
            sweep.saw(object);
        }
        takeObject(event, object, in);
        routeAgain(facts.put(object), in);
    }

    private void put(Pod pod, Consumer<? super SchedulerEvent> in) {
        Change terms = facts.putTerms(pod);
        seen.there(pod);
        if (pod.isPlaced() || pod.status().isFinished()) {
            takeSettled(pod, in);
        } else if (profiles.contains(pod.spec().schedulerName())) {
            takeWaiting(pod, in);
        } else {
            // one of ours that had the name is gone
            waiting.find(pod.key()).ifPresent(before -> gone(before.pod(), in));
        }
        termsChanged(terms, in);
        if (sweep.isUnderway() && isKept(pod)) {
            sweep.saw(pod);
        }
    }

    /** Whether the gate keeps something of it, so that it must notice when it is gone: of all pods in place it need not. */
    private boolean isKept(Pod pod) {
        return waiting.find(pod.key()).isPresent() || facts.isCarrier(pod.key()) || seen.binds(pod);
    }

    private void removed(ClusterEvent.Removed event, Consumer<? super SchedulerEvent> in) {
        KubernetesObject object = event.object();
        seen.saw(object.kindName(), object.meta());
        if (object instanceof Pod pod) {
            gone(pod, in);
            termsChanged(facts.removeTerms(pod.key()), in);
        } else {
            takeObject(event, object, in);
            routeAgain(facts.remove(object), in);
        }
    }

    private void gone(Pod pod, Consumer<? super SchedulerEvent> in) {
        forget(pod);
        dropIfKnown(pod, in);
    }

    void dropIfKnown(Pod pod, Consumer<? super SchedulerEvent> in) {
        Scheduler known = engine.get();
        if (known.cluster().pod(pod.key()).isPresent()
                || known.queue().find(pod.key()).isPresent()) {
            in.accept(new ClusterEvent.Removed(pod));
        }
    }

    /** Whose turn it is may be another now for those that wait, whom a new term matches, or one matched that is there no more. */
    private void termsChanged(Change terms, Consumer<? super SchedulerEvent> in) {
        routeAgain(facts.matchedBy(terms.added(), way -> !isAcross(way)), in);
        routeAgain(facts.matchedBy(terms.gone(), this::isAcross), in);
    }

    /** Whose they are may be another now. */
    void routeAgain(Collection<Pod> pods, Consumer<? super SchedulerEvent> in) {
        pods.forEach(pod -> waiting.find(pod).ifPresent(known -> route(known.pod(), in)));
    }

    /** Chooses the way of a pod, which the engine is told by what comes in. */
    Way choose(Pod pod, Optional<Waiting> before, Consumer<? super SchedulerEvent> in) {
        routes++;
        ShardTrace trace = ShardTrace.of(pod, map);
        Way way = wayOf(pod, trace);
        if (way instanceof Way.Out(boolean mayComeIn) && !mayComeIn) {
            waiting.remove(pod.key());
        } else {
            remember(pod, way, trace);
        }
        if (before.filter(known -> known.way().isIn() && (!way.isIn() || isAnother(known.way(), way)))
                .isPresent()) {
            in.accept(new ClusterEvent.Removed(before.get().pod()));
        } else if (before.isEmpty() && !way.isIn()) {
            dropIfKnown(pod, in);
        }
        if (way.isIn()) {
            in.accept(new ClusterEvent.Put(asLetIn(pod, way)));
        }
        return way;
    }

    void remember(Pod pod, Way way, ShardTrace trace) {
        List<Topic> topics = facts.topicsOf(pod);
        String node = trace instanceof ShardTrace.Asked(String asked)
                ? asked
                : pod.status().nominatedNodeName();
        if (!node.isEmpty()) {
            topics.add(new Topic(Topic.Kind.NODE, node));
        }
        waiting.put(pod, way, topics);
    }

    /** Of pods that wait. */
    Optional<Waiting> letIn(Pod pod) {
        return waiting.find(pod).filter(known -> known.way().isIn());
    }

    /** As one that fits nowhere, so that room is kept for it on the node that its status names. */
    static Pod keepingRoom(PodBuilder pod) {
        return pod.preempts(false).nodeSelector(NOWHERE, "true").build();
    }

    /** How often a way was chosen. */
    long routes() {
        return routes;
    }

    private void listed(Relist relist, Consumer<? super SchedulerEvent> in) {
        String kind = relist.kind();
        switch (relist) {
            case Relist.Began _ -> {
                seen.listBegan(kind);
                sweep.began(kind, keepsAny(kind));
                listBegan(kind);
                in.accept(relist);
            }
            case Relist.Present present -> {
                present.identity().ifPresent(meta -> seen.saw(kind, meta));
                sweep.sawUnreadable(kind, present.identity());
                in.accept(relist);
            }
            case Relist.Ended list -> {
                seen.listEnded(list);
                Predicate<ObjectMeta> gone = sweep.ended(kind);
                in.accept(relist);
                if (kind.equals("Pod")) {
                    seen.forget(gone);
                    // the engine may have been told of some in between, by the gate itself
                    waiting.pods(pod -> gone.test(pod.meta())).forEach(pod -> gone(pod, in));
                    termsChanged(facts.forgetTerms(gone), in);
                }
                routeAgain(facts.listed(kind, gone), in);
                listEnded(kind, gone, in);
            }
        }
    }

    @Override
    public QueueCounts counted(QueueCounts inQueue) {
        QueueCounts counted = inQueue;
        for (Waiting known : waiting.all()) {
            if (isCountedElsewhere(known.way())) {
                Optional<QueueEntryView> queued =
                        engine.get().queue().view(known.pod().key());
                counted = queued.isPresent() ? counted.plus(queued.get().state(), -1) : counted;
            }
        }
        return counted;
    }
}
