package io.evenkeel.shard;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.CommandResult.EvictionFailure;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.shard.PodsThatWait.Topic;
import io.evenkeel.shard.PodsThatWait.Waiting;
import io.evenkeel.shard.PodsThatWait.Way;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The gate before the engine of one shard. It lets in the shard's nodes, the pods on them, and of those that wait:
 *
 * <pre>
 *   a pod                                     comes in
 *   for which one of our nodes is asked for   as one that fits on that node only, and whose constraints that reach across hold
 *   whose turn it is here, round 1            as one that no other goes for
 *   whose turn it is here, round 2            as it is
 *   with room kept on one of our nodes        as one that fits nowhere, so that the room is kept
 * </pre>
 *
 * <p>A node, a placed pod and a pod that waits elsewhere cost some look-ups in hash maps each. Of pods that wait those are kept
 * that came in, and those that the overseer has.
 */
public final class LocalGate extends RoutingGate {
    /** In the place of constraints that the overseer has judged, so that a profile's own do not take it. */
    private static final List<TopologySpreadConstraint> JUDGED = List.of(TopologySpreadConstraint.of(
            1, Node.HOSTNAME, TopologySpreadConstraint.WhenUnsatisfiable.SCHEDULE_ANYWAY, LabelSelector.NOTHING));

    /** As engines begin to say that a pod is for another node alone. */
    private static final String ELSEWHERE = "node(s) didn't satisfy plugin(s) ";

    /** What the condition of a pod says that nobody decides, before the reason. */
    public static final String NOBODY_JUDGES = "no shard can judge the pod by itself, and there is no overseer: ";

    private static final String UNSCHEDULABLE = "Unschedulable";

    private static final String ASKED_BEFORE = "it was asked for before the shard was taken";

    private final int shard;
    private final ShardNodes nodes;
    private final OtherNodes others;
    /** The names of the profiles by which claims are bound before pods are. */
    private final Set<String> bindingClaims;

    /** By UID, the places that were asked for and that are not to be had. */
    private final Map<String, Refusal> refusals = new HashMap<>();
    /** By UID, what this shard has found of pods and is still to be written into them. */
    private final Map<String, Finding> findings = new HashMap<>();
    /** What came of a command, and the engine is to know as soon as it takes something in. */
    private final List<SchedulerEvent> late = new ArrayList<>();
    /**
     * By UID, the pods for which a place was asked before this shard was taken. That may have been under another map, or before an engine
     * scheduled alone, which knows of no asks: what was judged then need not hold any more. Each is refused, and may be asked for again.
     */
    private final Set<String> askedBefore = new HashSet<>();

    private boolean hasListedPods;

    /**
     * A place that is refused. Until the pod says so the engine must not try it any more, and it is written only into the pod as it was
     * known, so that no later ask is refused by it.
     */
    private static final class Refusal {
        final String node;
        final String why;
        /** The version that it was made from; once it is written, the one that it made. */
        long version;

        boolean isUnderway;
        boolean isWritten;

        Refusal(String node, String why) {
            this.node = node;
            this.why = why;
        }
    }

    /**
     * That this shard has no place for a pod, or that no shard can judge it. It is written only into the pod as it was known, so that no shard
     * undoes what another has said; where that was overtaken it is written anew, beside what the other has said.
     */
    private static final class Finding {
        /** After so many failures in a row it is tried again as seldom as after more. */
        private static final int MOST_FAILURES = 6;

        /** Empty where no shard can judge it. */
        Optional<ShardTrace.Attempt> attempt;

        String reason;
        Optional<String> nominated;
        /** Who is to go for the pod once this is written: of two shards that find out at once one makes room. */
        final List<Command.Evict> evictions = new ArrayList<>();
        /** The node that the pod's status named when that was found. */
        String named = "";
        /** Of the pod into which it was written last. */
        long version = -1;

        boolean isUnderway;
        /** Whether there is news since that was written. */
        boolean isChanged;
        /** Whether it is of no use any more, once the answer is there. */
        boolean isOver;

        private int failures;
        private int rest;

