package io.evenkeel.tools.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.PluginArgs.NodeAffinityArgs;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.OverseerGate;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.replay.Replay.ScenarioEngines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two shards and an overseer answer each recorded step as the reference does, as far as the table of docs/adr/019-shards.md promises it.
 * Each engine stands behind its gate, and they share nothing but an API server. The pods of earlier steps are where the reference put
 * them. {@code -Devenkeel.corpora=FOLDER} plays all files {@code *.jsonl.gz} there, whole, and prints the counts.
 *
 * <pre>
 *   the overseer's pods    the same node, message, devices and victims
 *   the shards' pods       the best node of a shard, which is feasible in the reference; the same message, word for word, but that
 *                          nodes are not counted of shards that the pod's words leave out
 *   whose status names a   that shard makes room again, also where another shard has a place: not the reference's, and counted
 *   node of a shard
 *   where room is made     the same by the overseer; by a shard, somewhere if and only if the reference finds some
 * </pre>
 */
class ShardedConformanceTest {
    private static final PluginRegistry REGISTRY = InTreePlugins.registry();
    private static final ScenarioEngines ENGINES = new ScenarioEngines(REGISTRY, FeatureGates.DEFAULTS);
    private static final Path FOLDER = Path.of(System.getProperty("evenkeel.corpora", ""));
    private static final int PARTS = 10;

    /** Labels that scenarios have on nodes, the likeliest to be shards by first. */
    private static final List<String> LABELS =
            List.of("topology.kubernetes.io/zone", "zone", "disk", Node.HOSTNAME, "node");

    /** What is written before a binding is so in none of the scenarios. */
    private static final Set<String> WRITING = Set.of("VolumeBinding", "DynamicResources");

    private static final Pattern SHARD = Pattern.compile("^shard (\\d+), ", Pattern.MULTILINE);

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> differences = new ArrayList<>();

    static List<String> corpora() throws IOException {
        return isOfTheProject() ? Corpora.themes() : Corpora.in(FOLDER);
    }

    private static boolean isOfTheProject() {
        return FOLDER.toString().isEmpty();
    }

    @ParameterizedTest
    @MethodSource("corpora")
    void shardsAnswerAsTheReferenceDoes(String corpus) throws IOException {
        int number = 0;
        for (String line : isOfTheProject() ? Corpora.lines(corpus) : Corpora.lines(FOLDER.resolve(corpus))) {
            if (isOfTheProject() && !Rotation.plays(number++, PARTS)) {
                continue;
            }
            Scenario scenario = new ScenarioReader(Kinds.IN_TREE).read(line);
            List<?> expected = (List<?>) JsonTree.object(line).get("expected");
            play(scenario, new ShardMap(new ShardSettings("", List.of(), 2, false)), expected);
            Optional<ShardMap> byLabel = byLabel(scenario);
            if (byLabel.isPresent()) {
                play(scenario, byLabel.get(), expected);
            }
        }
        if (!isOfTheProject()) {
            System.out.println(corpus + ": " + counts);
        }
        assertThat(differences).as("%s: %s", corpus, counts).isEmpty();
    }

    /** The nodes of one value are in the first shard, and all others in the second. */
    private static Optional<ShardMap> byLabel(Scenario scenario) {
        List<Node> nodes = nodes(scenario);
        for (String label : LABELS) {
            Map<String, Long> values = nodes.stream()
                    .filter(node -> node.labels().has(label))
                    .collect(Collectors.groupingBy(
                            node -> node.labels().getOrDefault(label, ""), TreeMap::new, Collectors.counting()));
            Optional<String> most = values.keySet().stream().max(Comparator.comparing(values::get));
            if (most.isPresent() && values.get(most.get()) < nodes.size()) {
                return Optional.of(new ShardMap(new ShardSettings(label, List.of(most.get()), 1, false)));
            }
        }
        return Optional.empty();
    }

    private static List<Node> nodes(Scenario scenario) {
        return scenario.objects().stream()
                .filter(Node.class::isInstance)
                .map(Node.class::cast)
                .toList();
    }

