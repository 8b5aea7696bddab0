package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.BrokenIndex;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.framework.TreeContext;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A plugin's index throws: half of the indexes know of the pod then, so nobody goes on as if it were the pod's fault. */
class BrokenIndexTest {
    /** Fails at the first pod that is placed. */
    private static final class Broken implements ClusterIndex {
        @Override
        public void podPlaced(int row) {
            throw new IllegalStateException("lost count");
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }

    /** Lets every pod onto every node, or asks what would happen if one were there. */
    private record Counting(TreeContext context, boolean fits)
            implements QueueSortPlugin, FilterPlugin, PostFilterPlugin {
        static final String NAME = "Counting";

        @Override
        public String name() {
            return NAME;
        }

        @Override
        public int compare(QueuedPod one, QueuedPod other) {
            return Long.compare(one.queuedAtNanos(), other.queuedAtNanos());
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            return fits ? Status.SUCCESS : Status.unschedulable("no");
        }

        @Override
        public Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
            trial.whatIf().place(pod.pod(), context.cluster().nodeInfo(0));
            return Result.none(Status.unschedulable("nothing helps"));
        }
    }

    @ParameterizedTest(name = "fits: {0}")
    @ValueSource(booleans = {true, false})
    void itEndsTheProcessWhereverAPodIsPlaced(boolean fits) {
        Scheduler scheduler = OneNodeOnePod.of(TreeContext.factory(Counting.NAME, Counting.class, context -> {
            context.cluster().index(Broken.class, _ -> new Broken());
            return new Counting(context, fits);
        }));

        assertThatThrownBy(scheduler::scheduleNext)
                .isInstanceOf(BrokenIndex.class)
                .hasMessageEndingWith("Broken has failed: java.lang.IllegalStateException: lost count");
    }
}
