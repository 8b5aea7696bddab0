package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.PostFilterPlugin;
import io.evenkeel.framework.PreFilterResult;
import io.evenkeel.framework.Trial;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an observer of a profile gets to hear from the runners. */
class PointProbeTest {
    private final ClusterView cluster = Fakes.nodes("a", "b");
    private final List<String> heard = new ArrayList<>();

    @Test
    void eachPluginIsCountedAndInATimedCycleItsTimeBeginsWhereTheOneBeforeEnded() {
        FilterRunner runner = runner(true);

        runner.run(new CycleState(), Fakes.pod());

        assertThat(heard)
                .containsExactly(
                        "PRE_FILTER A counted",
                        "PRE_FILTER A SUCCESS 1",
                        "PRE_FILTER B SKIP 1",
                        "PRE_FILTER SUCCESS 3",
                        "FILTER A counted",
                        "FILTER A SUCCESS 1",
                        "FILTER SUCCESS 2");
    }

    @Test
    void inOtherCyclesOnlyThePointsAreTimed() {
        FilterRunner runner = runner(false);

        runner.run(new CycleState(), Fakes.pod());

        assertThat(heard)
                .containsExactly(
                        "PRE_FILTER A counted", "PRE_FILTER SUCCESS 1", "FILTER A counted", "FILTER SUCCESS 1");
    }

    @Test
    void postFilterPluginsAreTimedLikeTheOthers() {
        FilterRunner filters = runner(true);
        PodInfo pod = Fakes.pod();
        filters.run(new CycleState(), pod);
        heard.clear();
        PostFilterPlugin hopeless = new PostFilterPlugin() {
            @Override
            public String name() {
                return "Hopeless";
            }

            @Override
            public Result postFilter(CycleState state, PodInfo given, Diagnosis diagnosis, Trial trial) {
                return Result.none(Status.unschedulable("no"));
            }
        };
        ProfileProbe timed = new ProfileProbe(new Listener(true));
        timed.beginCycle();
        new PostFilterRunner(List.of(hopeless), PluginCalls.UNTOLD, timed)
                .run(new CycleState(), pod, filters.diagnosis(), new UnusedTrial());

        assertThat(heard)
                .containsExactly(
                        "POST_FILTER Hopeless counted",
                        "POST_FILTER Hopeless UNSCHEDULABLE 1",
                        "POST_FILTER UNSCHEDULABLE 2");
    }

    @Test
    void theProbeOfNobodyHearsNothing() {
        PointProbe probe = ProfileProbe.NONE.at(ExtensionPoint.FILTER, List.of());

        assertThat(probe.isActive()).isFalse();
        assertThat(probe.begin()).isZero();
    }

    private FilterRunner runner(boolean timed) {
        var a = Fakes.before("A", PreFilterResult.PROCEED);
        var b = Fakes.before("B", PreFilterResult.SKIP);
        return new FilterRunner(cluster, List.of(a, b), List.of(a, b), new ProfileProbe(new Listener(timed)));
    }

    private final class Listener implements ProfileObserver {
        private final boolean timed;
        private long now;

        Listener(boolean timed) {
            this.timed = timed;
        }

        @Override
        public boolean isInterested() {
            return true;
        }

        @Override
        public long nanoTime() {
            return ++now;
        }

        @Override
        public boolean timesThisCycle() {
            return timed;
        }

        @Override
        public PointObserver at(ExtensionPoint point) {
            return (result, nanos) -> heard.add(point + " " + result.name() + " " + nanos);
        }

        @Override
        public PluginObserver of(String plugin, ExtensionPoint point) {
            return new PluginObserver() {
                @Override
                public void evaluated() {
                    heard.add(point + " " + plugin + " counted");
                }

                @Override
                public void ran(Status.Code result, long nanos) {
                    heard.add(point + " " + plugin + " " + result.name() + " " + nanos);
                }
            };
        }
    }
}
