package io.evenkeel.framework;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BindingRunnerTest {
    private final ClusterState cluster = Fakes.nodes("n1");
    private final PodInfo pod = Fakes.pod(cluster);
    private final NodeInfo node = cluster.nodeInfo(0);
    private final CycleState state = new CycleState();
    private final List<String> calls = new ArrayList<>();

    @Test
    void aRefusedReservationTakesAllBackTheLastFirst() {
        BindingRunner runner = new BindingRunner(
                List.of(
                        new Reserving("A", Status.SUCCESS),
                        new Reserving("B", Status.unschedulable("no")),
                        new Reserving("C", Status.SUCCESS)),
                List.of(),
                List.of(),
                List.of(),
                List.of());

        assertThat(runner.reserve(state, pod, node)).isEqualTo(Status.unschedulable("no"));
        assertThat(calls).containsExactly("reserve A", "reserve B", "unreserve C", "unreserve B", "unreserve A");
    }

    @Test
    void theShortestWaitOfSeveralPermitsCounts() {
        PermitPlugin.Result result = permits(
                new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofMinutes(20)),
                new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(3)),
                PermitPlugin.Result.ALLOW);

        assertThat(result.status().isWait()).isTrue();
        assertThat(result.status().reasons()).containsExactly("P0", "P1");
        assertThat(result.timeout()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void nobodyWaitsLongerThanAQuarterOfAnHourAndARefusalEndsTheAsking() {
        assertThat(permits(new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofHours(1)))
                        .timeout())
                .isEqualTo(Duration.ofMinutes(15));
        assertThat(permits(
                                new PermitPlugin.Result(Status.unschedulable("no"), Duration.ZERO),
                                PermitPlugin.Result.ALLOW)
                        .status())
                .isEqualTo(Status.unschedulable("no"));
        assertThat(permits().status()).isEqualTo(Status.SUCCESS);
    }

    @Test
    void theFirstThatDoesNotSkipBinds() {
        BindingRunner runner = new BindingRunner(
                List.of(),
                List.of(),
                List.of(new PreBinding("A", Status.SKIP), new PreBinding("B", Status.SUCCESS)),
                List.of(new Binding("A", Status.SKIP), new Binding("B", Status.SUCCESS), new Binding("C", Status.SKIP)),
                List.of());

        List<PreBindPlugin> busy = runner.preBindPreFlight(state, pod, "n1");
        assertThat(runner.preBind(busy, state, pod, "n1")).isEqualTo(Status.SUCCESS);
        assertThat(runner.bind(state, pod, "n1")).isEqualTo(Status.SUCCESS);
        assertThat(calls).containsExactly("preBind B", "bind A", "bind B");
    }

    private PermitPlugin.Result permits(PermitPlugin.Result... results) {
        List<PermitPlugin> plugins = new ArrayList<>();
        for (PermitPlugin.Result result : results) {
            plugins.add(new Permitting("P" + plugins.size(), result));
        }
        return new BindingRunner(List.of(), plugins, List.of(), List.of(), List.of()).permit(state, pod, node);
    }

    private final class Reserving implements ReservePlugin {
        private final String name;
        private final Status status;

        Reserving(String name, Status status) {
            this.name = name;
            this.status = status;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Status reserve(CycleState cycle, PodInfo reserved, NodeInfo on) {
            calls.add("reserve " + name);
            return status;
        }

        @Override
        public void unreserve(CycleState cycle, PodInfo reserved, NodeInfo on) {
            calls.add("unreserve " + name);
        }
    }

    private record Permitting(String name, Result result) implements PermitPlugin {
        @Override
        public Result permit(CycleState state, PodInfo pod, NodeInfo node) {
            return result;
        }
    }

    private final class PreBinding implements PreBindPlugin {
        private final String name;
        private final Status preFlight;

        PreBinding(String name, Status preFlight) {
            this.name = name;
            this.preFlight = preFlight;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Status preBindPreFlight(CycleState cycle, PodInfo bound, String nodeName) {
            return preFlight;
        }

        @Override
        public Status preBind(CycleState cycle, PodInfo bound, String nodeName) {
            calls.add("preBind " + name);
            return Status.SUCCESS;
        }
    }

    private final class Binding implements BindPlugin {
        private final String name;
        private final Status status;

        Binding(String name, Status status) {
            this.name = name;
            this.status = status;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Status bind(CycleState cycle, PodInfo bound, String nodeName) {
            calls.add("bind " + name);
            return status;
        }
    }
}
