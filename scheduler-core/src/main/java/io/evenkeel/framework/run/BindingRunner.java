package io.evenkeel.framework.run;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.BindPlugin;
import io.evenkeel.framework.PermitPlugin;
import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.PostBindPlugin;
import io.evenkeel.framework.PreBindPlugin;
import io.evenkeel.framework.ReservePlugin;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.cycle.Status.Code;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs what comes between the choice of a node and the pod running there: Reserve, Permit, PreBind, Bind, PostBind.
 * Reserve, Permit and the pre-flight run on the engine's thread, the rest off it.
 */
public final class BindingRunner {
    private final List<ReservePlugin> reserves;
    private final List<PreBindPlugin> preBinds;
    private final List<BindPlugin> binds;
    private final List<PostBindPlugin> postBinds;
    private final boolean runsPreFlights;
    private final PermitRunner permits;
    private final ProfileProbe probe;
    private final PointProbe reserveProbe;
    private final PointProbe preBindProbe;
    private final PointProbe bindProbe;
    private final PointProbe postBindProbe;

    BindingRunner(
            List<ReservePlugin> reserves,
            List<PermitPlugin> permits,
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds) {
        this(reserves, permits, preBinds, binds, postBinds, true, ProfileProbe.NONE);
    }

    /** @param runsPreFlights else every PreBind plugin is taken to have something to do */
    BindingRunner(
            List<ReservePlugin> reserves,
            List<PermitPlugin> permits,
            List<PreBindPlugin> preBinds,
            List<BindPlugin> binds,
            List<PostBindPlugin> postBinds,
            boolean runsPreFlights,
            ProfileProbe probe) {
        this.runsPreFlights = runsPreFlights;
        this.probe = probe;
        this.reserveProbe = probe.at(ExtensionPoint.RESERVE, reserves);
        this.preBindProbe = probe.at(ExtensionPoint.PRE_BIND, preBinds);
        this.bindProbe = probe.at(ExtensionPoint.BIND, binds);
        this.postBindProbe = probe.at(ExtensionPoint.POST_BIND, postBinds);
        this.reserves = reserves;
        this.permits = new PermitRunner(permits, probe);
        this.preBinds = preBinds;
        this.binds = binds;
        this.postBinds = postBinds;
    }

    /** Lets every plugin reserve until one objects: then the caller takes all back by {@link #unreserve}. */
    public Optional<Objection> reserve(CycleState state, PodInfo pod, NodeInfo node) {
        long began = reserveProbe.begin();
        Optional<Objection> objection = firstObjection(
                "Reserve", reserves, plugin -> probe.caught(pod, () -> plugin.reserve(state, pod, node)));
        reserveProbe.end(objection.map(found -> found.status().code()).orElse(Code.SUCCESS), began);
        return objection;
    }

    /**
     * Takes reservations back, the last made first; also those that were never made. A plugin that fails at that keeps no
     * other from it: there is nobody who could try again.
     */
    public void unreserve(CycleState state, PodInfo pod, NodeInfo node) {
        for (ReservePlugin plugin : reserves.reversed()) {
            try {
                plugin.unreserve(state, pod, node);
            } catch (Throwable thrown) {
                probe.faulted(pod.pod(), PluginFault.of(thrown));
            }
        }
    }

    public Permission permit(CycleState state, PodInfo pod, NodeInfo node) {
        return permits.run(state, pod, node);
    }

    /**
     * The plugins that have something to do before the pod is bound.
     *
     * @throws PluginFailure if one cannot tell
     */
    public List<PreBindPlugin> preBindPreFlight(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = new ArrayList<>(preBinds.size());
        for (PreBindPlugin plugin : preBinds) {
            Status status = probe.caught(pod, () -> plugin.preBindPreFlight(state, pod, nodeName));
            switch (status.code()) {
                case SUCCESS -> busy.add(plugin);
                case SKIP -> {}
                case ERROR ->
                    throw new PluginFailure(
                            plugin.name(), "running PreBindPreFlight \"" + plugin.name() + "\": " + status.message());
                default ->
                    throw new PluginFailure(
                            plugin.name(),
                            "PreBindPreFlight " + plugin.name() + " returned \""
                                    + status.code().wireName()
                                    + "\", which is unsupported. It is supposed to return Success, Skip, or Error"
                                    + " status");
            }
        }
        return busy;
    }

