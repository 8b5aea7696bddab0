package io.evenkeel.plugins.live;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.NodeStatuses;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PostFilterPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.PreScorePlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.ScorePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.api.WaitingPod;
import io.evenkeel.framework.TreeContext;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Stumbles now and then wherever the engine's thread calls it while a pod is decided, and agrees to everything else. */
final class StumblingPlugin
        implements PreFilterPlugin,
                FilterPlugin,
                PostFilterPlugin,
                PreScorePlugin,
                ScorePlugin,
                ReservePlugin,
                PermitPlugin,
                PreBindPlugin {
    static final String NAME = "Stumbling";

    private final Stumbles stumbles;
    private final TreeContext context;

    StumblingPlugin(TreeContext context, Stumbles stumbles) {
        this.stumbles = stumbles;
        this.context = context;
    }

    @Override
    public String name() {
        stumbles.perhaps();
        return NAME;
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        stumbles.perhaps();
        return PreFilterResult.PROCEED;
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        stumbles.perhaps();
        return Status.SUCCESS;
    }

    @Override
    public PostFilterPlugin.Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
        context.cluster().placedPods().stream().findFirst().ifPresent(trial.whatIf()::remove);
        stumbles.perhaps();
        return PostFilterPlugin.Result.none(Status.unschedulable("cannot help"));
    }

    @Override
    public Status preScore(CycleState state, PendingPod pod, Collection<NodeInfo> feasible) {
        stumbles.perhaps();
        return Status.SUCCESS;
    }

    @Override
    public long score(CycleState state, PendingPod pod, NodeInfo node) {
        stumbles.perhaps();
        return 0;
    }

    @Override
    public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
        stumbles.perhaps();
        stumbles.reserved.add(pod.pod().meta().uid());
        stumbles.perhaps();
        return Status.SUCCESS;
    }

    @Override
    public void unreserve(CycleState state, PendingPod pod, String nodeName) {
        stumbles.reserved.remove(pod.pod().meta().uid());
        stumbles.perhaps();
    }

    /** Delays some, and lets those go on that it has delayed before. */
    @Override
    public PermitPlugin.Result permit(CycleState state, PendingPod pod, NodeInfo node) {
        for (WaitingPod waiting : context.waitingPods().all()) {
            waiting.allow(NAME);
        }
        stumbles.perhaps();
        if (!stumbles.draws(10)) {
            return PermitPlugin.Result.ALLOW;
        }
        stumbles.delayed.add(pod.pod().meta().uid());
        return new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(5));
    }

    @Override
    public Status preBindPreFlight(CycleState state, PendingPod pod, String nodeName) {
        stumbles.perhaps();
        return stumbles.draws(2) ? Status.SUCCESS : new Status(Status.Code.SKIP, List.of());
    }

    @Override
    public Status preBind(CycleState state, PendingPod pod, String nodeName) {
        return Status.SUCCESS;
    }
}
