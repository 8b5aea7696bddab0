package io.evenkeel.framework;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.ExtensionPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs what comes between the choice of a node and the pod running there: Reserve, Permit, PreBind, Bind, PostBind.
 * Reserve, Permit and the pre-flight run on the engine's thread, the rest off it.
 */
public final class BindingRunner {
    /** However long a plugin asks to wait, a pod waits no longer than this for its permit. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    private final List<ReservePlugin> reserves;
    private final List<PermitPlugin> permits;
    private final List<PreBindPlugin> preBinds;
    private final List<BindPlugin> binds;
    private final List<PostBindPlugin> postBinds;
    private final ProfileProbe probe;
    private final PointProbe reserveProbe;
    private final PointProbe permitProbe;
    private final PointProbe preBindProbe;
    private final PointProbe bindProbe;
    private final PointProbe postBindProbe;

    BindingRunner(
            List<ReservePlugin> reserves,
            List<PermitPlugin> permits,
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds) {
        this(reserves, permits, preBinds, binds, postBinds, ProfileProbe.NONE);
    }

    BindingRunner(
            List<ReservePlugin> reserves,
            List<PermitPlugin> permits,
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds,
            ProfileProbe probe) {
        this.probe = probe;
        this.reserveProbe = probe.at(ExtensionPoint.RESERVE, reserves);
        this.permitProbe = probe.at(ExtensionPoint.PERMIT, permits);
        this.preBindProbe = probe.at(ExtensionPoint.PRE_BIND, preBinds);
        this.bindProbe = probe.at(ExtensionPoint.BIND, binds);
        this.postBindProbe = probe.at(ExtensionPoint.POST_BIND, postBinds);
        this.reserves = reserves;
        this.permits = permits;
        this.preBinds = preBinds;
        this.binds = binds;
        this.postBinds = postBinds;
    }

    /** Lets every plugin reserve; if one refuses, all reservations are taken back. */
    public Status reserve(CycleState state, PodInfo pod, NodeInfo node) {
        long began = reserveProbe.begin();
        Status status = reserveAll(state, pod, node);
        reserveProbe.end(status.code(), began);
        return status;
    }

    private Status reserveAll(CycleState state, PodInfo pod, NodeInfo node) {
        for (ReservePlugin plugin : reserves) {
            Status status = plugin.reserve(state, pod, node);
            if (!status.isSuccess()) {
                unreserve(state, pod, node);
                return status;
            }
        }
        return Status.SUCCESS;
    }

    /**
     * Takes reservations back, the last made first; also those that were never made. A plugin that fails at that keeps no
     * other from it: there is nobody who could try again.
     */
    public void unreserve(CycleState state, PodInfo pod, NodeInfo node) {
        for (ReservePlugin plugin : reserves.reversed()) {
            try {
                plugin.unreserve(state, pod, node);
            } catch (RuntimeException fault) {
                probe.faulted(pod.pod(), fault);
            }
        }
    }

    /** Asks for a permit. Of several plugins that make the pod wait, the one that waits least sets the timeout. */
    public PermitPlugin.Result permit(CycleState state, PodInfo pod, NodeInfo node) {
        long began = permitProbe.begin();
        PermitPlugin.Result result = askPermits(state, pod, node);
        permitProbe.end(result.status().code(), began);
        return result;
    }

    private PermitPlugin.Result askPermits(CycleState state, PodInfo pod, NodeInfo node) {
        List<String> waitingFor = new ArrayList<>();
        Duration timeout = LONGEST_WAIT;
        for (PermitPlugin plugin : permits) {
            PermitPlugin.Result result = plugin.permit(state, pod, node);
            if (result.status().isWait()) {
                waitingFor.add(plugin.name());
                timeout = result.timeout().compareTo(timeout) < 0 ? result.timeout() : timeout;
            } else if (!result.status().isSuccess()) {
                return result;
            }
        }
        return waitingFor.isEmpty()
                ? PermitPlugin.Result.ALLOW
                : new PermitPlugin.Result(new Status(Status.Code.WAIT, waitingFor), timeout);
    }

    /** The plugins that have something to do before the pod is bound. */
    public List<PreBindPlugin> preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = new ArrayList<>();
        for (PreBindPlugin plugin : preBinds) {
            if (!plugin.preBindPreFlight(state, pod, nodeName).isSkip()) {
                busy.add(plugin);
            }
        }
        return busy;
    }

    /** What is left to do for a pod that has its permit; keeps nothing that the next cycle changes. */
    public BindingSteps steps(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = preBindPreFlight(state, pod, nodeName);
        boolean readsState = !busy.isEmpty() || !reserves.isEmpty() || !binds.isEmpty() || !postBinds.isEmpty();
        return new BindingSteps(this, busy, readsState ? state.copy() : state, pod, nodeName);
    }

    /** Runs those plugins in order until one fails. */
    public Status preBind(List<PreBindPlugin> busy, CycleState state, PodInfo pod, String nodeName) {
        long began = preBindProbe.begin();
        Status status = preBindAll(busy, state, pod, nodeName);
        preBindProbe.end(status.code(), began);
        return status;
    }

    private static Status preBindAll(List<PreBindPlugin> busy, CycleState state, PodInfo pod, String nodeName) {
        for (PreBindPlugin plugin : busy) {
            Status status = plugin.preBind(state, pod, nodeName);
            if (!status.isSuccess()) {
                return status;
            }
        }
        return Status.SUCCESS;
    }

    /** Lets the first plugin bind that does not skip; Skip where all do. */
    public Status bind(CycleState state, PodInfo pod, String nodeName) {
        long began = bindProbe.begin();
        Status status = bindByFirst(state, pod, nodeName);
        bindProbe.end(status.code(), began);
        return status;
    }

    private Status bindByFirst(CycleState state, PodInfo pod, String nodeName) {
        for (BindPlugin plugin : binds) {
            Status status = plugin.bind(state, pod, nodeName);
            if (!status.isSkip()) {
                return status;
            }
        }
        return Status.SKIP;
    }

    public void postBind(CycleState state, PodInfo pod, String nodeName) {
        long began = postBindProbe.begin();
        postBinds.forEach(plugin -> plugin.postBind(state, pod, nodeName));
        postBindProbe.end(Status.Code.SUCCESS, began);
    }
}
