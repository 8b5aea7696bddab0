package io.evenkeel.shard;

import io.evenkeel.config.Difference;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.shard.PodsThatWait.Waiting;
import io.evenkeel.shard.PodsThatWait.Way;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The gate before the engine that sees all nodes. Of the pods that wait it lets in those that no shard can judge, and where the engine
 * would bind one, it asks the owner of the node for the place:
 *
 * <pre>
 *   stage       what comes                                    next
 *   ANNOUNCING  all know whom the pod shuns, and it fits      SENT
 *               the same, and it does not fit any more        not bound
 *   SENT        written                                       ASKED
 *               not written                                   not bound
 *               no answer                                     the pod is looked up: ASKED, or not bound
 *   ASKED       the watch shows the pod on the node           bound
 *               the watch shows that it was refused           not bound
 * </pre>
 *
 * <p>Only a pod that shuns others across shards is announced; whom it shuns counts for all from then on. Where it waits again and fits
 * nowhere, it is taken back, so that nobody is bound by a pod that only waits.
 *
 * <p>An ask is written into the pod as it was known, so that none comes late. Nobody takes one back: until it is answered, the pod
 * counts on the node, also after another engine has taken this one's place. All pods of our profiles that wait are
 * kept, as it may depend on others whose they are.
 */
public final class OverseerGate extends RoutingGate {
    /** By UID. */
    private final Map<String, Ask> asks = new HashMap<>();
    /** By UID, what pods are known to shun that wait. */
    private final Map<String, Announcement> announced = new LinkedHashMap<>();
    /** By UID, the overseer's pods for which shards keep room, as they were last known. */
    private final Map<String, Pod> nominated = new HashMap<>();

    private final boolean gatedKeepRoom;

    private ShardProgress others = ShardProgress.NONE;
    /** Once so many pods have been seen, an announced place may be asked for. */
    private long awaited = Long.MAX_VALUE;

    private static final class Announcement {
        static final long NOT_TAKEN_BACK = -1;

        /** As it was first seen to say so. */
        final Pod pod;
        /** The newest pods that others had seen when they all knew; the least, as a Lease may have said anything for a while. */
        long pods = Long.MAX_VALUE;
        /** The newest pod that was seen when it was to be taken back; it may hold still. */
        long takenBack = NOT_TAKEN_BACK;

        Announcement(Pod pod) {
            this.pod = pod;
        }

        boolean isTakenBack() {
            return takenBack != NOT_TAKEN_BACK;
        }
    }

    private static final class Ask {
        final Pod pod;
        final String node;
        /** Of the pod into which it was written last. */
        long version;
        /** Of the pod as that has made it, once it is known; the same where the pod said so already. */
        long made;

        Pod latest;
        /** Whether others are to know first whom the pod shuns. */
        boolean isAnnouncing;
        /** Whether the owner may know of it. */
        boolean isAsked;
        /** Whether the write is still to be answered. */
        boolean isUnderway;
        /** Whether it is to be written again. */
        boolean isLost;

        Ask(Pod pod, Pod latest, String node, boolean isAnnouncing) {
            this.pod = pod;
            this.latest = latest;
            this.node = node;
            this.isAnnouncing = isAnnouncing;
        }

        Command write(ShardMap map) {
            version = Seen.version(latest.meta());
            isUnderway = true;
            isLost = false;
            ShardTrace trace = isAnnouncing ? new ShardTrace.Announced(node) : new ShardTrace.Asked(node);
            return trace.write(latest, map, node);
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
        super(map, configuration, engine, commands);
        gatedKeepRoom = configuration.featureGates().has(Difference.GATED_PODS_KEEP_ROOM);
    }

    @Override
    OptionalInt shardOf(String node) {
        return map.moves()
                ? engine.get().cluster().node(node).stream()
                        .mapToInt(map::ofNode)
                        .findFirst()
                : map.ofName(node);
    }

    @Override
    public void take(SchedulerEvent event, Consumer<? super SchedulerEvent> in) {
        super.take(event, in);
        if (seen.pods() >= awaited) {
            askForAnnounced(in);
        }
    }

