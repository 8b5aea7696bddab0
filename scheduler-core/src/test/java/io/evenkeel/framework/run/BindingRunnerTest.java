package io.evenkeel.framework.run;

import static io.evenkeel.api.PermitPlugin.Result.ALLOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.RemarkingPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.SelectivePlugin;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.evenkeel.model.PodCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class BindingRunnerTest {
    private final ClusterView cluster = Fakes.nodes("n1");
    private final PodInfo pod = Fakes.pod();
    private final NodeInfo node = cluster.nodeInfo(0);
    private final CycleState state = new CycleState();
    private final List<String> calls = new ArrayList<>();

    @Test
    void theFirstThatRefusesToReserveIsTheLastAskedAndAllIsTakenBackTheLastFirst() {
        BindingRunner runner = runner(
                List.of(
                        new Reserving("A", Status.SUCCESS),
                        new Reserving("B", Status.unschedulable("no")),
                        new Reserving("C", Status.SUCCESS)),
                List.of());

        assertThat(runner.reserve(state, pod, node)).contains(new Objection("B", Status.unschedulable("no")));
        assertThat(calls).containsExactly("reserve A", "reserve B");
        runner.unreserve(state, pod, node.name());
        assertThat(calls).containsExactly("reserve A", "reserve B", "unreserve C", "unreserve B", "unreserve A");
    }

    @Test
    void aPluginThatIsNotForThePodIsNotAsked() {
        BindingRunner runner = runner(List.of(new NotForIt(), new Reserving("A", Status.SUCCESS)), List.of());

        assertThat(runner.reserve(state, pod, node)).isEmpty();
        runner.steps(state, pod, node.name()).takeBack();

        assertThat(calls).containsExactly("reserve A", "unreserve A");
    }

    @Test
    void whatIsPreparedIsMeasuredWithThePreBindThatFollows() {
        long[] now = {100};
        List<String> measured = new ArrayList<>();
        Stopwatch watch = new Stopwatch() {
            @Override
            public long start() {
                return now[0];
            }

            @Override
            public long lap(int plugin, Status.Code result, long since) {
                return since;
            }

            @Override
            public void stop(Status.Code result, long since) {
                measured.add(result + " " + (now[0] - since));
            }
        };
        ProfileObserver observer = new ProfileObserver() {
            @Override
            public Stopwatch at(MeasuredPoint point, List<? extends Plugin> plugins) {
                return point == MeasuredPoint.PRE_BIND ? watch : Stopwatch.NONE;
            }
        };
        BindingRunner runner = runner(List.of(), List.of(), observer);

        BindingSteps prepared = runner.steps(state, pod, "n1");
        prepared.beginPreparing();
        BindingSteps failed = runner.steps(state, pod, "n1");
        failed.beginPreparing();
        now[0] = 107;
        prepared.before();
        now[0] = 109;
        failed.failPreparing();
        runner.steps(state, pod, "n1").before();

        assertThat(measured).containsExactly("SUCCESS 7", "ERROR 9", "SUCCESS 0");
    }

    @Test
    void aPluginThatFailsToRemarkKeepsNoOtherFromIt() {
        PodCondition remark = new PodCondition("example.com/Far", "True", "NoRoom", "", "", 0);
        List<RemarkingPlugin> plugins = List.of(
                remarking(() -> {
                    throw new IllegalStateException("broken");
                }),
                remarking(() -> List.of(remark)));
        assertThat(new BindingRunner(
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                List.of(),
                                plugins,
                                true,
                                PluginCalls.UNTOLD,
                                ProfileObserver.NONE)
                        .steps(state, pod, "n1")
                        .remarks())
                .containsExactly(remark);
    }

    private static RemarkingPlugin remarking(Supplier<List<PodCondition>> remarks) {
        return new RemarkingPlugin() {
            @Override
            public String name() {
                return "Remarking";
            }

            @Override
            public List<PodCondition> remarks(CycleState state, PendingPod pod, String nodeName) {
                return remarks.get();
            }
        };
    }

    @Test
    void allPermitsAreWaitedForThatSaySoButNoneLongerThanAQuarterOfAnHour() {
        Permission permission = permits(waiting(Duration.ofMinutes(20)), waiting(Duration.ofSeconds(3)), ALLOW);

        assertThat(permission)
                .isEqualTo(new Permission.Delayed(List.of(
                        new Permission.Delay("P0", Duration.ofMinutes(15)),
                        new Permission.Delay("P1", Duration.ofSeconds(3)))));
    }

    @Test
    void onePermitRefusedEndsTheAsking() {
        Status no = Status.unschedulable("no");

        assertThat(permits(waiting(Duration.ofSeconds(3)), new PermitPlugin.Result(no, Duration.ZERO), ALLOW))
                .isEqualTo(new Permission.Denied(new Objection("P1", no)));
        assertThat(permits()).isEqualTo(Permission.GRANTED);
    }

    @Test
    void whatFailsNamesThePluginAndThePointAndWhatRejectsSaysWhatThePluginSaid() {
        Status error = Status.error("no disk");
        Status rejected = Status.unresolvable("no", "never");

        assertThat(reserving(error).reserve(state, pod, node))
                .contains(new Objection("A", Status.error("running Reserve plugin \"A\": no disk")));
        assertThat(permits(new PermitPlugin.Result(error, Duration.ZERO)))
                .isEqualTo(new Permission.Denied(
                        new Objection("P0", Status.error("running Permit plugin \"P0\": no disk"))));
        assertThat(steps(new PreBinding("A", Status.SUCCESS, error)).before())
                .isEqualTo(Status.error("running PreBind plugin \"A\": no disk"));
        assertThat(steps(new Binding("A", error)).bind()).isEqualTo(Status.error("running Bind plugin \"A\": no disk"));
        assertThat(reserving(rejected).reserve(state, pod, node)).contains(new Objection("A", rejected));
        assertThat(steps(new Binding("A", rejected)).bind()).isEqualTo(rejected);
    }

    @Test
    void aPreFlightKnowsOnlyYesNoAndError() {
        assertThatThrownBy(() -> preFlight(Status.error("no disk")))
                .hasMessage("running PreBindPreFlight \"A\": no disk");
        assertThatThrownBy(() -> preFlight(Status.unschedulable("no")))
                .hasMessage("PreBindPreFlight A returned \"Unschedulable\", which is unsupported."
                        + " It is supposed to return Success, Skip, or Error status");
    }

    @Test
    void anObjectionReadsAsIfTheNodeWereTheOnlyOne() {
        assertThat(new Objection("A", Status.unschedulable("b", "a", "b")).message())
                .isEqualTo("0/1 nodes are available: 1 a, 2 b.");
        assertThat(new Objection("A", Status.unschedulable()).message()).isEqualTo("0/1 nodes are available:");
        assertThat(new Objection("A", Status.error("broken")).message()).isEqualTo("broken");
    }

    @Test
    void theFirstThatDoesNotSkipBinds() {
        BindingSteps steps = steps(
                new PreBinding("A", Status.SKIP, Status.SUCCESS),
                new PreBinding("B", Status.SUCCESS, Status.SUCCESS),
                new Binding("A", Status.SKIP),
                new Binding("B", Status.SUCCESS),
                new Binding("C", Status.SKIP));

        assertThat(steps.before()).isEqualTo(Status.SUCCESS);
        assertThat(steps.bind()).isEqualTo(Status.SUCCESS);
        assertThat(calls).containsExactly("preBind B", "bind A", "bind B");
    }

    /** In kube-scheduler that is a plugin's work, and dashboards look for it at the point Bind. */
    @Test
    void theSchedulersOwnBindingIsMeasuredAsThePointBind() {
        List<Status.Code> measured = new ArrayList<>();
        BindingSteps steps = steps(observing(MeasuredPoint.BIND, measured), new Binding("A", Status.SKIP));

        assertThat(steps.bind().isSkip()).isTrue();
        assertThat(measured).isEmpty();
        steps.endOwnWay(steps.beginOwnWay(), Optional.of(Status.Code.SUCCESS));
        steps.endOwnWay(steps.beginOwnWay(), Optional.empty());
        assertThat(measured).containsExactly(Status.Code.SUCCESS);
    }

    /** As kube-scheduler measures them, though no configuration enables plugins there. */
    @Test
    void preFlightsAndReservationsTakenBackAreMeasuredAsPointsOfTheirOwn() {
        List<Status.Code> preFlights = new ArrayList<>();
        ProfileObserver observer = observing(MeasuredPoint.PRE_BIND_PRE_FLIGHT, preFlights);
        steps(observer);
        steps(observer, new PreBinding("A", Status.SKIP, Status.SUCCESS));
        steps(
                observer,
                new PreBinding("A", Status.SKIP, Status.SUCCESS),
                new PreBinding("B", Status.SUCCESS, Status.SUCCESS));
        assertThatThrownBy(() -> steps(observer, new PreBinding("A", Status.error("no disk"), Status.SUCCESS)))
                .isInstanceOf(PluginFailure.class);
        assertThat(preFlights)
                .containsExactly(Status.Code.SKIP, Status.Code.SKIP, Status.Code.SUCCESS, Status.Code.ERROR);

        List<Status.Code> takenBack = new ArrayList<>();
        BindingRunner runner = runner(
                List.of(new Reserving("A", Status.SUCCESS)), List.of(), observing(MeasuredPoint.UNRESERVE, takenBack));
        runner.reserve(state, pod, node);
        assertThat(takenBack).isEmpty();
        runner.unreserve(state, pod, node.name());
        assertThat(takenBack).containsExactly(Status.Code.SUCCESS);
    }

    private static ProfileObserver observing(MeasuredPoint observed, List<Status.Code> results) {
        return new ProfileObserver() {
            @Override
            public Stopwatch at(MeasuredPoint point, List<? extends Plugin> plugins) {
                return point == observed ? new Stops(results) : Stopwatch.NONE;
            }
        };
    }

    private static BindingRunner runner(List<ReservePlugin> reserves, List<PermitPlugin> permits) {
        return runner(reserves, permits, ProfileObserver.NONE);
    }

    private static BindingRunner runner(
            List<ReservePlugin> reserves, List<PermitPlugin> permits, ProfileObserver observer) {
        return new BindingRunner(
                reserves, permits, List.of(), List.of(), List.of(), List.of(), true, PluginCalls.UNTOLD, observer);
    }

    private BindingRunner reserving(Status status) {
        return runner(List.of(new Reserving("A", status)), List.of());
    }

    private void preFlight(Status status) {
        steps(new PreBinding("A", status, Status.SUCCESS));
    }

    private BindingSteps steps(Plugin... plugins) {
        return steps(ProfileObserver.NONE, plugins);
    }

    private BindingSteps steps(ProfileObserver observer, Plugin... plugins) {
        return new BindingRunner(
                        List.of(),
                        List.of(),
                        those(PreBindPlugin.class, plugins),
                        those(BindPlugin.class, plugins),
                        List.of(),
                        List.of(),
                        true,
                        PluginCalls.UNTOLD,
                        observer)
                .steps(state, pod, "n1");
    }

    private static <P extends Plugin> List<P> those(Class<P> type, Plugin... plugins) {
        return Stream.of(plugins).filter(type::isInstance).map(type::cast).toList();
    }

    private static PermitPlugin.Result waiting(Duration timeout) {
        return new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), timeout);
    }

    private Permission permits(PermitPlugin.Result... results) {
        List<PermitPlugin> plugins = new ArrayList<>();
        for (PermitPlugin.Result result : results) {
            plugins.add(new Permitting("P" + plugins.size(), result));
        }
        return runner(List.of(), plugins).permit(state, pod, node);
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
        public Status reserve(CycleState cycle, PendingPod reserved, NodeInfo on) {
            calls.add("reserve " + name);
            return status;
        }

        @Override
        public void unreserve(CycleState cycle, PendingPod reserved, String nodeName) {
            calls.add("unreserve " + name);
        }
    }

    private final class NotForIt implements ReservePlugin, SelectivePlugin {
        @Override
        public String name() {
            return "NotForIt";
        }

        @Override
        public boolean isFor(PodInfo asked) {
            return false;
        }

        @Override
        public Status reserve(CycleState cycle, PendingPod reserved, NodeInfo on) {
            calls.add("reserve NotForIt");
            return Status.SUCCESS;
        }

        @Override
        public void unreserve(CycleState cycle, PendingPod reserved, String nodeName) {
            calls.add("unreserve NotForIt");
        }
    }

    private record Stops(List<Status.Code> measured) implements Stopwatch {
        @Override
        public long start() {
            return 0;
        }

        @Override
        public long lap(int plugin, Status.Code result, long since) {
            throw new AssertionError("plugins that bind are not timed one by one");
        }

        @Override
        public void stop(Status.Code result, long since) {
            measured.add(result);
        }
    }

    private record Permitting(String name, Result result) implements PermitPlugin {
        @Override
        public Result permit(CycleState state, PendingPod pod, NodeInfo node) {
            return result;
        }
    }

    private final class PreBinding implements PreBindPlugin {
        private final String name;
        private final Status preFlight;
        private final Status preBind;

        PreBinding(String name, Status preFlight, Status preBind) {
            this.name = name;
            this.preFlight = preFlight;
            this.preBind = preBind;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public Status preBindPreFlight(CycleState cycle, PendingPod bound, String nodeName) {
            return preFlight;
        }

        @Override
        public Status preBind(CycleState cycle, PendingPod bound, String nodeName) {
            calls.add("preBind " + name);
            return preBind;
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
        public Status bind(CycleState cycle, PendingPod bound, String nodeName) {
            calls.add("bind " + name);
            return status;
        }
    }
}
