package io.evenkeel.framework.run;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.PreparingPlugin;
import io.evenkeel.api.RemarkingPlugin;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.ForeseeingPlugin;
import io.evenkeel.framework.SelectivePlugin;
import io.evenkeel.framework.run.BindingSteps.Permission;
import io.evenkeel.framework.run.ProfileObserver.MeasuredPoint;
import io.evenkeel.framework.run.ProfileObserver.Stopwatch;
import io.evenkeel.model.PodCondition;
import java.time.Duration;
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
    /** However long a plugin asks to wait, a pod waits no longer than this for its permit. */
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(15);

    private final List<ReservePlugin> reserves;
    private final Stopwatch reserveWatch;
    private final Stopwatch unreserveWatch;
    private final Stopwatch preFlightWatch;
    private final List<PermitPlugin> permits;
    private final Stopwatch permitWatch;
    final List<PreBindPlugin> preBinds;
    final Stopwatch preBindWatch;
    final List<BindPlugin> binds;
    final Stopwatch bindWatch;
    final List<PostBindPlugin> postBinds;
    final Stopwatch postBindWatch;
    private final List<PreparingPlugin> preparing;
    private final List<ForeseeingPlugin> foreseeing;
    private final List<RemarkingPlugin> remarking;
    private final boolean runsPreFlights;
    final PluginCalls calls;

    /** @param runsPreFlights else every PreBind plugin is taken to have something to do */
    BindingRunner(
            List<ReservePlugin> reserves,
            List<PermitPlugin> permits,
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds,
            List<RemarkingPlugin> remarking,
            boolean runsPreFlights,
            PluginCalls calls,
            ProfileObserver observer) {
        this.reserves = reserves;
        this.reserveWatch = observer.at(MeasuredPoint.RESERVE, reserves);
        this.unreserveWatch = observer.at(MeasuredPoint.UNRESERVE, reserves);
        this.preFlightWatch = observer.at(MeasuredPoint.PRE_BIND_PRE_FLIGHT, preBinds);
        this.permits = permits;
        this.permitWatch = observer.at(MeasuredPoint.PERMIT, permits);
        this.preBinds = preBinds;
        this.preBindWatch = observer.at(MeasuredPoint.PRE_BIND, preBinds);
        this.binds = binds;
        this.bindWatch = observer.at(MeasuredPoint.BIND, binds);
        this.postBinds = postBinds;
        this.postBindWatch = observer.at(MeasuredPoint.POST_BIND, postBinds);
        this.preparing = preBinds.stream()
                .filter(PreparingPlugin.class::isInstance)
                .map(PreparingPlugin.class::cast)
                .toList();
        this.foreseeing = preparing.stream()
                .filter(ForeseeingPlugin.class::isInstance)
                .map(ForeseeingPlugin.class::cast)
                .toList();
        this.remarking = remarking;
        this.runsPreFlights = runsPreFlights;
        this.calls = calls;
    }

    /** The preparing plugins that can tell what becomes of their objects. */
    public List<ForeseeingPlugin> foreseeing() {
        return foreseeing;
    }

    /** Lets every plugin reserve until one objects: then the caller takes all back by {@link #unreserve}. */
    public Optional<Objection> reserve(CycleState state, PodInfo pod, NodeInfo node) {
        long began = reserveWatch.start();
        Optional<Objection> objection = Optional.empty();
        for (int i = 0; i < reserves.size() && objection.isEmpty(); i++) {
            if (!SelectivePlugin.passesOver(pod, reserves.get(i))) {
                objection = reserve(reserves.get(i), state, pod, node);
            }
        }
        reserveWatch.stop(objection.map(found -> found.status().code()).orElse(Code.SUCCESS), began);
        return objection;
    }

    private Optional<Objection> reserve(ReservePlugin plugin, CycleState state, PodInfo pod, NodeInfo node) {
        Status status = calls.ask(pod.pod(), () -> plugin.reserve(state, pod, node));
        return status.isSuccess() ? Optional.empty() : Optional.of(Objection.at("Reserve", plugin.name(), status));
    }

    /**
     * Takes reservations back, the last made first; also those that were never made. A plugin that fails at that keeps no
     * other from it, as it is not tried again.
     */
    public void unreserve(CycleState state, PodInfo pod, String nodeName) {
        long began = unreserveWatch.start();
        for (ReservePlugin plugin : reserves.reversed()) {
            if (!SelectivePlugin.passesOver(pod, plugin)) {
                calls.run(pod.pod(), () -> plugin.unreserve(state, pod, nodeName));
            }
        }
        unreserveWatch.stop(Code.SUCCESS, began);
    }

    /** The first that refuses or fails decides; else all are waited for that say so. */
    public Permission permit(CycleState state, PodInfo pod, NodeInfo node) {
        long began = permitWatch.start();
        Permission permission = askForPermits(state, pod, node);
        permitWatch.stop(permission.code(), began);
        return permission;
    }

    private Permission askForPermits(CycleState state, PodInfo pod, NodeInfo node) {
        List<Permission.Delay> delays = List.of();
        for (int i = 0; i < permits.size(); i++) {
            PermitPlugin plugin = permits.get(i);
            PermitPlugin.Result result = calls.ask(
                    pod.pod(),
                    () -> plugin.permit(state, pod, node),
                    error -> new PermitPlugin.Result(error, Duration.ZERO));
            if (result.status().isWait()) {
                delays = delays.isEmpty() ? new ArrayList<>() : delays;
                delays.add(new Permission.Delay(plugin.name(), limit(result.timeout())));
            } else if (!result.status().isSuccess()) {
                return new Permission.Denied(Objection.at("Permit", plugin.name(), result.status()));
            }
        }
        return delays.isEmpty() ? Permission.GRANTED : new Permission.Delayed(delays);
    }

    private static Duration limit(Duration asked) {
        if (asked.isNegative()) {
            return Duration.ZERO;
        }
        return asked.compareTo(LONGEST_WAIT) < 0 ? asked : LONGEST_WAIT;
    }

    /**
     * Returns the steps left for a pod that has its permit; keeps nothing that the next cycle changes.
     *
     * @throws PluginFailure if a plugin cannot tell what it has to do
     */
    public BindingSteps steps(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = runsPreFlights ? preBindPreFlight(state, pod, nodeName) : preBinds;
        Map<String, Preparation> preparations = preparations(state, pod, nodeName);
        boolean readsState = !busy.isEmpty() || isReservedFor(pod) || !binds.isEmpty() || !postBinds.isEmpty();
        return new BindingSteps(
                this,
                preparations,
                busy,
                remarks(state, pod, nodeName),
                readsState ? state.copy() : state,
                pod,
                nodeName);
    }

    private boolean isReservedFor(PodInfo pod) {
        for (int i = 0; i < reserves.size(); i++) {
            if (!SelectivePlugin.passesOver(pod, reserves.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** A plugin that fails to say something keeps no pod from its node. */
    private List<PodCondition> remarks(CycleState state, PodInfo pod, String nodeName) {
        List<PodCondition> all = List.of();
        for (int i = 0; i < remarking.size(); i++) {
            RemarkingPlugin plugin = remarking.get(i);
            List<PodCondition> some = calls.ask(pod.pod(), () -> plugin.remarks(state, pod, nodeName), _ -> List.of());
            if (!some.isEmpty()) {
                all = Stream.concat(all.stream(), some.stream()).toList();
            }
        }
        return all;
    }

    private Map<String, Preparation> preparations(CycleState state, PodInfo pod, String nodeName) {
        Map<String, Preparation> all = Map.of();
        for (int i = 0; i < preparing.size(); i++) {
            PreparingPlugin plugin = preparing.get(i);
            if (SelectivePlugin.passesOver(pod, plugin)) {
                continue;
            }
            try {
                Optional<Preparation> found = plugin.prepare(state, pod, nodeName);
                if (found.isPresent()) {
                    all = all.isEmpty() ? LinkedHashMap.newLinkedHashMap(1) : all;
                    all.put(plugin.name(), found.get());
                }
            } catch (Throwable thrown) {
                throw PluginFailure.of(plugin, "PreBind", thrown);
            }
        }
        return all;
    }

    private List<PreBindPlugin> preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
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
        for (int i = 0; i < preBinds.size(); i++) {
            PreBindPlugin plugin = preBinds.get(i);
            if (SelectivePlugin.passesOver(pod, plugin)) {
                continue;
            }
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
