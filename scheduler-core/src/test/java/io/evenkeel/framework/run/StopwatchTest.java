package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the runners use the stopwatches that an observer of a profile hands out. Each moment is one more than that before. */
class StopwatchTest {
    private final ClusterView cluster = Fakes.nodes("a", "b");
    private final List<String> heard = new ArrayList<>();

    @Test
    void theTimeOfAPluginBeginsWhereThatOfTheOneBeforeEnded() {
        var a = Fakes.before("A", PreFilterResult.PROCEED);
        var b = Fakes.before("B", PreFilterResult.SKIP);

        new FilterRunner(cluster, List.of(a, b), List.of(a, b), new Listener()).run(new CycleState(), Fakes.pod());

        assertThat(heard)
                .containsExactly(
                        "a cycle began",
                        "PRE_FILTER A SUCCESS from 1 to 2",
                        "PRE_FILTER B SKIP from 2 to 3",
                        "PRE_FILTER SUCCESS from 1",
                        "FILTER A SUCCESS from 4 to 5",
                        "FILTER SUCCESS from 4");
    }

    @Test
    void aFilterThatLeavesNoNodeIsOneThatTurnsThePodAway() {
        new FilterRunner(
                        cluster, List.of(), List.of(Fakes.gate("A", _ -> Status.unschedulable("full"))), new Listener())
                .run(new CycleState(), Fakes.pod());

        assertThat(heard).contains("FILTER A UNSCHEDULABLE from 2 to 3", "FILTER SUCCESS from 2");
    }

    @Test
    void postFilterPluginsAreTimedLikeTheOthers() {
        PostFilterPlugin hopeless = new PostFilterPlugin() {
            @Override
            public String name() {
                return "Hopeless";
            }

            @Override
            public Result postFilter(CycleState state, PendingPod given, NodeStatuses statuses, Trial trial) {
                return Result.none(Status.unschedulable("no"));
            }
        };
        FilterRunner filters = new FilterRunner(cluster, List.of(), List.of());
        PodInfo pod = Fakes.pod();
        filters.run(new CycleState(), pod);

        new PostFilterRunner(List.of(hopeless), PluginCalls.UNTOLD, new Listener())
                .run(new CycleState(), pod, filters.diagnosis(), new UnusedTrial());

        assertThat(heard)
                .containsExactly("POST_FILTER Hopeless UNSCHEDULABLE from 1 to 2", "POST_FILTER UNSCHEDULABLE from 1");
    }

    private final class Listener implements ProfileObserver {
        private long now;

        @Override
        public void cycleBegan() {
            heard.add("a cycle began");
        }

        @Override
        public Stopwatch at(MeasuredPoint point, List<? extends Plugin> plugins) {
            return new Stopwatch() {
                @Override
                public long start() {
                    return ++now;
                }

                @Override
                public long lap(int plugin, Status.Code result, long since) {
                    now++;
                    heard.add(
                            point + " " + plugins.get(plugin).name() + " " + result + " from " + since + " to " + now);
                    return now;
                }

                @Override
                public void stop(Status.Code result, long since) {
                    heard.add(point + " " + result + " from " + since);
                }
            };
        }
    }
}
