package io.evenkeel.groups.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.groups.Budget;
import io.evenkeel.groups.GroupDecisions;
import io.evenkeel.groups.turn.GangPreemption.Gang;
import io.evenkeel.groups.turn.GangPreemption.Room;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A cluster with a profile, and gangs for which room is looked for in it. */
final class RoomScene {
    static final String ZONE = "topology.kubernetes.io/zone";

    final Engine engine;
    private int nodes;

    RoomScene() {
        this(SchedulerConfiguration.defaults());
    }

    RoomScene(SchedulerConfiguration configuration) {
        engine = new Engine(
                configuration, InTreePlugins.registry(), new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED);
    }

    /** Draws a node and the pods on it, each as {@code name:priority:cpu}, with the name before the digits as its label app. */
    RoomScene node(String name, String zone, int cpu, String... pods) {
        engine.put(NodeBuilder.node(name)
                .zone(zone)
                .hostname(name)
                .allocatable("cpu", Integer.toString(cpu), "pods", "110")
                .build());
        nodes++;
        for (String pod : pods) {
            put(low(pod).nodeName(name).build());
        }
        return this;
    }

    static PodBuilder low(String drawn) {
        String[] parts = drawn.split(":", 3);
        return PodBuilder.pod(parts[0])
                .label("app", parts[0].replaceAll("[0-9]", ""))
                .priority(Integer.parseInt(parts[1]))
                .container("cpu", parts[2]);
    }

    RoomScene put(KubernetesObject object) {
        engine.put(object);
        return this;
    }

    /** So many pods of priority 9. */
    static List<Pod> pods(int count, String cpu) {
        return pods(count, pod -> pod.container("cpu", cpu));
    }

    static List<Pod> pods(int count, UnaryOperator<PodBuilder> shape) {
        return IntStream.range(0, count)
                .mapToObj(i -> shape.apply(
                                PodBuilder.pod("gang-" + i).label("app", "gang").priority(9))
                        .build())
                .toList();
    }

    /** All of them are needed, none is in place, and other pods go one by one. */
    static Gang gang(List<Pod> waiting) {
        return gang(waiting, waiting.size());
    }

    static Gang gang(List<Pod> waiting, int needed) {
        return new Gang(waiting, needed, _ -> false, _ -> Optional.empty());
    }

    /** The same, with others who go together or not at all. */
    static Gang inUnits(List<Pod> waiting, Function<Pod, Optional<String>> unitOf) {
        return new Gang(waiting, waiting.size(), _ -> false, unitOf);
    }

    static TopologySpreadConstraint spread(int maxSkew, String app, String key) {
        return TopologySpreadConstraint.of(
                maxSkew, key, WhenUnsatisfiable.DO_NOT_SCHEDULE, LabelSelector.matchingLabels(Labels.of("app", app)));
    }

    static PodDisruptionBudget budget(String app, int allowed) {
        return new PodDisruptionBudget(
                ObjectMeta.named("default", app),
                LabelSelector.matchingLabels(Labels.of("app", app)),
                allowed,
                Set.of());
    }

    /** Looks for room; and that the cluster is as it was, and that what is found is so: those gone, each seat is let in. */
    Room look(Gang gang) {
        return look(gang, Budget.usual(gang.waiting().size(), nodes));
    }

    Room look(Gang gang, Budget budget) {
        gang.waiting().forEach(engine::decide);
        String before = ClusterDump.of(engine.cluster());
        Room room = new GangPreemption(engine.forGroups()).find(gang, budget);
        assertThat(ClusterDump.of(engine.cluster())).isEqualTo(before);
        assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
        return room;
    }

    /** What was found, once it is done: the victims and those who are leaving are gone, and each pod is seated by the ordinary cycle. */
    void follow(Room.Made room, List<Pod> leaving) {
        leaving.forEach(engine::remove);
        room.victims().forEach(engine::remove);
        List<Seat> seated = new ArrayList<>();
        for (Seat seat : room.seats()) {
            Decision decision = new GroupDecisions(engine.forGroups()).decideOn(seat, seated, same -> same);
            assertThat(decision).as("%s of %s", seat, room).isInstanceOf(Decision.Placed.class);
            seated.add(seat);
        }
    }

    /** The names of the victims, or why there are none. */
    String victims(Gang gang) {
        return switch (look(gang)) {
            case Room.Made made -> {
                assertThat(made.isLeast()).as("%s", made).isTrue();
                assertThat(made.seats()).hasSize(gang.needed());
                follow(made, List.of());
                made.victims().forEach(engine::put);
                yield made.victims().stream().map(Pod::name).collect(Collectors.joining(" "));
            }
            case Room.None none -> none.why();
            case Room.Unknown unknown -> unknown.toString();
        };
    }
}