        Finding(Optional<ShardTrace.Attempt> attempt, String reason, Optional<String> nominated) {
            this.attempt = attempt;
            this.reason = reason;
            this.nominated = nominated;
        }

        /** What was nominated and is still to be written stays, where the newer leaves it as it is. */
        void becomes(Optional<ShardTrace.Attempt> newer, String newReason, Optional<String> newlyNominated) {
            attempt = newer;
            reason = newReason;
            nominated = newlyNominated.or(() -> nominated);
            isChanged = isUnderway;
            isOver = false;
        }

        ShardTrace.Tried after(ShardTrace.Tried before) {
            return attempt.map(before::with).orElse(before);
        }

        void failed() {
            failures = Math.min(failures + 1, MOST_FAILURES);
            rest = 1 << failures;
        }

        /** With each call it has rested for longer. */
        boolean hasRested() {
            return --rest <= 0;
        }
    }

    /**
     * Makes a gate for an engine that has not been told of anything.
     *
     * @param engine of this shard, once it is there
     * @param commands takes what the gate has to say by itself
     */
    public LocalGate(
            int shard,
            ShardMap map,
            SchedulerConfiguration configuration,
            Supplier<Scheduler> engine,
            Consumer<? super Command> commands) {
        super(map, configuration, engine, commands);
        this.shard = shard;
        nodes = new ShardNodes(shard, map);
        others = new OtherNodes(shard, map, configuration.effectiveProfiles());
        bindingClaims = configuration.effectiveProfiles().stream()
                .filter(profile -> profile.has("VolumeBinding", ExtensionPoint.PRE_BIND))
                .map(Profile::schedulerName)
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public void take(SchedulerEvent event, Consumer<? super SchedulerEvent> in) {
        others.hearNews();
        tellLate(in);
        super.take(event, in);
        if (nodes.isAnyWithheld()) {
            release(in);
        }
    }

    private void tellLate(Consumer<? super SchedulerEvent> in) {
        if (!late.isEmpty()) {
            List<SchedulerEvent> told = List.copyOf(late);
            late.clear();
            told.forEach(in);
        }
    }

    @Override
    OptionalInt shardOf(String node) {
        return nodes.shardOf(node);
    }

    @Override
    void takeObject(ClusterEvent event, KubernetesObject object, Consumer<? super SchedulerEvent> in) {
        switch (object) {
            case Node node when event instanceof ClusterEvent.Put -> put(node, in);
            case Node node -> remove(node, in);
            // whether they hold is for the overseer to know
            case PolicyObject _ -> {}
            case CsiNode csiNode when isOfAnother(csiNode) -> {}
            default -> in.accept(event);
        }
    }

    /** Whether its node is another shard's for ever. */
    private boolean isOfAnother(CsiNode csiNode) {
        return map.ofName(csiNode.meta().name()).orElse(shard) != shard;
    }

    private void put(Node node, Consumer<? super SchedulerEvent> in) {
        sweep.saw(node);
        others.put(node);
        boolean wasThere = map.moves()
                && !nodes.isWithheld(node.name())
                && nodes.shardOf(node.name()).equals(OptionalInt.of(shard));
        switch (nodes.put(node)) {
            case HERE -> in.accept(new ClusterEvent.Put(node));
            case ELSEWHERE -> {
                if (wasThere) {
                    in.accept(new ClusterEvent.Removed(node));
                }
                dropPodsOn(node.name(), in);
                routeThoseOf(node.name(), in);
            }
            case WITHHELD -> routeThoseOf(node.name(), in);
            case NONE -> {}
        }
    }

    private void remove(Node node, Consumer<? super SchedulerEvent> in) {
        others.remove(node.name());
        boolean isWithheld = nodes.isWithheld(node.name());
        if (nodes.remove(node.name()) && !isWithheld) {
            in.accept(new ClusterEvent.Removed(node));
        }
        routeThoseOf(node.name(), in);
    }

    private void dropPodsOn(String node, Consumer<? super SchedulerEvent> in) {
        engine.get()
                .cluster()
                .nodeInfo(node)
                .map(info -> List.copyOf(info.pods()))
                .orElse(List.of())
                .forEach(pod -> in.accept(new ClusterEvent.Removed(pod)));
    }

    private void routeThoseOf(String node, Consumer<? super SchedulerEvent> in) {
        routeAgain(waiting.about(new Topic(Topic.Kind.NODE, node)), in);
    }

    private void release(Consumer<? super SchedulerEvent> in) {
        for (Node node : nodes.released(seen.pods())) {
            in.accept(new ClusterEvent.Put(node));
            routeThoseOf(node.name(), in);
        }
    }

    @Override
    void takeSettled(Pod pod, Consumer<? super SchedulerEvent> in) {
        forget(pod);
        boolean isHere = pod.isPlaced()
                && !pod.status().isFinished()
                && nodes.shardOf(pod.spec().nodeName()).orElse(shard) == shard;
        if (isHere) {
            in.accept(new ClusterEvent.Put(alone(pod)));
        } else {
            dropIfKnown(pod, in);
        }
    }

    @Override
    boolean isAcross(Way way) {
        return !(way instanceof Way.Turn);
    }

    /** One on its way to a node stays where it is until it is known whether it gets there. */
    @Override
    void route(Pod pod, Consumer<? super SchedulerEvent> in) {
        Optional<Waiting> before = waiting.find(pod.key());
        Optional<Waiting> itself = waiting.find(pod);
        if (itself.isEmpty()) {
            before.ifPresent(another -> forget(another.pod()));
        }
        if (seen.binds(pod) && itself.filter(known -> known.way().isIn()).isPresent()) {
            Way way = itself.get().way();
            remember(pod, way, ShardTrace.of(pod, map));
            in.accept(new ClusterEvent.Put(asLetIn(pod, way)));
            return;
        }
        Way way = choose(pod, before, in);
        boolean isAsBefore = itself.filter(known -> known.way().equals(way)).isPresent();
        boolean wasNobodys =
                itself.filter(known -> known.way() instanceof Way.Nobodys).isPresent();
        if (way instanceof Way.Turn turn && !wasNobodys) {
            itself.ifPresent(known -> hearOfOthers(known, pod, turn));
            writeAgain(pod, turn);
        } else if (!isAsBefore) {
            drop(pod);
        }
        if (way instanceof Way.Nobodys nobodys) {
            sayNobodyJudges(pod, nobodys, !isAsBefore);
        }
    }

    /** Who speaks for the pod tells what another shard has found since. */
    private void hearOfOthers(Waiting before, Pod pod, Way.Turn turn) {
        boolean isToldHere = turn.turn().shard().isEmpty() && turn.turn().speaker() == shard;
        boolean isNews = isToldHere
                && before.way() instanceof Way.Turn was
                && !was.tried().without(shard).equals(turn.tried().without(shard))
                && !before.pod().status().scheduled().equals(pod.status().scheduled());
        if (isNews) {
            Finding finding = findings.get(pod.meta().uid());
            ShardTrace.Tried tried = finding == null ? turn.tried() : finding.after(turn.tried());
            commands.accept(failed(pod, message(pod, turn, tried)));
        }
    }

    private static Command.RecordEvent failed(Pod pod, String message) {
        return new Command.RecordEvent(
                pod, ObjectEvent.failedScheduling(message, pod.spec().schedulerName()));
    }

    private String message(Pod pod, Way.Turn turn, ShardTrace.Tried tried) {
        List<Integer> left = turn.turn().order();
        return tried.message(
                left,
                left.size() == map.count()
                        ? Optional.empty()
                        : others.whyNot(pod, left, engine.get().engine()));
    }

    /** Where it was not written, and there is news of the pod. */
    private void writeAgain(Pod pod, Way way) {
        Finding finding = findings.get(pod.meta().uid());
        if (finding != null && !finding.isUnderway && Seen.version(pod.meta()) > finding.version) {
            write(pod, way, finding);
        }
    }

    @Override
    void forget(Pod pod) {
        super.forget(pod);
        refusals.remove(pod.meta().uid());
        askedBefore.remove(pod.meta().uid());
        drop(pod);
    }

    /** What was found of the pod is not to be written any more. */
    private void drop(Pod pod) {
        findings.computeIfPresent(pod.meta().uid(), (_, finding) -> {
            finding.isOver = true;
            nobodyGoes(finding);
            return finding.isUnderway ? finding : null;
        });
    }

    @Override
    boolean isAnother(Way before, Way now) {
        // that others may go for it from now on is nothing that an engine tries a pod again for
        return before instanceof Way.Turn was && now instanceof Way.Turn is
                ? !was.turn().mayPreempt(shard) && is.turn().mayPreempt(shard)
                : !before.equals(now);
    }

    @Override
    Way wayOf(Pod pod, ShardTrace trace) {
        if (trace instanceof ShardTrace.Asked(String node)) {
            boolean isHere = nodes.ownerOf(node) == shard && !nodes.isWithheld(node);
            if (!hasListedPods) {
                askedBefore.add(pod.meta().uid());
            }
            if (isHere) {
                whyNotJudged(pod)
                        .ifPresent(why -> refusals.computeIfAbsent(pod.meta().uid(), _ -> new Refusal(node, why)));
            }
            return isHere && !isRefused(pod, node) ? new Way.Asked(node) : new Way.Out(isHere || map.moves());
        }
        refusals.remove(pod.meta().uid());
        askedBefore.remove(pod.meta().uid());
        return switch (reach.of(pod)) {
            case Reach.ToOverseer(String reason) -> wayAcross(pod, reason);
            case Reach.ToShards(List<Integer> order) -> {
                ShardTrace.Tried tried = trace instanceof ShardTrace.Tried told ? told : ShardTrace.NONE;
                ShardTrace.Turn turn = tried.turn(order, pod.spec().preempts(), reach.nominatedShard(pod));
                yield turn.isOf(shard) ? new Way.Turn(tried, turn) : new Way.Out(false);
            }
        };
    }

    /** Of claims and volumes the overseer's news may have been newer than ours; but we are to bind none. */
    private Optional<String> whyNotJudged(Pod pod) {
        if (askedBefore.contains(pod.meta().uid())) {
            return Optional.of(ASKED_BEFORE);
        }
        return bindingClaims.contains(pod.spec().schedulerName()) ? reach.unbound(pod) : Optional.empty();
    }

    /** Whether this place is refused already, as far as the pod shows the same ask. */
    private boolean isRefused(Pod pod, String node) {
        Refusal refusal = refusals.get(pod.meta().uid());
        if (refusal == null) {
            return false;
        }
        boolean isAnother =
                !refusal.node.equals(node) || (refusal.isWritten && Seen.version(pod.meta()) > refusal.version);
        if (isAnother) {
            refusals.remove(pod.meta().uid());
            askedBefore.remove(pod.meta().uid());
        } else if (!refusal.isUnderway && !refusal.isWritten) {
            write(pod, refusal);
        }
        return !isAnother;
    }

    private void write(Pod pod, Refusal refusal) {
        refusal.isUnderway = true;
        refusal.version = Seen.version(pod.meta());
        commands.accept(new ShardTrace.Refused(refusal.node, refusal.why).write(pod, map, ""));
    }

    /** Where it is not written it is tried again, with the next news of the pod or of the others. */
    private static void wrote(CommandResult.OfPreparation result, Refusal refusal) {
        refusal.isUnderway = false;
        if (result instanceof CommandResult.Written written) {
            refusal.isWritten = true;
            refusal.version = Seen.version(written.resourceVersion());
        }
    }

    /** Where it is not written it is tried again: at once where there is news of the pod, else with the next, or with that of others. */
    private void wrote(CommandResult.OfPreparation result, Finding finding) {
        finding.isUnderway = false;
        boolean isWritten = result instanceof CommandResult.Written;
        if (finding.isOver || (isWritten && !finding.isChanged)) {
            findings.remove(result.pod().meta().uid());
            finding.evictions.forEach(commands);
            return;
        }
        if (!isWritten) {
            finding.failed();
        }
        waiting.find(result.pod())
                .filter(known -> isTold(known.way()))
                .ifPresent(known -> writeAgain(known.pod(), known.way()));
    }

    /** Where another shard was faster to make room. */
    private void nobodyGoes(Finding finding) {
        for (Command.Evict evict : finding.evictions) {
            late.add(new CommandResult.NotEvicted(
                    evict.pod(), EvictionFailure.FAILED, "the pod has changed that it was to go for"));
        }
        finding.evictions.clear();
        finding.nominated = Optional.empty();
    }

    private Way wayAcross(Pod pod, String reason) {
        if (map.hasNoOverseer()) {
            return map.ring(pod)[0] == shard ? new Way.Nobodys(reason) : new Way.Out(true);
        }
        String node = pod.status().nominatedNodeName();
        boolean isKeptHere =
                !node.isEmpty() && nodes.shardOf(node).equals(OptionalInt.of(shard)) && !nodes.isWithheld(node);
        return isKeptHere ? new Way.Kept(node) : new Way.Out(true);
    }

    /** Whether it is for this shard to say why a pod waits that goes so. */
    private static boolean isTold(Way way) {
        return way instanceof Way.Turn || way instanceof Way.Nobodys;
    }

    /** Until the pod says so, and again where somebody has overwritten it; and nobody makes room for it any more. */
    private void sayNobodyJudges(Pod pod, Way.Nobodys way, boolean isNews) {
        Finding finding = findings.computeIfAbsent(
                pod.meta().uid(), _ -> new Finding(Optional.empty(), UNSCHEDULABLE, Optional.of("")));
        if (isNews) {
            finding.becomes(Optional.empty(), UNSCHEDULABLE, Optional.of(""));
            PodCondition now = nobodyJudges(pod, way);
            if (!isThere(pod, now)) {
                commands.accept(failed(pod, now.message()));
            }
        }
        writeAgain(pod, way);
    }

    private static PodCondition nobodyJudges(Pod pod, Way.Nobodys way) {
        return scheduled(pod, UNSCHEDULABLE, NOBODY_JUDGES + way.reason());
    }

    private static PodCondition scheduled(Pod pod, String reason, String message) {
        Optional<PodCondition> before = pod.status().scheduled();
        return new PodCondition(
                PodCondition.POD_SCHEDULED,
                "False",
                reason,
                message,
                before.filter(was -> was.status().equals("False"))
                        .map(PodCondition::lastTransitionTime)
                        .orElse(""),
                pod.meta().generation());
    }

    @Override
    Pod asLetIn(Pod pod, Way way) {
        return switch (way) {
            case Way.Asked(String node) -> on(node, pod).build();
            case Way.Kept(String node) -> keepingRoom(on(node, pod));
            case Way.Turn(var _, ShardTrace.Turn turn) -> {
                boolean mayPreempt = pod.spec().preempts() && turn.mayPreempt(shard);
                boolean isSaid = pod.status().scheduled().isPresent();
                yield mayPreempt == pod.spec().preempts() && !isSaid
                        ? pod
                        : PodBuilder.from(pod)
                                .preempts(mayPreempt)
                                .status(unsaid(pod.status()))
                                .build();
            }
            case Way.Out _, Way.Nobodys _, Way.Across _ -> throw new IllegalStateException(pod.key() + " stays out");
        };
    }

    /** Whether its gang is whole is for the overseer to know. */
    private Pod alone(Pod placed) {
        return facts.isInGang(placed)
                ? PodBuilder.from(placed).podGroup(GroupPlugin.ALONE).build()
                : placed;
    }

    /** What has been said of the pod was said of more than one shard; so the engine says all that it has to say. */
    private static PodStatus unsaid(PodStatus status) {
        return new PodStatus(
                status.phase(),
                status.nominatedNodeName(),
                status.startTime(),
                status.containers(),
                status.resizeInfeasible(),
                status.allocatedResources(),
                status.actualRequests(),
                Optional.empty(),
                status.disruptionTarget(),
                status.shard(),
                status.ready(),
                status.claims(),
                status.extendedClaim());
    }

    /** The pod for this node alone, which others do not go for; what the overseer has judged, as it sees all nodes, is left out. */
    private PodBuilder on(String node, Pod pod) {
        PodAffinity affinity = pod.spec().podAffinity();
        return facts.withoutDevices(pod)
                .preempts(false)
                .podGroup(GroupPlugin.ALONE)
                .nodeAffinity(new NodeAffinity(Optional.of(only(node)), List.of()))
                .podAffinity(new PodAffinity(
                        List.of(),
                        List.of(),
                        affinity.requiredAntiAffinity().stream()
                                .filter(term -> map.keepsWhole(term.topologyKey()))
                                .toList(),
                        List.of()))
                .topologySpread(JUDGED)
                .status(PodStatusBuilder.from(unsaid(pod.status()))
                        .nominatedNodeName(node)
                        .build());
    }

    private static NodeSelector only(String node) {
        return new NodeSelector(List.of(new NodeSelectorTerm(
                List.of(),
                List.of(new NodeSelectorRequirement(
                        NodeSelectorTerm.NAME_FIELD, NodeSelectorRequirement.Operator.IN, List.of(node))))));
    }

    @Override
    boolean isOurs(Pod unreadable) {
        String node = unreadable.spec().nodeName();
        return node.isEmpty() ? map.ring(unreadable)[0] == shard : nodes.ownerOf(node) == shard;
    }

    @Override
    boolean keepsAny(String kind) {
        return !kind.equals("Node") || nodes.isAnyKnown() || !others.isEmpty();
    }

    @Override
    void listBegan(String kind) {
        if (kind.equals("Node")) {
            nodes.began();
        } else if (kind.equals("Pod")) {
            nodes.podsBegan();
        }
    }

    @Override
    void listEnded(String kind, Predicate<ObjectMeta> gone, Consumer<? super SchedulerEvent> in) {
        if (kind.equals("Node")) {
            others.forget(gone);
            nodes.ended(gone).stream()
                    // the engine may have been told of it in between, by the gate itself
                    .filter(name -> engine.get().cluster().node(name).isPresent())
                    .forEach(name -> in.accept(
                            new ClusterEvent.Removed(NodeBuilder.node(name).build())));
        } else if (kind.equals("Pod")) {
            hasListedPods = true;
            nodes.podsEnded();
        }
    }

    @Override
    void takeAnswer(CommandResult result, Consumer<? super SchedulerEvent> in) {
        String uid = result.pod().meta().uid();
        if (result instanceof CommandResult.OfPreparation answer) {
            long version = Seen.version(answer.pod().meta());
            Refusal refusal = refusals.get(uid);
            if (refusal != null && version == refusal.version) {
                wrote(answer, refusal);
                return;
            }
            Finding finding = findings.get(uid);
            if (finding != null && finding.isUnderway && version == finding.version) {
                wrote(answer, finding);
                return;
            }
        }
        switch (result) {
            case CommandResult.NotBound refused -> {
                in.accept(result);
                if (refused.failure() != BindFailure.UNKNOWN && refused.failure() != BindFailure.ALREADY_BOUND) {
                    notBound(refused.pod(), in);
                }
            }
            case CommandResult.Found(Pod asked, Optional<Pod> found) -> {
                in.accept(new CommandResult.Found(asked, found.map(this::asKnown)));
                if (found.filter(pod -> pod.isPlaced() && pod.meta().uid().equals(uid))
                        .isEmpty()) {
                    notBound(asked, in);
                }
            }
            default -> in.accept(result);
        }
    }

    /** Whose the pod is may have changed since it was decided. */
    private void notBound(Pod pod, Consumer<? super SchedulerEvent> in) {
        seen.settled(pod);
        routeAgain(List.of(pod), in);
    }

    /** A pod that was looked up, as the engine would know it. */
    private Pod asKnown(Pod found) {
        return found.isPlaced()
                ? alone(found)
                : letIn(found).map(known -> asLetIn(found, known.way())).orElse(found);
    }

    @Override
    public void give(Command command, Consumer<? super Command> out) {
        Optional<Waiting> known = letIn(command.pod());
        Pod pod = known.map(Waiting::pod).orElse(command.pod());
        switch (command) {
            case Command.Bind _
            when refusals.containsKey(pod.meta().uid()) ->
                late.add(new CommandResult.NotBound(
                        command.pod(), "", BindFailure.REJECTED, "the place is refused already"));
            case Command.Bind(var _, String node, var steps) -> {
                drop(pod);
                seen.sent(pod.meta());
                out.accept(new Command.Bind(pod, node, steps));
            }
            // of one that the engine is yet to hear that it is out
            case Command.PatchStatus _, Command.RecordEvent _
            when known.isEmpty() && waiting.find(pod).isPresent() -> {}
            case Command.PatchStatus(var _, var conditions, var nominated) -> {
                Optional<PodCondition> failed = conditions.stream()
                        .filter(each -> each.type().equals(PodCondition.POD_SCHEDULED))
                        .findFirst();
                if (known.isEmpty()) {
                    out.accept(command);
                } else {
                    patch(known.get(), failed, conditions, nominated, out);
                }
            }
            case Command.RecordEvent(var _, ObjectEvent event) -> {
                if (known.isPresent() && event.reason().equals(ObjectEvent.FAILED_SCHEDULING)) {
                    sayFailed(known.get(), event, out);
                } else {
                    out.accept(new Command.RecordEvent(pod, event));
                }
            }
            case Command.Evict evict
            when findings.containsKey(evict.preemptor().meta().uid()) ->
                findings.get(evict.preemptor().meta().uid()).evictions.add(evict);
            case Command.AskOfNodes(var _, var asked) -> out.accept(new Command.AskOfNodes(pod, asked));
            case Command.Lookup _ -> out.accept(new Command.Lookup(pod));
            default -> out.accept(command);
        }
    }

    private void sayFailed(Waiting known, ObjectEvent event, Consumer<? super Command> out) {
        if (known.way() instanceof Way.Turn turn) {
            ShardTrace.Tried tried = after(known.pod(), turn, event.note());
            if (isLast(known.pod(), turn, tried) && turn.turn().speaker() == shard) {
                out.accept(failed(known.pod(), message(known.pod(), turn, tried)));
            }
        }
    }

    /** That no other may go for the pod in the first round is none of its own words. */
    private ShardTrace.Attempt attempt(Pod pod, Way.Turn turn, String message) {
        boolean isWhole = !pod.spec().preempts() || turn.turn().mayPreempt(shard);
        String said = isWhole ? message : JointMessage.withoutPreemption(message);
        return new ShardTrace.Attempt(shard, turn.turn().round(), said);
    }

    private ShardTrace.Tried after(Pod pod, Way.Turn turn, String message) {
        return turn.tried().with(attempt(pod, turn, message));
    }

    /** Whether each shard has had its turns by then. */
    private boolean isLast(Pod pod, Way.Turn turn, ShardTrace.Tried tried) {
        return tried.turn(turn.turn().order(), pod.spec().preempts(), OptionalInt.empty())
                .shard()
                .isEmpty();
    }

    private void patch(
            Waiting known,
            Optional<PodCondition> failed,
            List<PodCondition> conditions,
            Optional<String> nominated,
            Consumer<? super Command> out) {
        Pod pod = known.pod();
        switch (known.way()) {
            case Way.Asked(String node)
            when failed.isPresent() -> {
                Refusal refusal =
                        new Refusal(node, JointMessage.ofOneNode(failed.get().message(), ELSEWHERE));
                refusals.put(pod.meta().uid(), refusal);
                write(pod, refusal);
                remember(pod, new Way.Out(true), ShardTrace.of(pod, map));
                late.add(new ClusterEvent.Removed(pod));
            }
            case Way.Asked _, Way.Kept _ -> {}
            case Way.Turn turn when failed.isPresent() -> found(pod, turn, failed.get(), nominated, out);
            default -> {
                Optional.ofNullable(findings.get(pod.meta().uid()))
                        .ifPresent(finding -> finding.nominated = nominated.or(() -> finding.nominated));
                out.accept(new Command.PatchStatus(pod, conditions, nominated));
            }
        }
    }

    private void found(
            Pod pod, Way.Turn turn, PodCondition failed, Optional<String> nominated, Consumer<? super Command> out) {
        ShardTrace.Attempt attempt = attempt(pod, turn, failed.message());
        ShardTrace.Tried tried = turn.tried().with(attempt);
        boolean isTold = isLast(pod, turn, tried) && turn.turn().speaker() == shard;
        if (isAny(nominated) && !isTold) {
            out.accept(failed(pod, message(pod, turn, tried)));
        }
        Finding finding = findings.computeIfAbsent(
                pod.meta().uid(), _ -> new Finding(Optional.of(attempt), failed.reason(), nominated));
        finding.becomes(Optional.of(attempt), failed.reason(), nominated);
        finding.named = pod.status().nominatedNodeName();
        if (!finding.isUnderway) {
            write(pod, turn, finding);
        }
    }

    private static boolean isAny(Optional<String> node) {
        return node.filter(name -> !name.isEmpty()).isPresent();
    }

    /** Unless all of it is there already. */
    private void write(Pod pod, Way way, Finding finding) {
        String named = pod.status().nominatedNodeName();
        boolean isMadeElsewhere = !named.equals(finding.named) && !finding.nominated.equals(Optional.of(named));
        if (isMadeElsewhere && isAny(finding.nominated)) {
            nobodyGoes(finding);
        }
        List<PodCondition> conditions = new ArrayList<>();
        if (way instanceof Way.Turn turn) {
            ShardTrace.Tried tried = finding.after(turn.tried());
            if (isLast(pod, turn, tried) || isAny(finding.nominated)) {
                conditions.add(scheduled(pod, finding.reason, message(pod, turn, tried)));
            }
            conditions.add(tried.condition(pod, map));
        } else if (way instanceof Way.Nobodys nobodys) {
            conditions.add(nobodyJudges(pod, nobodys));
        }
        boolean isThere =
                finding.nominated.map(pod.status().nominatedNodeName()::equals).orElse(true)
                        && conditions.stream().allMatch(condition -> isThere(pod, condition));
        if (isThere) {
            findings.remove(pod.meta().uid());
            finding.evictions.forEach(commands);
        } else {
            finding.isUnderway = true;
            finding.isChanged = false;
            finding.version = Seen.version(pod.meta());
            commands.accept(ShardTrace.write(pod, conditions, finding.nominated));
        }
    }

    private static boolean isThere(Pod pod, PodCondition condition) {
        return Stream.of(pod.status().scheduled(), pod.status().shard())
                .flatMap(Optional::stream)
                .anyMatch(there -> there.type().equals(condition.type())
                        && there.status().equals(condition.status())
                        && there.reason().equals(condition.reason())
                        && there.message().equals(condition.message())
                        && there.observedGeneration() == condition.observedGeneration());
    }

    @Override
    public void othersAt(ShardProgress least, Consumer<? super SchedulerEvent> in) {
        tellLate(in);
        seen.othersAt(least);
        nodes.othersAt(least);
        release(in);
        writeAgain();
    }

    private void writeAgain() {
        if (refusals.isEmpty() && findings.isEmpty()) {
            return;
        }
        for (Waiting known : waiting.all()) {
            Refusal refusal = refusals.get(known.pod().meta().uid());
            if (refusal != null && !refusal.isUnderway && !refusal.isWritten) {
                write(known.pod(), refusal);
            }
            Finding finding = findings.get(known.pod().meta().uid());
            if (finding != null && !finding.isUnderway && isTold(known.way()) && finding.hasRested()) {
                write(known.pod(), known.way(), finding);
            }
        }
    }

    @Override
    public ShardProgress progress() {
        return seen.progress();
    }

    @Override
    public boolean wantsPodsAnew() {
        return nodes.takesPodsAnew();
    }

    @Override
    public QueueCounts counted(QueueCounts inQueue) {
        long nobodys = waiting.all().stream()
                .filter(known -> known.way() instanceof Way.Nobodys)
                .count();
        return super.counted(inQueue).plus(QueueState.UNSCHEDULABLE, (int) nobodys);
    }

    @Override
    boolean isCountedElsewhere(Way way) {
        return super.isCountedElsewhere(way)
                || (way instanceof Way.Turn(var _, ShardTrace.Turn turn) && turn.speaker() != shard);
    }

    @Override
    public boolean waits() {
        return nodes.isAnyWithheld() || facts.carriesAnyThatWaits();
    }
}
