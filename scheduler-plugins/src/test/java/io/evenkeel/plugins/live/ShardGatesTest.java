package io.evenkeel.plugins.live;

import static io.evenkeel.model.storage.StorageClass.BindingMode.WAIT_FOR_FIRST_CONSUMER;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Plugins;
import io.evenkeel.config.Plugins.PluginSet;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.WriteFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerEvent.UnreadablePod;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.OverseerGate;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import io.evenkeel.shard.ShardTrace;
import io.evenkeel.shard.ShardTrace.Announced;
import io.evenkeel.shard.ShardTrace.Asked;
import io.evenkeel.shard.ShardTrace.Attempt;
import io.evenkeel.shard.ShardTrace.Refused;
import io.evenkeel.shard.ShardTrace.Tried;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a gate makes of a pod for its engine, and of its engine's words, step by step: shard 0 of two, or the overseer. */
class ShardGatesTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final ShardMap MAP = new ShardMap(new ShardSettings("", List.of(), 2, false));
    private static final ShardMap WITHOUT_OVERSEER = new ShardMap(new ShardSettings("", List.of(), 2, true));
    private static final ShardMap BY_POOL = new ShardMap(new ShardSettings("pool", List.of("a"), 1, false));
    private static final String HERE = nodeOf(0, "a");
    private static final String ALSO_HERE = nodeOf(0, "b");
    private static final String FULL = "0/2 nodes are available: 2 Insufficient cpu.";
    private static final String NO_HELP =
            " no new claims to deallocate, preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.";

    private static final TopologySpreadConstraint BY_ZONE = TopologySpreadConstraint.of(
            1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Labels.of("app", "web")));
    private static final String REFUSED =
            "no shard can judge the pod by itself, and there is no overseer: it is to be spread by " + ZONE;

    private final List<Command> said = new ArrayList<>();
    private long now;
    /** The pods that there are when an engine begins. */
    private final List<Pod> listed = new ArrayList<>();

    private Gated gated = shard();

    private static String nodeOf(int shard, String prefix) {
        return IntStream.range(0, 100)
                .mapToObj(i -> prefix + i)
                .filter(name -> MAP.fallbackOf(name) == shard)
                .findFirst()
                .orElseThrow();
    }

    /** One that this shard tries first, or last. */
    private static PodBuilder pod(int first) {
        return IntStream.range(0, 100)
                .mapToObj(i -> PodBuilder.pod("p").uid("uid-" + i).version("10", 1))
                .filter(pod -> MAP.ring(pod.build())[0] == first)
                .findFirst()
                .orElseThrow()
                .priority(10)
                .label("app", "web");
    }

    private static Pod with(Pod pod, ShardTrace trace, int version) {
        return told(pod, trace.condition(pod, MAP), version);
    }

    private static Pod told(Pod pod, PodCondition condition, int version) {
        PodStatusBuilder status = PodStatusBuilder.from(pod.status());
        return PodBuilder.from(pod)
                .version(Integer.toString(version), 1)
                .status((condition.type().equals(PodCondition.SHARD)
                                ? status.shard(condition)
                                : status.scheduled(condition))
                        .build())
                .build();
    }

    private final class Gated {
        final ShardGate gate;
        final Scheduler engine;

        Gated(ShardMap map, boolean oversees) {
            this(map, oversees, SchedulerConfiguration.defaults());
        }

        Gated(ShardMap map, boolean oversees, SchedulerConfiguration configuration) {
            gate = oversees
                    ? new OverseerGate(map, configuration, this::engine, said::add)
                    : new LocalGate(0, map, configuration, this::engine, said::add);
            engine = new Scheduler(
                    configuration,
                    InTreePlugins.registry(),
                    new FirstByName(),
                    new SchedulerSettings(
                            Set.of("Pod", "Node"),
                            8,
                            Duration.ofMinutes(5),
                            Duration.ofSeconds(30),
                            Duration.ofSeconds(5),
                            ClusterLimits.LEAST,
                            HintLimits.LEAST),
                    command -> gate.give(command, said::add),
                    SchedulerObserver.NONE,
                    () -> now);
            for (String kind : List.of("Node", "Pod")) {
                take(new Relist.Began(kind));
                (kind.equals("Pod") ? listed : List.<Pod>of()).forEach(pod -> take(new ClusterEvent.Put(pod)));
                take(new Relist.Ended(kind));
            }
        }

        private Scheduler engine() {
            return engine;
        }

        void take(SchedulerEvent event) {
            gate.take(event, engine::handle);
        }
    }

    private Gated shard() {
        return new Gated(MAP, false);
    }

    private Gated overseer() {
        return new Gated(MAP, true);
    }

    private void put(KubernetesObject object) {
        gated.take(new ClusterEvent.Put(object));
    }

    private void node(String name, int cpus, int version) {
        put(NodeBuilder.node(name)
                .hostname(name)
                .zone("z")
                .version(Integer.toString(version), 1)
                .allocatable("cpu", Integer.toString(cpus), "memory", "8Gi", "pods", "110")
                .build());
    }

    /** Once all backoffs are over. */
    private void decide() {
        now += TimeUnit.MINUTES.toNanos(1);
        gated.engine.tick();
        while (gated.engine.scheduleNext()) {
            gated.engine.tick();
        }
    }

    private <T extends Command> List<T> said(Class<T> what) {
        return said.stream().filter(what::isInstance).map(what::cast).toList();
    }

    private List<String> conditions() {
        return Stream.concat(
                        said(Command.PatchStatus.class).stream().flatMap(patch -> patch.conditions().stream()),
                        writtenConditions()
                                .filter(condition -> !condition.reason().matches("Asked|Refused")))
                .map(condition -> condition.type() + ": " + condition.message())
                .toList();
    }

    private Stream<PodCondition> writtenConditions() {
        return said(Command.WriteObject.class).stream().flatMap(ShardGatesTest::conditionsOf);
    }

    private static Stream<PodCondition> conditionsOf(Command.WriteObject write) {
        Map<?, ?> status =
                (Map<?, ?>) Objects.requireNonNull(write.patch().changes().get("status"));
        return ((List<?>) Objects.requireNonNull(status.get("conditions")))
                .stream()
                        .map(each -> (Map<?, ?>) each)
                        .map(condition -> new PodCondition(
                                (String) condition.get("type"),
                                (String) condition.get("status"),
                                (String) condition.get("reason"),
                                (String) condition.get("message"),
                                "",
                                1));
    }

    /** The pod as the last write makes it. */
    private Pod afterWrite(int version) {
        Command.WriteObject write = said(Command.WriteObject.class).getLast();
        Pod pod = write.pod();
        for (PodCondition condition : conditionsOf(write).toList()) {
            pod = told(pod, condition, version);
        }
        return pod;
    }

    private void answer(int version) {
        gated.take(new CommandResult.Written(
                said(Command.WriteObject.class).getLast().pod(), "", Integer.toString(version), 0));
    }

    private void refuse() {
        gated.take(new CommandResult.NotWritten(
                said(Command.WriteObject.class).getLast().pod(), WriteFailure.FAILED, "the object has been modified"));
    }

    private List<String> events() {
        return said(Command.RecordEvent.class).stream()
                .map(event -> event.event().reason() + ": " + event.event().note())
                .toList();
    }

    private List<ShardTrace> written() {
        return writtenConditions()
                .filter(condition -> condition.type().equals(PodCondition.SHARD))
                .map(condition -> ShardTrace.of(told(pod(0).build(), condition, 11), MAP))
                .toList();
    }

    private List<String> bindings() {
        return said(Command.Bind.class).stream()
                .map(bind -> bind.pod().key() + " to " + bind.node())
                .toList();
    }

    @Test
    void inTheFirstRoundNobodyGoesForAPodAndUsersHearNothing() {
        node(HERE, 2, 1);
        put(PodBuilder.pod("small").container("cpu", "2").nodeName(HERE).build());
        put(pod(0).container("cpu", "1").build());
        decide();
        assertThat(said(Command.Evict.class)).isEmpty();
        assertThat(conditions())
                .containsExactly("evenkeel.io/shard: count=2\n"
                        + "shard 0, round 1: 0/1 nodes are available: 1 Insufficient cpu.");
        assertThat(events()).isEmpty();
    }

    @Test
    void inTheSecondRoundOthersMayGoForIt() {
        node(HERE, 2, 1);
        put(PodBuilder.pod("small").container("cpu", "2").nodeName(HERE).build());
        Pod pod = pod(0).container("cpu", "1").build();
        put(with(pod, new Tried(List.of(new Attempt(0, 1, FULL), new Attempt(1, 1, FULL))), 11));
        decide();
        assertThat(said(Command.Evict.class)).as("not before it is written").isEmpty();
        gated.take(new CommandResult.Written(
                said(Command.WriteObject.class).getFirst().pod(), "", "12", 0));
        assertThat(said(Command.Evict.class)).hasSize(1);
    }

    /** All have tried the pod, and here room can be made for it. */
    private Pod roomIsFound() {
        node(HERE, 2, 1);
        put(PodBuilder.pod("small").container("cpu", "2").nodeName(HERE).build());
        Pod pod = with(
                pod(0).container("cpu", "1").build(),
                new Tried(List.of(new Attempt(0, 2, FULL), new Attempt(1, 2, FULL))),
                11);
        put(pod);
        decide();
        assertThat(said(Command.Evict.class)).as("not before it is written").isEmpty();
        gated.take(new CommandResult.NotWritten(
                said(Command.WriteObject.class).getFirst().pod(), WriteFailure.FAILED, "conflict"));
        return pod;
    }

    @Test
    void nobodyGoesWhereAnotherShardWasFasterToMakeRoom() {
        Pod pod = roomIsFound();
        put(PodBuilder.from(pod)
                .version("12", 1)
                .status(PodStatusBuilder.from(pod.status())
                        .nominatedNodeName(nodeOf(1, "a"))
                        .build())
                .build());
        othersAt(12, 12);
        decide();
        assertThat(said(Command.WriteObject.class)).hasSize(1);
        assertThat(said(Command.Evict.class)).isEmpty();
    }

    @Test
    void theyGoOnceItIsWrittenWhereThePodHasOnlyChanged() {
        Pod pod = roomIsFound();
        put(PodBuilder.from(pod).version("12", 1).label("new", "").build());
        assertThat(said(Command.WriteObject.class)).hasSize(2);
        assertThat(said(Command.Evict.class)).isEmpty();
        gated.take(new CommandResult.Written(
                said(Command.WriteObject.class).getLast().pod(), "", "13", 0));
        assertThat(said(Command.Evict.class)).hasSize(1);
    }

    @Test
    void whoeverTriesAPodLastTellsWhatAllHaveSaidAndOnce() {
        node(HERE, 2, 1);
        Pod pod = pod(1).container("cpu", "5").build();
        put(with(pod, new Tried(List.of(new Attempt(0, 1, FULL), new Attempt(1, 2, FULL + NO_HELP))), 11));
        decide();
        String all = "0/3 nodes are available: 3 Insufficient cpu."
                + " no new claims to deallocate,"
                + " preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.";
        assertThat(events()).containsExactly("FailedScheduling: " + all);
        assertThat(conditions()).hasSize(2).contains("PodScheduled: " + all);

        Pod told = afterWrite(12);
        answer(12);
        said.clear();
        put(told);
        now += TimeUnit.MINUTES.toNanos(6);
        decide();
        assertThat(events()).containsExactly("FailedScheduling: " + all);
        assertThat(conditions()).isEmpty();
    }

    @Test
    void nodesOfOthersCountAlsoOnceAllAreListedAnewAndThoseThatAreGoneDoNot() {
        String there = nodeOf(1, "c");
        node(HERE, 2, 1);
        node(there, 2, 2);
        gated.take(new Relist.Began("Node"));
        node(HERE, 2, 1);
        node(there, 2, 2);
        gated.take(new Relist.Ended("Node"));
        put(onlyHere("p"));
        decide();
        assertThat(events())
                .singleElement()
                .asString()
                .contains(
                        "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].");

        said.clear();
        gated.take(new Relist.Began("Node"));
        node(HERE, 2, 1);
        gated.take(new Relist.Ended("Node"));
        put(onlyHere("q"));
        decide();
        assertThat(events()).singleElement().asString().contains(ONE_FULL);
    }

    private static Pod onlyHere(String name) {
        NodeSelectorRequirement isHere = new NodeSelectorRequirement(
                NodeSelectorTerm.NAME_FIELD, NodeSelectorRequirement.Operator.IN, List.of(HERE));
        return PodBuilder.pod(name)
                .uid("uid-" + name)
                .container("cpu", "5")
                .preempts(false)
                .nodeAffinity(new NodeAffinity(
                        Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of(isHere))))),
                        List.of()))
                .build();
    }

    @Test
    void whatStorageDriversSayOfOthersNodesStaysOut() {
        String there = nodeOf(1, "c");
        put(new CsiNode(ObjectMeta.named("", HERE), Map.of("disk.example.com", 1)));
        put(new CsiNode(ObjectMeta.named("", there), Map.of("disk.example.com", 1)));
        assertThat(gated.engine.cluster().objects().find(Kinds.CSI_NODE, HERE)).isPresent();
        assertThat(gated.engine.cluster().objects().find(Kinds.CSI_NODE, there)).isEmpty();
    }

    private static final String ONE_FULL = "0/1 nodes are available: 1 Insufficient cpu.";

    private static final String NO_HELP_HERE =
            " no new claims to deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

    private static Tried all(String here, String there) {
        return new Tried(List.of(new Attempt(0, 2, here), new Attempt(1, 2, there)));
    }

    @Test
    void whatTwoShardsFindAtOnceIsWrittenOneAfterTheOtherAndNothingIsUndone() {
        node(HERE, 2, 1);
        Pod pod = pod(1).container("cpu", "5").build();
        put(with(pod, all("0/1 nodes are available: 1 Too many pods.", FULL), 11));
        decide();
        assertThat(written()).containsExactly(all(ONE_FULL + NO_HELP_HERE, FULL));

        String news = "0/2 nodes are available: 2 Too many pods.";
        Pod overtaken = with(pod, all("0/1 nodes are available: 1 Too many pods.", news), 12);
        put(overtaken);
        assertThat(written()).as("while the answer is on its way").hasSize(1);
        refuse();
        assertThat(written()).containsExactly(all(ONE_FULL + NO_HELP_HERE, FULL), all(ONE_FULL + NO_HELP_HERE, news));
        assertThat(conditions().getLast())
                .isEqualTo("evenkeel.io/shard: count=2\n" + "shard 0, round 2: " + ONE_FULL + NO_HELP_HERE
                        + "\nshard 1, round 2: " + news);
        assertThat(conditions())
                .contains("PodScheduled: 0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods." + NO_HELP_HERE);
        answer(13);
        put(afterWrite(13));
        assertThat(said(Command.WriteObject.class))
                .as("what is there is not written again")
                .hasSize(2);
    }

    @Test
    void whatTheServerRefusesIsWrittenAgainWithTheNextNewsAndMoreAndMoreSeldomWithThatOfOthers() {
        node(HERE, 2, 1);
        Pod pod = pod(0).container("cpu", "5").build();
        put(pod);
        decide();
        assertThat(written()).hasSize(1);
        List<Integer> writes = new ArrayList<>();
        for (int i = 0; i < 15; i++) {
            refuse();
            othersAt(i, i);
            writes.add(written().size());
        }
        assertThat(writes).containsExactly(1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4);
        refuse();
        put(PodBuilder.from(pod).version("12", 1).label("app", "other").build());
        assertThat(written()).hasSize(5).containsOnly(new Tried(List.of(new Attempt(0, 1, ONE_FULL))));
        answer(13);
        othersAt(99, 99);
        assertThat(written()).hasSize(5);
    }

    @Test
    void oneShardTellsTheEventsOfAPodThatAllHaveTried() {
        node(HERE, 2, 1);
        Pod pod = pod(0).container("cpu", "5").build();
        put(with(pod, all(ONE_FULL, FULL), 11));
        decide();
        assertThat(events()).as("shard 1 comes last, and tells").isEmpty();

        said.clear();
        Pod ours = pod(1).name("q").container("cpu", "5").build();
        put(with(ours, all(ONE_FULL, FULL), 20));
        decide();
        assertThat(events())
                .containsExactly("FailedScheduling: 0/3 nodes are available: 3 Insufficient cpu." + NO_HELP_HERE);
        answer(21);
        Pod told = afterWrite(21);
        put(told);
        assertThat(events()).hasSize(1);
        put(told(
                with(told, all(ONE_FULL + NO_HELP_HERE, "0/2 nodes are available: 2 Too many pods."), 22),
                new PodCondition(
                        PodCondition.POD_SCHEDULED, "False", "Unschedulable", "whatever the other has written", "", 1),
                22));
        assertThat(events())
                .last()
                .isEqualTo("FailedScheduling: 0/3 nodes are available: 1 Insufficient cpu, 2 Too many pods."
                        + NO_HELP_HERE);
    }

    private int counted() {
        QueueCounts counted = gated.gate.counted(gated.engine.queue().counts());
        return counted.active() + counted.backoff() + counted.unschedulable() + counted.gated();
    }

    @Test
    void ofEnginesInWhichAPodWaitsOneCountsIt() {
        node(HERE, 2, 1);
        Pod last = pod(1).container("cpu", "5").build();
        put(last);
        assertThat(counted()).as("the turn of shard 1").isZero();
        put(with(last, new Tried(List.of(new Attempt(1, 1, FULL))), 11));
        assertThat(counted()).as("our turn").isEqualTo(1);
        put(with(last, all(ONE_FULL, FULL), 12));
        decide();
        assertThat(counted()).as("after the rounds, last of them").isEqualTo(1);

        Pod first = pod(0).name("q").container("cpu", "5").build();
        put(first);
        assertThat(counted()).as("our turn").isEqualTo(2);
        put(with(first, all(ONE_FULL, FULL), 13));
        assertThat(gated.engine.queue().view("default/q")).isPresent();
        assertThat(counted()).as("waits here, and shard 1 counts it").isEqualTo(1);
        decide();
        assertThat(counted()).isEqualTo(1);
        gated.take(new ClusterEvent.Removed(first));
        gated.take(new ClusterEvent.Removed(last));
        assertThat(counted()).isZero();
    }

    @Test
    void whatIsInNoQueueIsCountedToo() {
        gated = new Gated(WITHOUT_OVERSEER, false);
        put(shunning());
        assertThat(gated.engine.queue().counts().unschedulable()).isZero();
        assertThat(counted()).as("refused").isEqualTo(1);

        gated = overseer();
        Pod pod = pod(0).container("cpu", "5").build();
        put(PodBuilder.from(pod)
                .status(PodStatusBuilder.from(pod.status())
                        .nominatedNodeName(HERE)
                        .build())
                .build());
        assertThat(gated.engine.queue().view("default/p")).isPresent();
        assertThat(counted()).as("room is kept, and its shard counts it").isZero();
    }

    @Test
    void aPodIsPlacedWhereThePlaceIsAskedForAlthoughItsOwnWordsLeaveTheJudgementToTheOverseer() {
        node(HERE, 2, 1);
        node(ALSO_HERE, 8, 2);
        Pod pod = pod(1).container("cpu", "1")
                .spread(TopologySpreadConstraint.of(
                        1, "nobody.has/this", WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.NOTHING))
                .build();
        put(pod);
        decide();
        assertThat(said).isEmpty();
        Pod asked = with(pod, new Asked(HERE), 11);
        put(asked);
        decide();
        assertThat(bindings()).containsExactly("default/p to " + HERE);
        assertThat(said(Command.Bind.class).getFirst().pod()).isEqualTo(asked);
    }

    @Test
    void aPlaceThatIsRefusedIsNotTakenWhileTheRefusalIsOnItsWay() {
        node(HERE, 2, 1);
        node(ALSO_HERE, 8, 2);
        Pod asked = with(pod(1).container("cpu", "5").build(), new Asked(HERE), 11);
        put(asked);
        decide();
        assertThat(written()).containsExactly(new Refused(HERE, "Insufficient cpu"));
        assertThat(conditions()).isEmpty();
        assertThat(events()).isEmpty();

        node(HERE, 8, 12);
        decide();
        put(asked);
        decide();
        assertThat(bindings()).isEmpty();
        gated.take(new CommandResult.Written(
                said(Command.WriteObject.class).getFirst().pod(), "", "13", 0));
        put(with(asked, new Asked(HERE), 14));
        decide();
        assertThat(bindings()).containsExactly("default/p to " + HERE);
    }

    @Test
    void aPlaceThatWasAskedForBeforeTheShardWasTakenIsRefusedOnce() {
        Pod asked = with(pod(1).container("cpu", "1").build(), new Asked(HERE), 11);
        listed.add(asked);
        gated = shard();
        node(HERE, 2, 1);
        decide();
        assertThat(bindings()).isEmpty();
        assertThat(written()).containsExactly(new Refused(HERE, "it was asked for before the shard was taken"));
        put(PodBuilder.from(asked).version("12", 1).label("app", "other").build());
        refuse();
        othersAt(1, 1);
        decide();
        assertThat(bindings()).isEmpty();
        assertThat(written()).as("whatever else has become of the pod").hasSize(2);
        answer(13);
        put(with(asked, new Refused(HERE, ""), 13));
        put(with(asked, new Asked(HERE), 14));
        decide();
        assertThat(bindings()).containsExactly("default/p to " + HERE);
    }

    private PersistentVolumeClaim unboundClaim() {
        put(new StorageClass(
                ObjectMeta.named("", "late"), "example.com/disks", Optional.of(WAIT_FOR_FIRST_CONSUMER), List.of()));
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", "c"),
                new VolumeTerms("late", Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, ""),
                Optional.empty(),
                Optional.empty(),
                "",
                false);
    }

    @ParameterizedTest
    @EnumSource(names = {"MULTI_POINT", "PRE_BIND"})
    void whereAProfileHasNoClaimsBoundAPlaceIsNotRefusedForThem(ExtensionPoint without) {
        Plugins plugins = Plugins.NONE.with(without, new PluginSet(List.of(), List.of("VolumeBinding")));
        Profile profile = Profile.completed(Profile.DEFAULT_SCHEDULER_NAME, OptionalInt.empty(), plugins, Map.of());
        gated = new Gated(
                MAP,
                false,
                SchedulerConfiguration.defaults().toBuilder()
                        .profiles(List.of(profile))
                        .build());
        node(HERE, 2, 1);
        put(unboundClaim());
        put(with(pod(1).container("cpu", "1").claim("c").build(), new Asked(HERE), 11));
        decide();
        assertThat(bindings()).containsExactly("default/p to " + HERE);
    }

    /** Of claims and pods there is a watch each, and the overseer's may have told of the claim before. */
    @Test
    void aPlaceIsRefusedWhereItIsNotKnownYetThatThePodsClaimIsBoundAndNothingIsWrittenForTheClaim() {
        node(HERE, 2, 1);
        PersistentVolumeClaim claim = unboundClaim();
        put(claim);
        Pod asked = with(pod(1).container("cpu", "1").claim("c").build(), new Asked(HERE), 11);
        put(asked);
        decide();
        assertThat(bindings()).isEmpty();
        assertThat(written()).containsExactly(new Refused(HERE, "its claim c is not bound"));
        assertThat(said(Command.WriteObject.class))
                .allSatisfy(write -> assertThat(write.patch().kind()).isEqualTo(Kinds.POD));

        put(new PersistentVolume(
                ObjectMeta.named("", "v"),
                VolumeSource.OTHER,
                claim.terms(),
                Quantity.parse("1Gi"),
                Optional.of(new PersistentVolume.ClaimReference("default", "c", "")),
                Optional.empty(),
                false));
        put(claim.boundTo("v"));
        answer(12);
        put(with(asked, new Asked(HERE), 13));
        decide();
        assertThat(bindings()).containsExactly("default/p to " + HERE);
    }

    /** What the overseer has given the pod is no reason to refuse it, and nobody but the overseer takes it back. */
    @Test
    void devicesAreTheOverseersToGiveWhetherAPlaceIsAskedForOrKept() {
        node(HERE, 2, 1);
        put(new DeviceClass(ObjectMeta.named("", "gpu"), List.of(), List.of(), "example.com/gpu"));
        Pod pod = pod(1).container("cpu", "1", "example.com/gpu", "1")
                .resourceClaim("a")
                .build();
        ResourceClaim free = new ResourceClaim(
                ObjectMeta.named("default", "a"),
                new ResourceClaim.Spec(List.of(), List.of(), List.of()),
                Optional.empty(),
                List.of(),
                List.of());
        put(free);
        put(PodBuilder.from(pod)
                .status(PodStatusBuilder.from(pod.status())
                        .nominatedNodeName(HERE)
                        .build())
                .version("11", 1)
                .build());
        decide();
        assertThat(gated.engine.queue().view("default/p"))
                .as("its room is kept")
                .isPresent();
        assertThat(said).isEmpty();

        put(with(pod, new Asked(HERE), 12));
        decide();
        assertThat(bindings()).containsExactly("default/p to " + HERE);
        assertThat(said).hasSize(1);
    }

    /** The shard does not know what keeps the pod out of the queue, and would keep the room for ever. */
    @Test
    void theOverseerGivesUpTheRoomOfAPodThatAGateHolds() {
        gated = overseer();
        node(HERE, 2, 1);
        Pod pod = pod(0).resourceClaim("a").build();
        put(PodBuilder.from(pod)
                .status(PodStatusBuilder.from(pod.status())
                        .nominatedNodeName(HERE)
                        .build())
                .build());
        othersAt(1, 1);
        othersAt(2, 2);
        assertThat(said(Command.PatchStatus.class))
                .filteredOn(patch -> patch.conditions().isEmpty())
                .singleElement()
                .extracting(Command.PatchStatus::nominatedNodeName)
                .isEqualTo(Optional.of(""));
    }

    @Test
    void withoutAnOverseerWhatNoShardCanJudgeIsRefusedByTheFirstOfItsRing() {
        gated = new Gated(WITHOUT_OVERSEER, false);
        put(pod(1).spread(BY_ZONE).build());
        assertThat(said).isEmpty();
        Pod ours = pod(0).spread(BY_ZONE).build();
        put(ours);
        put(PodBuilder.from(ours).version("11", 1).build());
        assertThat(events()).containsExactly("FailedScheduling: " + REFUSED);
        assertThat(conditions()).containsExactly("PodScheduled: " + REFUSED);
    }

    /** A watch tells of what is gone no more than who it was. */
    @Test
    void aPodWhosePolicyIsGoneIsJudgedByItsShard() {
        put(new PlacementPolicy(
                ObjectMeta.named("default", "web"), PolicySpec.of(LabelSelector.EVERYTHING, List.of())));
        put(pod(0).build());
        assertThat(gated.engine.queue().view("default/p")).isEmpty();
        gated.take(new ClusterEvent.Removed(Kinds.PLACEMENT_POLICY.identity(ObjectMeta.named("default", "web"))));
        assertThat(gated.engine.queue().view("default/p")).isPresent();
    }

    @Test
    void aPodWhoseUnboundClaimIsGoneIsJudgedByItsShard() {
        gated = new Gated(WITHOUT_OVERSEER, false);
        node(HERE, 2, 1);
        PersistentVolumeClaim claim = unboundClaim();
        put(claim);
        put(pod(0).claim("c").build());
        answer(11);
        put(afterWrite(11));
        gated.take(new ClusterEvent.Removed(Kinds.PERSISTENT_VOLUME_CLAIM.identity(claim.meta())));
        assertThat(gated.engine.queue().view("default/p")).isPresent();
    }

    @Test
    void thatAPodIsRefusedIsWrittenAgainWhereItCouldNotBeWrittenYet() {
        gated = new Gated(WITHOUT_OVERSEER, false);
        put(pod(0).spread(BY_ZONE).build());
        refuse();
        othersAt(1, 1);
        assertThat(conditions()).hasSize(1);
        othersAt(2, 2);
        assertThat(conditions()).hasSize(2).containsOnly("PodScheduled: " + REFUSED);
        answer(11);
        put(afterWrite(11));
        for (int i = 3; i < 9; i++) {
            othersAt(i, i);
        }
        assertThat(conditions()).hasSize(2);
        put(with(pod(0).spread(BY_ZONE).build(), ShardTrace.NONE, 12));
        assertThat(conditions()).as("somebody has overwritten it").hasSize(3);
        assertThat(events()).hasSize(1);
    }

    @Test
    void nobodyMakesRoomForAPodThatIsRefused() {
        gated = new Gated(WITHOUT_OVERSEER, false);
        PodBuilder pod = pod(0).spread(BY_ZONE);
        put(pod.status(PodStatusBuilder.from(pod.build().status())
                        .nominatedNodeName(HERE)
                        .build())
                .build());
        assertThat(said(Command.WriteObject.class).getFirst().patch().changes().get("status"))
                .asInstanceOf(InstanceOfAssertFactories.map(String.class, Object.class))
                .containsEntry("nominatedNodeName", "");
    }

    @Test
    void whoTakesTheNameOfAPodThatIsRefusedIsToldSoToo() {
        gated = new Gated(WITHOUT_OVERSEER, false);
        Pod first = pod(0).spread(BY_ZONE).build();
        put(first);
        answer(11);
        Pod second = IntStream.range(0, 100)
                .mapToObj(i -> PodBuilder.from(first).uid("other-" + i).build())
                .filter(pod -> WITHOUT_OVERSEER.ring(pod)[0] == 0)
                .findFirst()
                .orElseThrow();
        put(second);
        assertThat(said(Command.WriteObject.class))
                .extracting(write -> write.pod().meta().uid())
                .containsExactly(first.meta().uid(), second.meta().uid());
    }

    @Test
    void ofAPodThatCannotBeReadTheFirstOfItsRingTells() {
        gated.take(new UnreadablePod(pod(1).build(), "no number"));
        decide();
        assertThat(events()).isEmpty();
        gated.take(new UnreadablePod(pod(0).build(), "no number"));
        decide();
        assertThat(events()).containsExactly("FailedScheduling: the pod cannot be read: no number");
    }

    private static Pod shunning() {
        return pod(0).container("cpu", "1")
                .podAffinity(new PodAffinity(
                        List.of(),
                        List.of(),
                        List.of(new PodAffinityTerm(
                                LabelSelector.matchingLabels(Labels.of("app", "other")),
                                ZONE,
                                List.of(),
                                LabelSelector.NOTHING)),
                        List.of()))
                .build();
    }

    private void othersAt(long pods, long podsSeen) {
        gated.gate.othersAt(new ShardProgress(pods, podsSeen, pods, pods), gated.engine::handle);
    }

    private void inPool(String pool, int version) {
        put(NodeBuilder.node("n")
                .label("pool", pool)
                .version(Integer.toString(version), 1)
                .allocatable("cpu", "8", "memory", "8Gi", "pods", "110")
                .build());
    }

    private boolean isThere() {
        return gated.engine.cluster().node("n").isPresent();
    }

    @Test
    void aNodeMayHaveBeenAnothersAsAllWereListedSoNobodyReliesOnThatUntilAllHaveSeenItBack() {
        gated = new Gated(BY_POOL, false);
        inPool("a", 5);
        othersAt(5, 0);
        assertThat(isThere()).isTrue();
        assertThat(gated.gate.progress().nodes()).isEqualTo(5);

        gated.take(new Relist.Began("Node"));
        inPool("a", 9);
        gated.take(new Relist.Ended("Node", "10"));
        assertThat(isThere()).isTrue();
        assertThat(gated.gate.progress()).isEqualTo(new ShardProgress(0, 0, 5, 10));
        othersAt(8, 0);
        assertThat(gated.gate.progress().nodes()).as("at 7 it was theirs").isEqualTo(5);
        othersAt(9, 0);
        assertThat(gated.gate.progress().nodes()).isEqualTo(10);
    }

    @Test
    void aListOfPodsComesToItsEndHoweverOftenANodeComesMeanwhile() {
        gated = new Gated(BY_POOL, false);
        inPool("b", 1);
        inPool("a", 2);
        othersAt(2, 0);
        assertThat(gated.gate.wantsPodsAnew()).isTrue();
        inPool("b", 3);
        inPool("a", 4);
        othersAt(4, 0);
        assertThat(gated.gate.wantsPodsAnew()).as("it is about to begin").isFalse();
        gated.take(new Relist.Began("Pod"));
        inPool("b", 5);
        inPool("a", 6);
        othersAt(6, 0);
        assertThat(gated.gate.wantsPodsAnew()).as("it is underway").isFalse();
        gated.take(new Relist.Ended("Pod", "7"));
        assertThat(isThere()).as("pods that came before it did").isFalse();
        assertThat(gated.gate.wantsPodsAnew()).isTrue();
        gated.take(new Relist.Began("Pod"));
        gated.take(new Relist.Ended("Pod", "8"));
        assertThat(isThere()).isTrue();
        assertThat(gated.gate.wantsPodsAnew()).isFalse();
    }

    @Test
    void whatALeaseSaysOfAbsurdVersionsIsWaitedForNoLongerThanItSaysSo() {
        gated = new Gated(BY_POOL, false);
        inPool("a", 5);
        othersAt(5, 1_000_000_000_000L);
        assertThat(isThere()).isFalse();
        othersAt(5, 0);
        assertThat(isThere()).isTrue();

        gated = overseer();
        node(HERE, 2, 1);
        put(shunning());
        decide();
        written(shunning(), new Announced(HERE), 11);
        othersAt(11, 1_000_000_000_000L);
        assertThat(written()).containsExactly(new Announced(HERE));
        othersAt(11, 11);
        assertThat(written()).containsExactly(new Announced(HERE), new Asked(HERE));
    }

    /** The last write is written, and all have the news of it. */
    private Pod written(Pod pod, ShardTrace trace, int version) {
        Command.WriteObject write = said(Command.WriteObject.class).getLast();
        Pod told = with(pod, trace, version);
        put(told);
        gated.take(new CommandResult.Written(write.pod(), "", Integer.toString(version), 0));
        return told;
    }

    @Test
    void whomAPodShunsIsAnnouncedOnceThereIsAPlaceForItAndAllMustKnowBeforeThatIsAskedFor() {
        gated = overseer();
        node(HERE, 2, 1);
        put(shunning());
        decide();
        assertThat(written()).containsExactly(new Announced(HERE));
        Pod announced = written(shunning(), new Announced(HERE), 11);
        othersAt(10, 30);
        assertThat(written()).as("others may not know of it").hasSize(1);
        othersAt(11, 20);
        assertThat(written()).as("it is not known whom they have placed").hasSize(1);
        put(PodBuilder.pod("another")
                .uid("o")
                .version("20", 1)
                .label("app", "another")
                .nodeName(HERE)
                .build());
        assertThat(written()).containsExactly(new Announced(HERE), new Asked(HERE));
        assertThat(said(Command.WriteObject.class).getLast().pod().meta().resourceVersion())
                .isEqualTo(announced.meta().resourceVersion());
        assertThat(events()).isEmpty();
    }

    @Test
    void whatAnOverseerBeforeHasAnnouncedMakesNoNewsWhenItIsAnnouncedAgain() {
        gated = overseer();
        node(HERE, 2, 1);
        put(with(shunning(), new Announced(HERE), 11));
        decide();
        assertThat(written()).containsExactly(new Announced(HERE));
        Pod unchanged = said(Command.WriteObject.class).getLast().pod();
        gated.take(new CommandResult.Written(unchanged, "", "11", 0));
        othersAt(11, 11);
        assertThat(written()).containsExactly(new Announced(HERE), new Asked(HERE));
    }

    @Test
    void aPlaceIsAskedForInThePodAsItIsAnnouncedThereAlsoWhereThatOnlyNamesTheNodeAgain() {
        gated = overseer();
        node(HERE, 2, 1);
        put(with(shunning(), new Announced(HERE), 11));
        decide();
        answer(12);
        othersAt(12, 11);
        assertThat(written()).containsExactly(new Announced(HERE));
        put(with(shunning(), new Announced(HERE), 12));
        othersAt(12, 12);
        assertThat(written()).containsExactly(new Announced(HERE), new Asked(HERE));
    }

    @Test
    void anAskThatCameTwiceIsOvertakenByItselfSoThePodIsLookedUpFirst() {
        gated = overseer();
        node(HERE, 2, 1);
        put(shunning());
        decide();
        gated.take(new CommandResult.NotWritten(
                shunning(), CommandResult.WriteFailure.OVERTAKEN, "the object has been modified"));
        gated.take(new CommandResult.Found(shunning(), Optional.of(with(shunning(), new Announced(HERE), 11))));
        assertThat(gated.engine.onTheirWay()).hasSize(1);
        assertThat(events()).isEmpty();
    }

    @Test
    void aPlaceIsNotAskedForWhereOthersHavePlacedWhomThePodShunsAndWhatWasAnnouncedIsTakenBack() {
        gated = overseer();
        node(HERE, 2, 1);
        put(shunning());
        decide();
        written(shunning(), new Announced(HERE), 11);
        othersAt(11, 20);
        put(PodBuilder.pod("other")
                .uid("o")
                .version("20", 1)
                .label("app", "other")
                .nodeName(HERE)
                .build());
        assertThat(gated.engine.onTheirWay()).isEmpty();
        assertThat(events()).singleElement().asString().contains("others were placed before they knew");
        decide();
        othersAt(20, 20);
        assertThat(written()).containsExactly(new Announced(HERE), ShardTrace.NONE);
    }

    @Test
    void aPodThatOnlyWaitsBindsNobody() {
        gated = overseer();
        put(shunning());
        put(PodBuilder.pod("q").uid("q").version("9", 1).label("app", "other").build());
        assertThat(gated.engine.queue().find("default/q")).as("a shard's").isEmpty();
        put(with(shunning(), new Announced(HERE), 11));
        assertThat(gated.engine.queue().find("default/q")).as("the overseer's").isPresent();
        put(with(shunning(), new Refused(HERE, "full"), 12));
        assertThat(gated.engine.queue().find("default/q")).isEmpty();
    }

    @Test
    void theOverseerKeepsRoomThatAShardMakes() {
        gated = overseer();
        node(HERE, 2, 1);
        Pod preemptor = PodBuilder.pod("q")
                .uid("q")
                .version("8", 1)
                .priority(10)
                .container("cpu", "2")
                .build();
        put(PodBuilder.from(preemptor)
                .status(PodStatusBuilder.from(preemptor.status())
                        .nominatedNodeName(HERE)
                        .build())
                .build());
        put(shunning());
        decide();
        assertThat(written()).isEmpty();
        assertThat(events()).singleElement().asString().contains("Insufficient cpu");
        put(PodBuilder.from(preemptor).version("9", 1).build());
        decide();
        assertThat(written()).containsExactly(new Announced(HERE));
    }

    @Test
    void theOverseerAsksForAPlaceAndBindsNothing() {
        gated = overseer();
        node(HERE, 2, 1);
        Pod spread = pod(0).container("cpu", "1")
                .spread(TopologySpreadConstraint.of(1, ZONE, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.NOTHING))
                .build();
        put(spread);
        decide();
        assertThat(written()).containsExactly(new Asked(HERE));
        Pod asked = written(spread, new Asked(HERE), 11);
        said.clear();
        put(with(asked, new Refused(HERE, "Insufficient cpu"), 12));
        assertThat(gated.engine.onTheirWay()).isEmpty();
        decide();
        assertThat(written()).as("asked for anew").containsExactly(new Asked(HERE));
        put(PodBuilder.from(with(asked, new Asked(HERE), 13))
                .version("14", 1)
                .nodeName(HERE)
                .build());
        assertThat(gated.engine.onTheirWay()).isEmpty();
        assertThat(gated.engine.cluster().pod("default/p")).isPresent();
        assertThat(events())
                .as("that it is scheduled says its binder")
                .containsExactly("FailedScheduling: the shard of " + HERE + " has no place there: Insufficient cpu");
        assertThat(bindings()).isEmpty();
    }
}
