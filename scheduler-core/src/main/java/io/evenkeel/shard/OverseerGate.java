package io.evenkeel.shard;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.ObjectEvent;
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
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.shard.ForeignTerms.Change;
import io.evenkeel.shard.ForeignTerms.Term;
import io.evenkeel.shard.PodsThatWait.Waiting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The gate before the engine that sees all nodes. Of the pods that wait it lets in those that no shard can judge, and where the engine
 * would bind one, it asks the owner of the node for the place:
 *
 * <pre>
 *   stage   what comes                               next
 *   SENT    written                                  ASKED
 *           not written                              not bound
 *           no answer                                the pod is looked up: ASKED, or not bound
 *   ASKED   the watch shows the pod on the node      bound
 *           the watch shows that it was refused      not bound
 * </pre>
 *
 * <p>An ask is written into the pod as it was known, so that none comes late. Nobody takes one back: until it is answered, the pod
 * counts on the node, also after another engine has taken this one's place. All pods of our profiles that wait are
 * kept, as it may depend on others whose they are.
 */
public final class OverseerGate implements ShardGate {
    private final ShardMap map;
    private final Set<String> profiles;
    private final Supplier<Scheduler> engine;
    private final Consumer<? super Command> commands;
    private final PodFacts facts;
    private final Reach reach;
    private final Seen seen;
    private final RelistSweep sweep = new RelistSweep(Set.of());
    private final PodsThatWait<Way> waiting = new PodsThatWait<>();
    /** By UID. */
    private final Map<String, Ask> asks = new HashMap<>();
    /** The keys of pods that are withheld. */
    private final Map<String, Withheld> withheld = new LinkedHashMap<>();

    private ShardProgress others = ShardProgress.NONE;
    /** The version of the pod with which a term of anti-affinity came last. */
    private long newestTerm;

    private long routes;

    /** What becomes of a pod that waits. */
    private enum Way {
        /** A shard decides it. */
        OUT,
        IN,
        /** It carries terms that others may not know yet. */
        WITHHELD,
        /** An engine before this one has asked for a place, where it counts. */
        ASKED
    }

    private static final class Withheld {
        final long since;
        /** The newest pods that others had seen when they knew the terms; the least, as a Lease may have said anything for a while. */
        long pods = Long.MAX_VALUE;

        Withheld(long since) {
            this.since = since;
        }
    }

    private static final class Ask {
        final Pod pod;
        final String node;
        /** Of the pod into which it was written last. */
        long version;

        Pod latest;
        /** Whether the owner may know of it. */
        boolean isAsked;
        /** Whether the write is still to be answered. */
        boolean isUnderway;
        /** Whether it is to be written again. */
        boolean isLost;

        Ask(Pod pod, Pod latest, String node) {
            this.pod = pod;
            this.latest = latest;
            this.node = node;
        }

        Command write(ShardMap map) {
            version = Seen.version(latest.meta());
            isUnderway = true;
            isLost = false;
            return new ShardTrace.Asked(node).write(latest, map, node);
        }
    }

    /**
     * Makes a gate for an engine that has not been told of anything.
     *
     * @param engine that sees all nodes, once it is there
     * @param commands takes what the gate has to say by itself
     */
    public OverseerGate(
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
        facts = new PodFacts(map, engine, this::shardOf);
        reach = new Reach(map, configuration.effectiveProfiles(), facts);
        seen = new Seen(engine);
    }

    private OptionalInt shardOf(String node) {
        return map.moves()
                ? engine.get().cluster().node(node).stream()
                        .mapToInt(map::ofNode)
                        .findFirst()
                : map.ofName(node);
    }

