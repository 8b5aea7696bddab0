package io.evenkeel.framework.run;

import io.evenkeel.api.BindPlugin;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.PostBindPlugin;
import io.evenkeel.api.PreBindPlugin;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Status;
import io.evenkeel.api.Status.Code;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.PodCondition;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The steps of a profile's plugins around the binding of one pod: {@link #before}, {@link #bind} and {@link #after} in this
 * order and off the engine's thread; {@link #takeBack} on it, where the binding came to nothing.
 */
public final class BindingSteps {
    private final BindingRunner runner;
    private final Map<String, Preparation> preparations;
    private final List<PreBindPlugin> busy;
    private final List<PodCondition> remarks;
    private final CycleState state;
    private final PodInfo pod;
    private final String node;
    private OptionalLong preBindBegan = OptionalLong.empty();

    /**
     * @param busy the PreBind plugins that have something to do
     * @param remarks of plugins on where the pod goes
     */
    BindingSteps(
            BindingRunner runner,
            Map<String, Preparation> preparations,
            List<PreBindPlugin> busy,
            List<PodCondition> remarks,
            CycleState state,
            PodInfo pod,
            String node) {
        this.runner = runner;
        this.preparations = preparations;
        this.busy = busy;
        this.remarks = remarks;
        this.state = state;
        this.pod = pod;
        this.node = node;
    }

    /** Whether a plugin has something to do before the pod is bound. */
    public boolean takeTime() {
        return !busy.isEmpty() || !preparations.isEmpty();
    }

    /** Returns the writes and waits that come before all else, by the plugins' names. */
    public Map<String, Preparation> preparations() {
        return preparations;
    }

    /** Returns the conditions to write into the pod's status once it is bound. */
    public List<PodCondition> remarks() {
        return remarks;
    }

    /** The preparations begin; with what follows off the engine's thread they are measured as the point PreBind. */
    public void beginPreparing() {
        preBindBegan = OptionalLong.of(runner.preBindWatch.start());
    }

    /** The preparations have come to nothing, and nothing follows. */
    public void failPreparing() {
        preBindBegan.ifPresent(began -> runner.preBindWatch.stop(Code.ERROR, began));
    }

    /** PreBind, of the plugins that have something to do, until one objects; an error names plugin and point. */
    public Status before() {
        long began = preBindBegan.orElseGet(runner.preBindWatch::start);
        Status status = Objection.first(
                        "PreBind", busy, plugin -> runner.calls.ask(pod.pod(), () -> plugin.preBind(state, pod, node)))
                .map(Objection::status)
                .orElse(Status.SUCCESS);
        runner.preBindWatch.stop(status.code(), began);
        return status;
    }

    /**
     * Bind, by the first plugin that does not skip; Skip leaves it to the scheduler itself. An error names plugin and point.
     *
     * @throws PluginFailure if a plugin throws: then it is not known whether the pod is bound
     */
    public Status bind() {
        long began = runner.bindWatch.start();
        Status status = bindByFirst();
        if (!status.isSkip()) {
            runner.bindWatch.stop(status.code(), began);
        }
        return status;
    }

    /** Whether a plugin has a part in the binding or hears of it afterwards, and may take its time. */
    public boolean haveBinders() {
        return !runner.binds.isEmpty() || !runner.postBinds.isEmpty();
    }

    /**
     * The scheduler's own binding begins, where {@link #bind} has left it to it: measured as the point Bind, as in kube-scheduler
     * a plugin does it.
     *
     * @return when, for {@link #endOwnWay}
     */
    public long beginOwnWay() {
        return runner.bindWatch.start();
    }

    /**
     * The scheduler's own binding has ended.
     *
     * @param code whether it is a success; nothing while that is open, and nothing is measured then
     */
    public void endOwnWay(long began, Optional<Code> code) {
        code.ifPresent(known -> runner.bindWatch.stop(known, began));
    }

    /**
     * PostBind.
     *
     * @throws PluginFailure if a plugin throws; those after it are not told then
     */
    public void after() {
        long began = runner.postBindWatch.start();
        for (PostBindPlugin plugin : runner.postBinds) {
            try {
                plugin.postBind(state, pod, node);
            } catch (Throwable thrown) {
                throw PluginFailure.of(plugin, "PostBind", thrown);
            }
        }
        runner.postBindWatch.stop(Code.SUCCESS, began);
    }

    public void takeBack() {
        runner.unreserve(state, pod, node);
    }

    private Status bindByFirst() {
        for (BindPlugin plugin : runner.binds) {
            Status status = bind(plugin);
            if (!status.isSkip()) {
                return status.isSuccess()
                        ? status
                        : Objection.at("Bind", plugin.name(), status).status();
            }
        }
        return Status.SKIP;
    }

    private Status bind(BindPlugin plugin) {
        try {
            return plugin.bind(state, pod, node);
        } catch (Throwable thrown) {
            PluginFailure failure = PluginFailure.of(plugin, "Bind", thrown);
            runner.calls.faulted(pod.pod(), failure);
            throw failure;
        }
    }

    /** The answer of a profile's Permit plugins together. */
    public sealed interface Permission {
        /** As it is measured. */
        Code code();

        record Granted() implements Permission {
            @Override
            public Code code() {
                return Code.SUCCESS;
            }
        }

        /** A plugin refuses, or failed. */
        record Denied(Objection objection) implements Permission {
            @Override
            public Code code() {
                return objection.status().code();
            }
        }

        /** Plugins make the pod wait, in the order of the profile. */
        record Delayed(List<Delay> delays) implements Permission {
            @Override
            public Code code() {
                return Code.WAIT;
            }
        }

        /** A plugin makes the pod wait, at most for this long. */
        record Delay(String plugin, Duration limit) {}

        Permission GRANTED = new Granted();
    }
}