    @Override
    void takeObject(ClusterEvent event, KubernetesObject object, Consumer<? super SchedulerEvent> in) {
        in.accept(event);
    }

    @Override
    boolean isOurs(Pod unreadable) {
        return unreadable.isPlaced();
    }

    @Override
    void takeSettled(Pod pod, Consumer<? super SchedulerEvent> in) {
        Ask ask = asks.get(pod.meta().uid());
        forget(pod);
        in.accept(new ClusterEvent.Put(pod));
        if (ask != null && ask.node.equals(pod.spec().nodeName())) {
            in.accept(new CommandResult.Bound(ask.pod, ask.node));
        }
    }

    @Override
    void takeWaiting(Pod pod, Consumer<? super SchedulerEvent> in) {
        String uid = pod.meta().uid();
        waiting.find(pod.key())
                .map(known -> known.pod().meta().uid())
                .filter(known -> !known.equals(uid))
                .ifPresent(this::forgetAsk);
        noteAnnounced(pod);
        Ask ask = asks.get(uid);
        if (ask != null) {
            remember(pod, new Way.Across(), ShardTrace.of(pod, map));
            ask.latest = pod;
            judge(ask, in);
        }
        if (asks.containsKey(uid)) {
            in.accept(new ClusterEvent.Put(pod));
        } else {
            route(pod, in);
        }
    }

    @Override
    void forget(Pod pod) {
        super.forget(pod);
        forgetAsk(pod.meta().uid());
    }

    private void forgetAsk(String uid) {
        asks.remove(uid);
        announced.remove(uid);
        nominated.remove(uid);
    }

    @Override
    void remember(Pod pod, Way way, ShardTrace trace) {
        super.remember(pod, way, trace);
        if (way instanceof Way.Across && !pod.status().nominatedNodeName().isEmpty()) {
            nominated.put(pod.meta().uid(), pod);
        } else {
            nominated.remove(pod.meta().uid());
        }
    }

    /** Whom it shuns counts as long as the pod says so. */
    private void noteAnnounced(Pod pod) {
        if (!facts.carriesTerms(pod)) {
            return;
        }
        String uid = pod.meta().uid();
        ShardTrace trace = ShardTrace.of(pod, map);
        if (trace instanceof ShardTrace.Announced) {
            announced.compute(uid, (_, was) -> was == null || was.isTakenBack() ? new Announcement(pod) : was);
        } else if (!(trace instanceof ShardTrace.Asked)) {
            announced.remove(uid);
        }
    }

    /** Looks at what the pod says of the ask by the last news. */
    private void judge(Ask ask, Consumer<? super SchedulerEvent> in) {
        Pod pod = ask.latest;
        if (!isNews(ask)) {
            return;
        }
        ShardTrace trace = ShardTrace.of(pod, map);
        if (ask.isAnnouncing) {
            if (trace instanceof ShardTrace.Announced) {
                askIfAllKnow(ask, in);
            } else if (!ask.isUnderway) {
                // overwritten by somebody
                commands.accept(ask.write(map));
            }
        } else if (trace instanceof ShardTrace.Asked(String node) && node.equals(ask.node)) {
            ask.isAsked = true;
        } else if (ask.isAsked
                && trace instanceof ShardTrace.Refused(String node, String why)
                && node.equals(ask.node)) {
            end(ask, BindFailure.REJECTED, refusedBy(node, why), in);
        } else if (ask.isAsked && !ask.isUnderway) {
            // overwritten by somebody, such as a shard that was late; the owner may have read it before
            commands.accept(ask.write(map));
        }
    }

    /** Whether the last news is of after the write; one that announces what is announced already may make none. */
    private boolean isNews(Ask ask) {
        long latest = Seen.version(ask.latest.meta());
        return latest > ask.version
                || (ask.isAnnouncing
                        && latest >= ask.made
                        && ShardTrace.of(ask.latest, map).equals(new ShardTrace.Announced(ask.node)));
    }