    @Override
    public void take(SchedulerEvent event, Consumer<? super SchedulerEvent> in) {
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> put(event, object, in);
            case ClusterEvent.Removed(KubernetesObject object) -> removed(event, object, in);
            case UnreadablePod unreadable -> {
                seen.saw("Pod", unreadable.pod().meta());
                if (unreadable.pod().isPlaced()) {
                    in.accept(event);
                }
            }
            case Relist relist -> listed(relist, in);
            case CommandResult result -> answered(result, in);
            default -> in.accept(event);
        }
        if (!withheld.isEmpty()) {
            release(in);
        }
    }

    private void put(SchedulerEvent event, KubernetesObject object, Consumer<? super SchedulerEvent> in) {
        seen.saw(object.kindName(), object.meta());
        if (object instanceof Pod pod) {
            put(event, pod, in);
            if (sweep.isUnderway() && isKept(pod)) {
                sweep.saw(pod);
            }
            return;
        }
        if (object instanceof PolicyObject) {
            sweep.saw(object);
        }
        in.accept(event);
        route(facts.put(object, waiting), in);
    }

    private void removed(SchedulerEvent event, KubernetesObject object, Consumer<? super SchedulerEvent> in) {
        seen.saw(object.kindName(), object.meta());
        in.accept(event);
        if (object instanceof Pod pod) {
            forget(pod.key());
            asks.remove(pod.meta().uid());
            termsChanged(facts.removeTerms(pod.key()), in);
        } else {
            route(facts.remove(object, waiting), in);
        }
    }

    private void route(List<Pod> pods, Consumer<? super SchedulerEvent> in) {
        pods.forEach(pod -> waiting.find(pod).ifPresent(known -> route(known.pod(), in)));
    }

    private void put(SchedulerEvent event, Pod pod, Consumer<? super SchedulerEvent> in) {
        Change terms = facts.putTerms(pod);
        if (!terms.added().isEmpty()) {
            newestTerm = Math.max(newestTerm, Seen.version(pod.meta()));
        }
        Optional<Ask> ask = Optional.ofNullable(asks.get(pod.meta().uid()));
        if (pod.isPlaced() || pod.status().isFinished()) {
            forget(pod.key());
            asks.remove(pod.meta().uid());
            in.accept(event);
            if (pod.isPlaced()) {
                ask.filter(asked -> asked.node.equals(pod.spec().nodeName()))
                        .ifPresent(asked -> in.accept(new CommandResult.Bound(asked.pod, asked.node)));
            }
        } else if (profiles.contains(pod.spec().schedulerName())) {
            waiting.find(pod.key())
                    .map(known -> known.pod().meta().uid())
                    .filter(uid -> !uid.equals(pod.meta().uid()))
                    .ifPresent(asks::remove);
            if (ask.isPresent()) {
                remember(pod, Way.IN);
                ask.get().latest = pod;
                judge(ask.get(), in);
            }
            if (asks.containsKey(pod.meta().uid())) {
                in.accept(event);
            } else {
                route(pod, in);
            }
        } else {
            makeWay(pod, in);
        }
        termsChanged(terms, in);
    }

    /** Whether the gate keeps something of it, so that it must notice when it is gone: of all pods in place it need not. */
    private boolean isKept(Pod pod) {
        return waiting.find(pod.key()).isPresent()
                || asks.containsKey(pod.meta().uid())
                || facts.isCarrier(pod.key());
    }

    /** Of somebody else's pods one may have the name of one of ours, which is gone then. */
    private void makeWay(Pod pod, Consumer<? super SchedulerEvent> in) {
        forget(pod.key()).ifPresent(before -> {
            asks.remove(before.pod().meta().uid());
            in.accept(new ClusterEvent.Removed(before.pod()));
        });
    }

    /** Looks at what the pod says of the ask by the last news. */
    private void judge(Ask ask, Consumer<? super SchedulerEvent> in) {
        Pod pod = ask.latest;
        if (Seen.version(pod.meta()) <= ask.version) {
            return;
        }
        ShardTrace trace = ShardTrace.of(pod, map);
        if (trace instanceof ShardTrace.Asked(String node) && node.equals(ask.node)) {
            ask.isAsked = true;
        } else if (ask.isAsked
                && trace instanceof ShardTrace.Refused(String node, String why)
                && node.equals(ask.node)) {
            end(ask, BindFailure.REJECTED, refusal(node, why), in);
        } else if (ask.isAsked && !ask.isUnderway) {
            // overwritten by somebody, such as a shard that was late; the owner may have read it before
            commands.accept(ask.write(map));
        }
    }

    private void end(Ask ask, BindFailure failure, String message, Consumer<? super SchedulerEvent> in) {
        asks.remove(ask.pod.meta().uid());
        in.accept(new CommandResult.NotBound(ask.pod, ask.node, failure, message));
    }

    private static String refusal(String node, String why) {
        return "the shard of " + node + " has no place there: " + why;
    }

    private void termsChanged(Change terms, Consumer<? super SchedulerEvent> in) {
        routeMatched(terms.added(), Way.OUT, in);
        routeMatched(terms.gone(), Way.IN, in);
    }

    private void routeMatched(List<Term> terms, Way concerned, Consumer<? super SchedulerEvent> in) {
        for (Pod pod : facts.matchedBy(terms, waiting)) {
            waiting.find(pod).filter(known -> known.way() == concerned).ifPresent(known -> route(known.pod(), in));
        }
    }

    /** How often it was asked whose a pod is. */
    long routes() {
        return routes;
    }

    /** The pod waits, as it is now, and no place is asked for it here. */
    private void route(Pod pod, Consumer<? super SchedulerEvent> in) {
        if (asks.containsKey(pod.meta().uid())) {
            return;
        }
        routes++;
        Optional<Waiting<Way>> before = waiting.find(pod.key());
        boolean isSame = waiting.find(pod).isPresent();
        Way was = before.map(Waiting::way).orElse(Way.OUT);
        if (!isSame) {
            withheld.remove(pod.key());
        }
        ShardTrace trace = ShardTrace.of(pod, map);
        Way way = wayOf(pod, trace, isSame && was == Way.IN);
        remember(pod, way);
        if (was == Way.ASKED ? way != Way.ASKED : was == Way.IN && (way == Way.OUT || way == Way.WITHHELD)) {
            in.accept(new ClusterEvent.Removed(before.get().pod()));
        }
        switch (way) {
            case IN -> in.accept(new ClusterEvent.Put(pod));
            case ASKED ->
                in.accept(new ClusterEvent.Put(PodBuilder.from(pod)
                        .nodeName(((ShardTrace.Asked) trace).node())
                        .build()));
            case OUT -> withheld.remove(pod.key());
            case WITHHELD -> {}
        }
    }

    private Way wayOf(Pod pod, ShardTrace trace, boolean wasIn) {
        if (trace instanceof ShardTrace.Asked) {
            withheld.remove(pod.key());
            return Way.ASKED;
        }
        if (!(reach.of(pod) instanceof Reach.ToOverseer)) {
            return Way.OUT;
        }
        if (wasIn || !facts.carriesTerms(pod)) {
            return Way.IN;
        }
        Withheld held = withheld.computeIfAbsent(pod.key(), _ -> new Withheld(newestTerm));
        if (isKnown(held)) {
            withheld.remove(pod.key());
            return Way.IN;
        }
        return Way.WITHHELD;
    }

    /** Whether all others know the terms of the pod, and here is known whom they have placed before. */
    private boolean isKnown(Withheld held) {
        if (others.pods() >= held.since) {
            held.pods = Math.min(held.pods, others.podsSeen());
        }
        return seen.pods() >= held.pods;
    }

    private void release(Consumer<? super SchedulerEvent> in) {
        List<String> free = new ArrayList<>();
        withheld.forEach((key, held) -> {
            if (isKnown(held)) {
                free.add(key);
            }
        });
        for (String key : free) {
            waiting.find(key).ifPresent(known -> route(known.pod(), in));
        }
    }

    private void remember(Pod pod, Way way) {
        waiting.put(pod, way, facts.topicsOf(pod));
    }

    private Optional<Waiting<Way>> forget(String key) {
        withheld.remove(key);
        return waiting.remove(key);
    }

    private void listed(Relist relist, Consumer<? super SchedulerEvent> in) {
        String kind = relist.kind();
        switch (relist) {
            case Relist.Began _ -> {
                seen.listBegan(kind);
                sweep.began(kind);
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
                ended(kind, gone, in);
            }
        }
    }

    private void ended(String kind, Predicate<ObjectMeta> gone, Consumer<? super SchedulerEvent> in) {
        if (kind.equals("Pod")) {
            waiting.pods(pod -> gone.test(pod.meta())).forEach(pod -> {
                forget(pod.key());
                // the engine may have been told of it in between, by the gate itself
                in.accept(new ClusterEvent.Removed(pod));
            });
            asks.values().removeIf(ask -> gone.test(ask.pod.meta()));
            termsChanged(facts.forgetTerms(gone), in);
        } else {
            route(facts.listed(kind, gone, waiting), in);
        }
    }

    private void answered(CommandResult result, Consumer<? super SchedulerEvent> in) {
        Optional<Ask> ask = Optional.ofNullable(asks.get(result.pod().meta().uid()));
        if (ask.isEmpty()) {
            in.accept(result);
            return;
        }
        switch (result) {
            case CommandResult.OfPreparation answer
            when Seen.version(answer.pod().meta()) != ask.get().version -> {
                // to an earlier write
            }
            case CommandResult.Written _ -> {
                ask.get().isAsked = true;
                ask.get().isUnderway = false;
                judged(ask.get(), in);
            }
            case CommandResult.NotWritten(var _, var failure, String message) ->
                notWritten(ask.get(), failure, message, in);
            case CommandResult.OnlySaid _ -> {
                asks.remove(result.pod().meta().uid());
                in.accept(new CommandResult.Bound(ask.get().pod, ask.get().node));
            }
            case CommandResult.Found found -> found(ask.get(), found, in);
            default -> in.accept(result);
        }
    }

    private static String noPlace(Ask ask, String message) {
        return "asking for a place on " + ask.node + ": " + message;
    }

    private void notWritten(
            Ask ask, CommandResult.WriteFailure failure, String message, Consumer<? super SchedulerEvent> in) {
        String told = noPlace(ask, message);
        ask.isUnderway = false;
        if (ask.isAsked && Seen.version(ask.latest.meta()) == ask.version) {
            ask.isLost = true;
        } else if (ask.isAsked) {
            judged(ask, in);
        } else {
            notAsked(ask, failure, told, in);
        }
    }

    private void notAsked(
            Ask ask, CommandResult.WriteFailure failure, String told, Consumer<? super SchedulerEvent> in) {
        switch (failure) {
            case FAILED, OVERTAKEN -> endAndRoute(ask, BindFailure.FAILED, told, in);
            case NOT_LEADING -> endAndRoute(ask, BindFailure.NOT_LEADING, told, in);
            case UNKNOWN -> in.accept(new CommandResult.NotBound(ask.pod, ask.node, BindFailure.UNKNOWN, told));
        }
    }

    /** The pod as it was looked up may be newer than what the watch has shown. */
    private void found(Ask ask, CommandResult.Found result, Consumer<? super SchedulerEvent> in) {
        Optional<Pod> found = result.found()
                .filter(pod -> pod.meta().uid().equals(ask.pod.meta().uid()) && !pod.isPlaced());
        if (found.isEmpty()) {
            asks.remove(ask.pod.meta().uid());
            in.accept(result);
            return;
        }
        Pod pod = found.get();
        boolean isAsked = ShardTrace.of(pod, map) instanceof ShardTrace.Asked(String node) && node.equals(ask.node);
        if (ask.isAsked || isAsked) {
            ask.isAsked = true;
            if (Seen.version(pod.meta()) > Seen.version(ask.latest.meta())) {
                ask.latest = pod;
            }
            judged(ask, in);
        } else if (Seen.version(pod.meta()) > ask.version
                && ShardTrace.of(pod, map) instanceof ShardTrace.Refused(String node, String why)
                && node.equals(ask.node)) {
            endAndRoute(ask, BindFailure.REJECTED, refusal(node, why), in);
        } else {
            asks.remove(ask.pod.meta().uid());
            in.accept(result);
        }
    }

    private void judged(Ask ask, Consumer<? super SchedulerEvent> in) {
        judge(ask, in);
        if (!asks.containsKey(ask.pod.meta().uid())) {
            routeAgain(ask, in);
        }
    }

    private void endAndRoute(Ask ask, BindFailure failure, String message, Consumer<? super SchedulerEvent> in) {
        end(ask, failure, message, in);
        routeAgain(ask, in);
    }

    private void routeAgain(Ask ask, Consumer<? super SchedulerEvent> in) {
        route(List.of(ask.pod), in);
    }

    @Override
    public void give(Command command, Consumer<? super Command> out) {
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> {
                Pod latest = waiting.find(pod).map(Waiting::pod).orElse(pod);
                Ask ask = new Ask(pod, latest, node);
                asks.put(pod.meta().uid(), ask);
                out.accept(ask.write(map));
            }
            case Command.RecordEvent(var _, ObjectEvent event)
            when event.reason().equals(ObjectEvent.SCHEDULED) -> {}
            default -> out.accept(command);
        }
    }

    @Override
    public void othersAt(ShardProgress least, Consumer<? super SchedulerEvent> in) {
        others = least;
        asks.values().stream().filter(ask -> ask.isLost).toList().forEach(ask -> commands.accept(ask.write(map)));
        release(in);
    }

    /** It binds nothing itself, so nobody has to wait for it. */
    @Override
    public ShardProgress progress() {
        return new ShardProgress(Long.MAX_VALUE, seen.newestPod(), Long.MAX_VALUE, Long.MAX_VALUE);
    }

    @Override
    public boolean wantsPodsAnew() {
        return false;
    }

    @Override
    public QueueCounts counted(QueueCounts inQueue) {
        return inQueue.plus(QueueState.ACTIVE, withheld.size());
    }

    @Override
    public boolean waits() {
        return !withheld.isEmpty();
    }
}
