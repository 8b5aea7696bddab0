package io.evenkeel.engine;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Throws at one point, and agrees to everything at the others; where that is its hint, it first turns each pod away. */
class FragilePlugin
        implements QueueSortPlugin,
                PreEnqueuePlugin,
                PreFilterPlugin,
                FilterPlugin,
                PreScorePlugin,
                ScorePlugin,
                ReservePlugin,
                PermitPlugin,
                PreBindPlugin,
                BindPlugin,
                PostBindPlugin,
                WakeUpPlugin {
    static final String NAME = "Fragile";

    enum Point {
        QUEUE_SORT,
        PRE_ENQUEUE,
        WAKE_UPS,
        HINT,
        PRE_FILTER,
        FILTER,
        PRE_SCORE,
        SCORE,
        RESERVE,
        PERMIT,
        PRE_BIND_PRE_FLIGHT,
        PRE_BIND,
        BIND,
        POST_BIND,
        UNRESERVE
    }

    private final Point breaksAt;
    private final Throwable fault;
    final List<String> reserved = new ArrayList<>();

    FragilePlugin(Point breaksAt, Throwable fault) {
        this.breaksAt = breaksAt;
        this.fault = fault;
    }

    private void reached(Point point) {
        if (point == breaksAt) {
            FragilePlugin.<RuntimeException>raise(fault);
        }
    }

    /** Also a checked exception, as code in other languages throws it. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void raise(Throwable fault) throws T {
        throw (T) fault;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int compare(QueuedPod one, QueuedPod other) {
        reached(Point.QUEUE_SORT);
        return Long.compare(one.queuedAtNanos(), other.queuedAtNanos());
    }

    @Override
    public List<WakeUp> wakeUps() {
        reached(Point.WAKE_UPS);
        return List.of(WakeUp.on(
                (_, _) -> {
                    reached(Point.HINT);
                    return false;
                },
                ChangeKind.NODE_LABELS));
    }

    @Override
    public Status preEnqueue(Pod pod) {
        reached(Point.PRE_ENQUEUE);
        return Status.SUCCESS;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        reached(Point.PRE_FILTER);
        return PreFilterResult.PROCEED;
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        reached(Point.FILTER);
        return breaksAt == Point.HINT ? Status.unschedulable("no") : Status.SUCCESS;
    }

    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        reached(Point.PRE_SCORE);
        return Status.SUCCESS;
    }

    @Override
    public long score(CycleState state, PendingPod pod, NodeInfo node) {
        reached(Point.SCORE);
        return 0;
    }

    @Override
    public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
        reached(Point.RESERVE);
        reserved.add(pod.pod().key());
        return Status.SUCCESS;
    }

    @Override
    public void unreserve(CycleState state, PendingPod pod, String nodeName) {
        reached(Point.UNRESERVE);
        reserved.remove(pod.pod().key());
    }

    @Override
    public PermitPlugin.Result permit(CycleState state, PendingPod pod, NodeInfo node) {
        reached(Point.PERMIT);
        return PermitPlugin.Result.ALLOW;
    }

    @Override
    public Status preBindPreFlight(CycleState state, PendingPod pod, String nodeName) {
        reached(Point.PRE_BIND_PRE_FLIGHT);
        return Status.SUCCESS;
    }

    @Override
    public Status preBind(CycleState state, PendingPod pod, String nodeName) {
        reached(Point.PRE_BIND);
        return Status.SUCCESS;
    }

    @Override
    public Status bind(CycleState state, PendingPod pod, String nodeName) {
        reached(Point.BIND);
        return Status.SKIP;
    }

    @Override
    public void postBind(CycleState state, PendingPod pod, String nodeName) {
        reached(Point.POST_BIND);
    }
}