    /**
     * Asks for the place that was announced, once it is known whom others have placed before they knew. The pod counts there, so that only
     * what they have placed may be in its way.
     */
    private void askIfAllKnow(Ask ask, Consumer<? super SchedulerEvent> in) {
        Announcement known = announced.get(ask.pod.meta().uid());
        if (known == null || ask.isUnderway) {
            return;
        }
        if (others.pods() >= Seen.version(known.pod.meta())) {
            known.pods = Math.min(known.pods, others.podsSeen());
        }
        if (seen.pods() < known.pods) {
            awaited = Math.min(awaited, known.pods);
            return;
        }
        Scheduler scheduler = engine.get();
        List<Pod> itself = scheduler.cluster().pod(ask.pod.key()).stream().toList();
        if (scheduler.engine().assess(ask.pod, ask.node, itself) instanceof Assessment.Rejected(String reason)) {
            endAndRoute(ask, BindFailure.REJECTED, "others were placed before they knew whom it shuns: " + reason, in);
        } else {
            ask.isAnnouncing = false;
            commands.accept(ask.write(map));
        }
    }

    private void askForAnnounced(Consumer<? super SchedulerEvent> in) {
        awaited = Long.MAX_VALUE;
        asks.values().stream()
                .filter(ask -> ask.isAnnouncing && isNews(ask))
                .toList()
                .forEach(ask -> askIfAllKnow(ask, in));
    }

    /** Nobody is to be bound by a pod that fits nowhere. */
    private void takeBack() {
        for (Announcement known : announced.values()) {
            Optional<Waiting> pod = waiting.find(known.pod);
            boolean isDue = !known.isTakenBack() || others.pods() > known.takenBack;
            if (isDue
                    && pod.isPresent()
                    && !asks.containsKey(known.pod.meta().uid())
                    && ShardTrace.of(pod.get().pod(), map) instanceof ShardTrace.Announced(String node)
                    && fitsNowhere(known.pod)) {
                known.takenBack = seen.newestPod();
                commands.accept(takenBack(pod.get().pod(), node));
            }
        }
    }

    /** The engine keeps no room for whom a gate holds; the shard of the node cannot tell that it does, and would refuse others for ever. */
    private void freeRoom() {
        if (gatedKeepRoom) {
            return;
        }
        nominated.values().removeIf(pod -> {
            boolean isGated = engine.get()
                    .queue()
                    .view(pod.key())
                    .filter(queued -> queued.state() == QueueState.GATED)
                    .isPresent();
            if (isGated) {
                commands.accept(new Command.PatchStatus(pod, Optional.empty(), Optional.of("")));
            }
            return isGated;
        });
    }

    /** Who hears of no answer tries again. */
    private Command takenBack(Pod pod, String node) {
        String nominated = pod.status().nominatedNodeName();
        return new Command.WriteObject(
                pod,
                new ShardTrace.TakenBack(node)
                        .write(pod, map, nominated.equals(node) ? "" : nominated)
                        .patch(),
                false);
    }

    private boolean fitsNowhere(Pod pod) {
        return engine.get()
                .queue()
                .view(pod.key())
                .filter(queued -> queued.state() == QueueState.UNSCHEDULABLE || queued.state() == QueueState.GATED)
                .isPresent();
    }

    private void end(Ask ask, BindFailure failure, String message, Consumer<? super SchedulerEvent> in) {
        asks.remove(ask.pod.meta().uid());
        in.accept(new CommandResult.NotBound(ask.pod, ask.node, failure, message));
    }

    private static String refusedBy(String node, String why) {
        return "the shard of " + node + " has no place there: " + why;
    }

    @Override
    boolean isAcross(Way way) {
        return way instanceof Way.Across || way instanceof Way.Asked;
    }

    @Override
    void route(Pod pod, Consumer<? super SchedulerEvent> in) {
        if (!asks.containsKey(pod.meta().uid())) {
            choose(pod, waiting.find(pod.key()), in);
        }
    }

    @Override
    boolean isAnother(Way before, Way now) {
        return !(now instanceof Way.Asked) && !before.equals(now);
    }

    @Override
    Pod asLetIn(Pod pod, Way way) {
        return switch (way) {
            case Way.Across _ -> pod;
            case Way.Kept _ -> keepingRoom(PodBuilder.from(pod));
            // by an engine before this one; it counts there
            case Way.Asked(String node) -> PodBuilder.from(pod).nodeName(node).build();
            case Way.Out _, Way.Nobodys _, Way.Turn _ -> throw new IllegalStateException(pod.key() + " stays out");
        };
    }