    @SuppressWarnings("unchecked")
    private void play(Scenario scenario, ShardMap map, List<?> expected) {
        List<KubernetesObject> objects = new ArrayList<>(scenario.objects());
        Set<String> victims = new HashSet<>();
        for (int i = 0; i < expected.size(); i++) {
            Map<String, Object> step = (Map<String, Object>) expected.get(i);
            StepView wanted = StepView.of(step);
            Pod pod = scenario.pods().get(i);
            String where = scenario.name() + " by " + map.text() + ", " + pod.key();
            new Shards(scenario, map, objects, pod).compare(wanted, step.containsKey("preemption"), victims, where);
            victims.addAll(wanted.victims());
            if (!wanted.node().isEmpty()) {
                objects.add(new Pod(pod.meta(), pod.spec().withNodeName(wanted.node()), pod.status()));
            }
        }
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    private void expect(String what, Object got, Object wanted, String where) {
        if (!got.equals(wanted)) {
            count("DIFFERENT " + what);
            differences.add(where + ": " + what + ": wanted " + wanted + ", got " + got);
        }
    }

    /** What has become of the pod. */
    private sealed interface Outcome {
        /** @param shard whose engine binds it */
        record Bound(String node, int shard) implements Outcome {}

        record Waits(String message, String nominatedNode) implements Outcome {}

        /** The overseer asked for a place that it did not get. */
        record NoPlace(String why) implements Outcome {}
    }

    /** An API server in one thread with one pod that waits, and the engines. */
    private final class Shards {
        private final ShardMap map;
        private final Scenario scenario;
        private final SchedulerConfiguration configuration;
        private final List<KubernetesObject> objects = new ArrayList<>();
        private final List<Seat> seats = new ArrayList<>();
        private final Set<String> victims = new TreeSet<>();
        private Pod pod;
        private long version;
        private Optional<Outcome> outcome = Optional.empty();
        /** By the overseer, as it asked for a place: the devices that the pod has there. */
        private Optional<Map<String, Object>> allocations = Optional.empty();

        private OptionalInt decidedBy = OptionalInt.empty();

        Shards(Scenario scenario, ShardMap map, List<KubernetesObject> objects, Pod pod) {
            this.map = map;
            this.scenario = scenario;
            SchedulerConfiguration asked = ENGINES.configuration(scenario);
            configuration = asked.toBuilder()
                    .profiles(asked.profiles().stream()
                            .map(profile -> profile.withoutAt(ExtensionPoint.PRE_BIND, WRITING))
                            .toList())
                    .build();
            objects.forEach(object -> this.objects.add(versioned(object)));
            for (int seat = 0; seat <= map.count(); seat++) {
                seats.add(new Seat(seat));
            }
            this.pod = pod;
            settle();
            put(pod);
            settle();
        }

        private KubernetesObject versioned(KubernetesObject object) {
            return switch (object) {
                case Node node ->
                    NodeBuilder.from(node).version(Long.toString(++version), 1).build();
                case Pod known -> versioned(known);
                default -> object;
            };
        }

        private Pod versioned(Pod known) {
            return PodBuilder.from(known).version(Long.toString(++version), 1).build();
        }

        private void put(Pod changed) {
            pod = versioned(changed);
            seats.forEach(seat -> seat.take(pod));
        }

        /** Until nothing more happens, or the pod's outcome is known. */
        private void settle() {
            for (int idle = 0; idle < 4; idle++) {
                boolean moved = false;
                for (Seat seat : seats) {
                    moved |= seat.work();
                    if (outcome.isPresent()) {
                        return;
                    }
                }
                if (moved) {
                    idle = -1;
                } else {
                    seats.forEach(seat -> seat.published = seat.gate.progress());
                    seats.forEach(Seat::others);
                }
            }
        }

        private boolean isOverseer(int seat) {
            return seat == map.count();
        }

        void compare(StepView wanted, boolean isPreempting, Set<String> before, String where) {
            count("steps");
            if (outcome.isEmpty()) {
                expect("held", held(), wanted.preEnqueue(), where);
                count("held");
                return;
            }
            boolean isOverseers = decidedBy.isPresent() && isOverseer(decidedBy.getAsInt());
            String whose = isOverseers ? "overseer: " : "shard: ";
            switch (outcome.get()) {
                case Outcome.Bound(String node, int shard) -> {
                    count(whose + "placed");
                    if (isOverseers) {
                        expect("node by the overseer", node, wanted.node(), where);
                        expect("devices by the overseer", allocations.orElseThrow(), wanted.allocations(), where);
                    } else {
                        count(
                                node.equals(wanted.node())
                                        ? "shard: placed on the best of all"
                                        : "shard: placed on the best of the shard");
                        expect("feasible " + node, wanted.feasible().contains(node), true, where);
                        expect("best of shard " + shard, node, bestOf(shard), where);
                    }
                    expect("owner of " + node, shard, shardOf(node), where);
                }
                case Outcome.Waits(String message, String nominatedNode) -> {
                    expect("fits nowhere", wanted.node(), "", where);
                    if (isPreempting) {
                        preempted(wanted, message, nominatedNode, isOverseers, before, where);
                    } else {
                        boolean isOfAll = isOverseers || tried().equals(everywhere());
                        count(whose + "waits" + (isOfAll ? "" : ", tried by one alone"));
                        if (isOfAll || !hasAddedAffinity()) {
                            expect("message", message, wanted.message(), where);
                        } else { // of what is added no shard knows what it would say of the nodes of others
                            expect("how many nodes", nodesIn(message), nodesIn(wanted.message()), where);
                        }
                    }
                }
                case Outcome.NoPlace(String why) -> expect("a place", why, wanted.node(), where);
            }
        }

        private void preempted(
                StepView wanted,
                String message,
                String nominatedNode,
                boolean isOverseers,
                Set<String> before,
                String where) {
            String whose = isOverseers ? "overseer: " : "shard: ";
            expect(
                    "room is made",
                    !nominatedNode.isEmpty(),
                    !wanted.nominatedNode().isEmpty(),
                    where);
            if (wanted.nominatedNode().isEmpty()) {
                count(whose + "waits, nobody goes for it");
                expect("message", message, wanted.message(), where);
            } else if (isOverseers) {
                count("overseer: waits, others go for it");
                victims.removeAll(before);
                expect("node by the overseer", nominatedNode, wanted.nominatedNode(), where);
                expect("victims by the overseer", List.copyOf(victims), wanted.victims(), where);
            } else {
                count("shard: waits, others go for it, chosen "
                        + (nominatedNode.equals(wanted.nominatedNode()) ? "alike" : "otherwise"));
            }
        }

        private boolean hasAddedAffinity() {
            return configuration.effectiveProfiles().stream()
                    .flatMap(profile -> profile.argsOf("NodeAffinity").stream())
                    .anyMatch(args -> args instanceof NodeAffinityArgs affinity
                            && affinity.addedAffinity().isPresent());
        }

        private static String nodesIn(String message) {
            return message.substring(0, message.indexOf(':'));
        }

        private int shardOf(String node) {
            return nodes(scenario).stream()
                    .filter(known -> known.name().equals(node))
                    .mapToInt(map::ofNode)
                    .findFirst()
                    .orElse(-1);
        }

        private Set<Integer> everywhere() {
            return IntStream.range(0, map.count()).boxed().collect(Collectors.toSet());
        }

        /** Those that have tried the pod; its words may leave out others. */
        private Set<Integer> tried() {
            return SHARD.matcher(pod.status().shard().orElseThrow().message())
                    .results()
                    .map(line -> Integer.valueOf(line.group(1)))
                    .collect(Collectors.toSet());
        }

        /** By an engine that is told of these shards alone, without a gate. */
        private Engine engineOf(Set<Integer> shards) {
            Engine engine = ENGINES.of(scenario, SchedulerObserver.NONE);
            for (KubernetesObject object : objects) {
                boolean isThere = switch (object) {
                    case Node node -> shards.contains(map.ofNode(node));
                    case Pod placed -> shards.contains(shardOf(placed.spec().nodeName()));
                    default -> true;
                };
                if (isThere) {
                    engine.put(object);
                }
            }
            return engine;
        }

        private String bestOf(int shard) {
            Engine engine = engineOf(Set.of(shard));
            return engine.decide(pod) instanceof Decision.Placed placed
                    ? engine.cluster().nodes().name(placed.node())
                    : "none";
        }

        /** What the engines say that have the pod and do not try it. */
        private String held() {
            return seats.stream()
                    .filter(seat -> seat.scheduler.queue().find(pod.key()).isPresent())
                    .flatMap(seat -> PlacementAnswers.gate(pod, seat.scheduler.engine()).stream())
                    .map(gate -> gate.plugin() + ": " + gate.status().message())
                    .collect(Collectors.joining("; "));
        }

        private final class Seat {
            final int number;
            final ShardGate gate;
            final Scheduler scheduler;
            final Deque<Command> commands = new ArrayDeque<>();
            ShardProgress published = ShardProgress.NONE;

            Seat(int number) {
                this.number = number;
                gate = isOverseer(number)
                        ? new OverseerGate(map, configuration, this::scheduler, commands::add)
                        : new LocalGate(number, map, configuration, this::scheduler, commands::add);
                scheduler = new Scheduler(
                        configuration,
                        REGISTRY,
                        new FirstByName(),
                        SchedulerSettings.of(Set.of("Pod", "Node"), 0),
                        command -> gate.give(command, commands::add),
                        SchedulerObserver.NONE,
                        () -> 0);
                objects.stream()
                        .filter(object -> !(object instanceof Pod || object instanceof Node))
                        .forEach(this::take);
                list("Node", Node.class);
                list("Pod", Pod.class);
            }

            private Scheduler scheduler() {
                return scheduler;
            }

            private void list(String kind, Class<?> type) {
                gate.take(new Relist.Began(kind), scheduler::handle);
                objects.stream().filter(type::isInstance).forEach(this::take);
                gate.take(new Relist.Ended(kind), scheduler::handle);
            }

            void take(KubernetesObject object) {
                gate.take(new ClusterEvent.Put(object), scheduler::handle);
            }

            void others() {
                ShardProgress least = seats.stream()
                        .filter(seat -> seat != this)
                        .map(seat -> seat.published)
                        .reduce(ShardProgress.NOBODY, ShardProgress::and);
                gate.othersAt(least, scheduler::handle);
                if (gate.wantsPodsAnew()) {
                    list("Pod", Pod.class);
                }
            }

            boolean work() {
                boolean moved = scheduler.scheduleNext();
                while (!commands.isEmpty()) {
                    carryOut(commands.removeFirst());
                    moved = true;
                }
                return moved;
            }

            private void carryOut(Command command) {
                switch (command) {
                    case Command.Bind bind -> {
                        decidedBy = decidedBy.isPresent() ? decidedBy : OptionalInt.of(number);
                        outcome = Optional.of(new Outcome.Bound(bind.node(), number));
                    }
                    case Command.WriteObject write when write.patch().kind().equals(Kinds.POD) -> write(write);
                    case Command.PatchStatus patch -> patch(patch);
                    case Command.Evict evict -> victims.add(evict.pod().name());
                    default -> {}
                }
            }

            private void write(Command.WriteObject write) {
                ObjectPatch patch = write.patch();
                assertThat(patch.object().resourceVersion())
                        .isEqualTo(pod.meta().resourceVersion());
                Map<?, ?> status =
                        (Map<?, ?>) Objects.requireNonNull(patch.changes().get("status"));
                List<PodCondition> conditions = ((List<?>) Objects.requireNonNull(status.get("conditions")))
                        .stream()
                                .map(each -> (Map<?, ?>) each)
                                .map(written -> new PodCondition(
                                        text(written, "type"),
                                        text(written, "status"),
                                        text(written, "reason"),
                                        text(written, "message"),
                                        "",
                                        0))
                                .toList();
                PodCondition condition = conditions.getLast();
                if (condition.reason().equals("Tried")) {
                    patch(new Command.PatchStatus(
                            write.pod(), conditions, Optional.ofNullable((String) status.get("nominatedNodeName"))));
                    written(write);
                    return;
                }
                String node = text(status, "nominatedNodeName");
                if (isOverseer(number)) {
                    decidedBy = OptionalInt.of(number);
                    allocations = Optional.of(allocations(node));
                } else {
                    outcome = Optional.of(new Outcome.NoPlace(condition.message()));
                }
                put(PodBuilder.from(pod)
                        .status(PodStatusBuilder.from(pod.status())
                                .shard(condition)
                                .nominatedNodeName(node)
                                .build())
                        .build());
                written(write);
            }

            private void written(Command.WriteObject write) {
                gate.take(
                        new CommandResult.Written(
                                write.pod(), pod.meta().uid(), pod.meta().resourceVersion(), 0),
                        scheduler::handle);
            }

            /** As a replay tells them. */
            private Map<String, Object> allocations(String node) {
                Step placed = new Step(
                        pod.key(),
                        Optional.empty(),
                        new TreeMap<>(),
                        new TreeMap<>(),
                        new Step.Outcome.Placed(node, List.of()));
                Step told = PlacementAnswers.withClaims(pod, placed, scheduler.engine());
                Map<String, Object> answer = read(
                        Output.JSON.within(80).apply(new ScenarioAnswer(scenario.name(), List.of(told), Map.of())));
                return StepView.of(step(answer)).allocations();
            }

            private void patch(Command.PatchStatus patch) {
                PodStatusBuilder changed = PodStatusBuilder.from(pod.status());
                patch.nominatedNodeName().ifPresent(changed::nominatedNodeName);
                for (PodCondition condition : patch.conditions()) {
                    switch (condition.type()) {
                        case PodCondition.POD_SCHEDULED -> {
                            changed.scheduled(condition);
                            decidedBy = OptionalInt.of(number);
                            outcome = outcome.or(() -> Optional.of(new Outcome.Waits(
                                    condition.message(),
                                    patch.nominatedNodeName().orElse(""))));
                        }
                        case PodCondition.SHARD -> changed.shard(condition);
                        default -> {}
                    }
                }
                put(PodBuilder.from(pod).status(changed.build()).build());
            }
        }
    }

    private static String text(Map<?, ?> map, String key) {
        return String.valueOf(map.get(key));
    }

    private static Map<String, Object> read(String json) {
        try {
            return JsonTree.object(json);
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> step(Map<String, Object> answer) {
        return (Map<String, Object>) ((List<?>) answer.get("steps")).getFirst();
    }
}
