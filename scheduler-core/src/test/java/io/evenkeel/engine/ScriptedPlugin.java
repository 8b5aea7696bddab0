package io.evenkeel.engine;

import io.evenkeel.api.ChangeKind;
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
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Trial;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Says at each point what the test wrote down, and sorts by priority. Every pod that leaves its place and every node's
 * label may help the pods that it turned away: it is woken by its own place if nobody prevents that.
 */
final class ScriptedPlugin
        implements QueueSortPlugin,
                PreFilterPlugin,
                FilterPlugin,
                PostFilterPlugin,
                ReservePlugin,
                PermitPlugin,
                PreBindPlugin,
                WakeUpPlugin {
    static final String NAME = "Scripted";

    Function<NodeInfo, Status> filter = _ -> Status.SUCCESS;
    BiFunction<Diagnosis, BatchTrial, PostFilterPlugin.Result> postFilter =
            (_, _) -> PostFilterPlugin.Result.none(Status.unschedulable());
    Status reserve = Status.SUCCESS;
    PermitPlugin.Result permit = PermitPlugin.Result.ALLOW;
    Status preFlight = Status.SKIP;
    Status preBind = Status.SUCCESS;
    final List<String> reserved = new ArrayList<>();
    int preFiltered;
    /** Told of each pod at PreFilter. */
    Consumer<Pod> preFiltering = _ -> {};
    /** Done at Permit and at Unreserve, as plugins do that see to other pods there. */
    Runnable whileAsked = () -> {};

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int compare(QueuedPod left, QueuedPod right) {
        int byPriority =
                Integer.compare(right.pod().spec().priority(), left.pod().spec().priority());
        return byPriority != 0 ? byPriority : Long.compare(left.queuedAtNanos(), right.queuedAtNanos());
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        preFiltered++;
        preFiltering.accept(pod.pod());
        return PreFilterResult.PROCEED;
    }

    @Override
    public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
        return filter.apply(node);
    }

    @Override
    public PostFilterPlugin.Result postFilter(CycleState state, PendingPod pod, NodeStatuses statuses, Trial trial) {
        Diagnosis diagnosis = (Diagnosis) statuses;
        return postFilter.apply(diagnosis, BatchTrial.of(trial));
    }

    @Override
    public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
        reserved.add(pod.pod().key());
        return reserve;
    }

    @Override
    public void unreserve(CycleState state, PendingPod pod, String nodeName) {
        reserved.remove(pod.pod().key());
        whileAsked.run();
    }

    @Override
    public PermitPlugin.Result permit(CycleState state, PendingPod pod, NodeInfo node) {
        whileAsked.run();
        return permit;
    }

    @Override
    public Status preBindPreFlight(CycleState state, PendingPod pod, String nodeName) {
        return preFlight;
    }

    @Override
    public Status preBind(CycleState state, PendingPod pod, String nodeName) {
        return preBind;
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on((_, _) -> true, ChangeKind.ASSIGNED_POD_DELETED, ChangeKind.NODE_LABELS));
    }

    static Pod pod(String name) {
        return PodBuilder.pod(name).uid(name + "-uid").build();
    }
}
