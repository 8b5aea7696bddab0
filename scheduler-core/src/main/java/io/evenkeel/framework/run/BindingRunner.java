package io.evenkeel.framework.run;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.PreparingPlugin;
import io.evenkeel.api.RemarkingPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.evenkeel.model.PodCondition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs on the engine's thread what comes between the choice of a node and the pod running there: Reserve, Permit and
 * PreBindPreFlight. What is left to do off it are {@link BindingSteps}.
 */
public final class BindingRunner {
    private final List<ReservePlugin> reserves;
    private final Stopwatch reserveWatch;
    private final Stopwatch unreserveWatch;
    private final Stopwatch preFlightWatch;
    private final PermitRunner permits;
    private final BindingPlugins plugins;
    private final List<PreparingPlugin> preparing;
    private final List<RemarkingPlugin> remarking;
    private final boolean runsPreFlights;
    private final PluginCalls calls;

    /** @param runsPreFlights else every PreBind plugin is taken to have something to do */
    BindingRunner(
            List<ReservePlugin> reserves,
            List<PermitPlugin> permits,
            BindingPlugins plugins,
            List<RemarkingPlugin> remarking,
            boolean runsPreFlights,
            PluginCalls calls,
            ProfileObserver observer) {
        this.reserves = reserves;
        this.reserveWatch = observer.at(MeasuredPoint.RESERVE, reserves);
        this.unreserveWatch = observer.at(MeasuredPoint.UNRESERVE, reserves);
        this.preFlightWatch = observer.at(MeasuredPoint.PRE_BIND_PRE_FLIGHT, plugins.preBinds());
        this.permits = new PermitRunner(permits, calls, observer);
        this.plugins = plugins;
        this.preparing = plugins.preBinds().stream()
                .filter(PreparingPlugin.class::isInstance)
                .map(PreparingPlugin.class::cast)
                .toList();
        this.remarking = remarking;
        this.runsPreFlights = runsPreFlights;
        this.calls = calls;
    }

    /** Lets every plugin reserve until one objects: then the caller takes all back by {@link #unreserve}. */
    public Optional<Objection> reserve(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        long began = reserveWatch.start();
        Optional<Objection> objection = Objection.first(
                "Reserve", reserves, plugin -> calls.ask(pod.pod(), () -> plugin.reserve(state, pod, node)));
        reserveWatch.stop(objection.map(found -> found.status().code()).orElse(Code.SUCCESS), began);
        return objection;
    }

    /**
     * Takes reservations back, the last made first; also those that were never made. A plugin that fails at that keeps no
     * other from it, as it is not tried again.
     */
    public void unreserve(CycleState state, PendingPod waiting, String nodeName) {
        PodInfo pod = PodInfo.of(waiting);
        long began = unreserveWatch.start();
        for (ReservePlugin plugin : reserves.reversed()) {
            calls.run(pod.pod(), () -> plugin.unreserve(state, pod, nodeName));
        }
        unreserveWatch.stop(Code.SUCCESS, began);
    }

    public Permission permit(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        return permits.run(state, pod, node);
    }

    /**
     * Returns the steps left for a pod that has its permit; keeps nothing that the next cycle changes.
     *
     * @throws PluginFailure if a plugin cannot tell what it has to do
     */
    public BindingSteps steps(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = runsPreFlights ? preBindPreFlight(state, pod, nodeName) : plugins.preBinds();
        Map<String, Preparation> preparations = preparations(state, pod, nodeName);
        boolean readsState = !busy.isEmpty()
                || !reserves.isEmpty()
                || !plugins.binds().isEmpty()
                || !plugins.postBinds().isEmpty();
        return new BindingSteps(
                this,
                plugins,
                preparations,
                busy,
                remarks(state, pod, nodeName),
                readsState ? state.copy() : state,
                pod,
                nodeName);
    }

    /** A plugin that fails to say something keeps no pod from its node. */
    private List<PodCondition> remarks(CycleState state, PendingPod waiting, String nodeName) {
        PodInfo pod = PodInfo.of(waiting);
        List<PodCondition> all = List.of();
        for (RemarkingPlugin plugin : remarking) {
            List<PodCondition> some = calls.ask(pod.pod(), () -> plugin.remarks(state, pod, nodeName), _ -> List.of());
            if (!some.isEmpty()) {
                all = Stream.concat(all.stream(), some.stream()).toList();
            }
        }
        return all;
    }

    private Map<String, Preparation> preparations(CycleState state, PodInfo pod, String nodeName) {
        Map<String, Preparation> all = Map.of();
        for (PreparingPlugin plugin : preparing) {
            try {
                Optional<Preparation> found = plugin.prepare(state, pod, nodeName);
                if (found.isPresent()) {
                    all = all.isEmpty() ? new LinkedHashMap<>() : all;
                    all.put(plugin.name(), found.get());
                }
            } catch (Throwable thrown) {
                throw PluginFailure.of(plugin, "PreBind", thrown);
            }
        }
        return all;
    }

    /** The plugins that have something to do before the pod is bound. */
    private List<PreBindPlugin> preBindPreFlight(CycleState state, PendingPod waiting, String nodeName) {
        PodInfo pod = PodInfo.of(waiting);
        long began = preFlightWatch.start();
        Code result = Code.ERROR;
        try {
            List<PreBindPlugin> busy = askBeforePreBind(state, pod, nodeName);
            result = busy.isEmpty() ? Code.SKIP : Code.SUCCESS;
            return busy;
        } finally {
            preFlightWatch.stop(result, began);
        }
    }

    private List<PreBindPlugin> askBeforePreBind(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = List.of();
        for (PreBindPlugin plugin : plugins.preBinds()) {
            Status status = calls.ask(pod.pod(), () -> plugin.preBindPreFlight(state, pod, nodeName));
            switch (status.code()) {
                case SUCCESS -> {
                    busy = busy.isEmpty() ? new ArrayList<>() : busy;
                    busy.add(plugin);
                }
                case SKIP -> {}
                case ERROR ->
                    throw new PluginFailure(
                            plugin.name(), "running PreBindPreFlight \"" + plugin.name() + "\": " + status.message());
                default ->
                    throw new PluginFailure(
                            plugin.name(),
                            "PreBindPreFlight " + plugin.name() + " returned \""
                                    + status.code().label()
                                    + "\", which is unsupported. It is supposed to return Success, Skip, or Error"
                                    + " status");
            }
        }
        return busy;
    }
}