    @Override
    Way wayOf(Pod pod, ShardTrace trace) {
        if (trace instanceof ShardTrace.Asked(String node)) {
            return new Way.Asked(node);
        }
        if (reach.of(pod) instanceof Reach.ToOverseer) {
            return new Way.Across();
        }
        String node = pod.status().nominatedNodeName();
        return node.isEmpty() ? new Way.Out(true) : new Way.Kept(node);
    }

    @Override
    void takeAnswer(CommandResult result, Consumer<? super SchedulerEvent> in) {
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
            case CommandResult.Written written -> {
                ask.get().made = Seen.version(written.resourceVersion());
                ask.get().isAsked = !ask.get().isAnnouncing;
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

    private static String inAsking(Ask ask, String message) {
        return "asking for a place on " + ask.node + ": " + message;
    }

    private void notWritten(
            Ask ask, CommandResult.WriteFailure failure, String message, Consumer<? super SchedulerEvent> in) {
        String told = inAsking(ask, message);
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
            case FAILED -> endAndRoute(ask, BindFailure.FAILED, told, in);
            case NOT_LEADING -> endAndRoute(ask, BindFailure.NOT_LEADING, told, in);
            case UNKNOWN, OVERTAKEN -> {
                // by itself perhaps, where it came twice; until the pod has been looked up
                ask.isUnderway = true;
                in.accept(new CommandResult.NotBound(ask.pod, ask.node, BindFailure.UNKNOWN, told));
            }
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
        ShardTrace trace = ShardTrace.of(pod, map);
        boolean isThere = ask.isAnnouncing
                ? trace instanceof ShardTrace.Announced && Seen.version(pod.meta()) > ask.version
                : trace instanceof ShardTrace.Asked(String node) && node.equals(ask.node);
        if (ask.isAsked || isThere) {
            ask.isAsked = !ask.isAnnouncing;
            ask.isUnderway = false;
            if (Seen.version(pod.meta()) > Seen.version(ask.latest.meta())) {
                ask.latest = pod;
            }
            judged(ask, in);
        } else if (Seen.version(pod.meta()) > ask.version
                && trace instanceof ShardTrace.Refused(String node, String why)
                && node.equals(ask.node)) {
            endAndRoute(ask, BindFailure.REJECTED, refusedBy(node, why), in);
        } else {
            asks.remove(ask.pod.meta().uid());
            in.accept(result);
        }
    }

    private void judged(Ask ask, Consumer<? super SchedulerEvent> in) {
        judge(ask, in);
        if (!asks.containsKey(ask.pod.meta().uid())) {
            routeAgain(List.of(ask.pod), in);
        }
    }

    private void endAndRoute(Ask ask, BindFailure failure, String message, Consumer<? super SchedulerEvent> in) {
        end(ask, failure, message, in);
        routeAgain(List.of(ask.pod), in);
    }

    @Override
    public void give(Command command, Consumer<? super Command> out) {
        switch (command) {
            case Command.Bind(Pod pod, String node, var _) -> {
                Pod latest = waiting.find(pod).map(Waiting::pod).orElse(pod);
                Ask ask = new Ask(pod, latest, node, facts.carriesTerms(pod));
                asks.put(pod.meta().uid(), ask);
                out.accept(ask.write(map));
            }
            case Command.RecordEvent(var _, ObjectEvent event)
            when event.reason().equals(ObjectEvent.SCHEDULED) -> {}
            case Command.RecordEvent _, Command.PatchStatus _
            when waiting.find(command.pod())
                    .filter(known -> known.way() instanceof Way.Kept)
                    .isPresent() -> {}
            default -> out.accept(command);
        }
    }

    @Override
    public void othersAt(ShardProgress least, Consumer<? super SchedulerEvent> in) {
        others = least;
        asks.values().stream().filter(ask -> ask.isLost).toList().forEach(ask -> commands.accept(ask.write(map)));
        askForAnnounced(in);
        takeBack();
        freeRoom();
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
    public boolean waits() {
        return !announced.isEmpty();
    }
}
