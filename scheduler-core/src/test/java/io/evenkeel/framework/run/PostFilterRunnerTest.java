package io.evenkeel.framework.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PostFilterPlugin.Result;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class PostFilterRunnerTest {
    private final ClusterView cluster = Fakes.nodes("n1");
    private final List<String> asked = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    @Test
    void thePluginsAreAskedInOrderUntilOneCanHelp() {
        assertThat(run(
                        answering("A", Result.none(Status.unschedulable("a"))),
                        answering("B", Result.nominate("n1")),
                        answering("C", Result.nominate("n2"))))
                .isEqualTo(Result.nominate("n1"));
        assertThat(asked).containsExactly("A", "B");
    }

    @Test
    void whereNoneCanHelpTheirReasonsAreAddedUpAndTheLastNominationCounts() {
        assertThat(run(
                        answering("A", new Result(Status.unschedulable("a1", "a2"), Optional.of("n1"))),
                        answering("B", new Result(Status.unschedulable(), Optional.of(""))),
                        answering("C", Result.none(Status.unschedulable("c")))))
                .isEqualTo(new Result(Status.unschedulable("a1", "a2", "c"), Optional.of("")));
    }

    @Test
    void whatNoneCanResolveEndsTheAsking() {
        Result hopeless = new Result(Status.unresolvable("never"), Optional.of(""));

        assertThat(run(answering("A", hopeless), answering("B", Result.nominate("n1"))))
                .isEqualTo(hopeless);
        assertThat(asked).containsExactly("A");
    }

    @Test
    void aPluginThatFailsEndsTheAskingAndNominatesNothing() {
        assertThat(run(
                        answering("A", new Result(Status.error("out of order"), Optional.of("n1"))),
                        answering("B", Result.nominate("n1"))))
                .isEqualTo(Result.none(Status.error("out of order")));
        assertThat(faults).containsExactly("running PostFilter plugin \"A\": out of order");
    }

    @Test
    void aPluginThatThrowsIsOneThatFails() {
        Plan throwing = new Plan("A", () -> {
            throw new NoClassDefFoundError("com/library/Eviction");
        });
        String message = "running PostFilter plugin \"A\": java.lang.NoClassDefFoundError: com/library/Eviction";

        assertThat(run(throwing)).isEqualTo(Result.none(Status.error(message)));
        assertThat(faults).containsExactly(message);
    }

    private Result run(Plan... plugins) {
        PodInfo pod = Fakes.pod();
        FilterRunner filters =
                new FilterRunner(cluster, List.of(), List.of(Fakes.gate("F", _ -> Status.unschedulable("full"))));
        filters.run(new CycleState(), pod);
        PluginCalls calls = new PluginCalls((_, fault) -> faults.add(String.valueOf(fault.getMessage())));
        return new PostFilterRunner(List.of(plugins), calls, ProfileObserver.NONE)
                .run(new CycleState(), pod, filters.diagnosis(), new UnusedTrial());
    }

    private Plan answering(String name, Result result) {
        return new Plan(name, () -> {
            asked.add(name);
            return result;
        });
    }

    private record Plan(String name, Supplier<Result> answer) implements PostFilterPlugin {
        @Override
        public Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
            return answer.get();
        }
    }
}