    /**
     * What is left to do for a pod that has its permit; keeps nothing that the next cycle changes.
     *
     * @throws PluginFailure if a plugin cannot tell what it has to do
     */
    public BindingSteps steps(CycleState state, PodInfo pod, String nodeName) {
        List<PreBindPlugin> busy = runsPreFlights ? preBindPreFlight(state, pod, nodeName) : preBinds;
        boolean readsState = !busy.isEmpty() || !reserves.isEmpty() || !binds.isEmpty() || !postBinds.isEmpty();
        return new BindingSteps(this, busy, readsState ? state.copy() : state, pod, nodeName);
    }

    /** Runs those plugins in order until one objects; where that is an error, it names plugin and point. */
    public Status preBind(List<PreBindPlugin> busy, CycleState state, PodInfo pod, String nodeName) {
        long began = preBindProbe.begin();
        Status status = firstObjection(
                        "PreBind", busy, plugin -> probe.caught(pod, () -> plugin.preBind(state, pod, nodeName)))
                .map(Objection::status)
                .orElse(Status.SUCCESS);
        preBindProbe.end(status.code(), began);
        return status;
    }

    /**
     * Lets the first plugin bind that does not skip; Skip where all do. An error names plugin and point.
     *
     * @throws PluginFailure if a plugin throws: then nobody knows whether the pod is bound
     */
    public Status bind(CycleState state, PodInfo pod, String nodeName) {
        long began = bindProbe.begin();
        Status status = bindByFirst(state, pod, nodeName);
        if (!status.isSkip()) {
            bindProbe.end(status.code(), began);
        }
        return status;
    }

    /** Measures the scheduler's own binding as the point Bind, which in kube-scheduler a plugin does; no result, no measure. */
    <T> T bindOwnWay(Supplier<T> binding, Function<T, Optional<Code>> result) {
        long began = bindProbe.begin();
        T outcome = binding.get();
        result.apply(outcome).ifPresent(code -> bindProbe.end(code, began));
        return outcome;
    }

    private Status bindByFirst(CycleState state, PodInfo pod, String nodeName) {
        for (BindPlugin plugin : binds) {
            Status status = bind(plugin, state, pod, nodeName);
            if (!status.isSkip()) {
                return status.isSuccess()
                        ? status
                        : Objection.at("Bind", plugin.name(), status).status();
            }
        }
        return Status.SKIP;
    }

    private Status bind(BindPlugin plugin, CycleState state, PodInfo pod, String nodeName) {
        try {
            return plugin.bind(state, pod, nodeName);
        } catch (Throwable thrown) {
            PluginFailure failure = PluginFailure.of(plugin, "Bind", thrown);
            probe.faulted(pod.pod(), failure);
            throw failure;
        }
    }

    /**
     * Tells the plugins that the pod is bound.
     *
     * @throws PluginFailure if one throws; those after it are not told then
     */
    public void postBind(CycleState state, PodInfo pod, String nodeName) {
        long began = postBindProbe.begin();
        for (PostBindPlugin plugin : postBinds) {
            try {
                plugin.postBind(state, pod, nodeName);
            } catch (Throwable thrown) {
                throw PluginFailure.of(plugin, "PostBind", thrown);
            }
        }
        postBindProbe.end(Code.SUCCESS, began);
    }

    private static <P extends Plugin> Optional<Objection> firstObjection(
            String point, List<P> plugins, Function<P, Status> answer) {
        for (P plugin : plugins) {
            Status status = answer.apply(plugin);
            if (!status.isSuccess()) {
                return Optional.of(Objection.at(point, plugin.name(), status));
            }
        }
        return Optional.empty();
    }
}
