package io.evenkeel.framework.run;

import io.evenkeel.cluster.NodeInfo;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.PreBindPlugin;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Status;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * What a profile's plugins do around the binding of one pod: {@link #before}, {@link #bind} and {@link #after} in this
 * order and off the engine's thread; {@link #takeBack} on it, where the binding came to nothing.
 */
public final class BindingSteps {
    private final BindingRunner runner;
    private final List<PreBindPlugin> busy;
    private final CycleState state;
    private final PodInfo pod;
    private final String node;

    BindingSteps(BindingRunner runner, List<PreBindPlugin> busy, CycleState state, PodInfo pod, String node) {
        this.runner = runner;
        this.busy = busy;
        this.state = state;
        this.pod = pod;
        this.node = node;
    }

    /** Whether a plugin has something to do before the pod is bound. */
    public boolean takeTime() {
        return !busy.isEmpty();
    }

    /** PreBind, of the plugins that have something to do. */
    public Status before() {
        return runner.preBind(busy, state, pod, node);
    }

    /** Bind; Skip leaves it to the scheduler itself. */
    public Status bind() {
        return runner.bind(state, pod, node);
    }

    /**
     * The scheduler's own binding, where {@link #bind} has left it to it.
     *
     * @param result whether an outcome is a success; nothing while that is open
     */
    public <T> T bindOwnWay(Supplier<T> binding, Function<T, Optional<Status.Code>> result) {
        return runner.bindOwnWay(binding, result);
    }

    /** PostBind. */
    public void after() {
        runner.postBind(state, pod, node);
    }

    /** Takes back what plugins have reserved. */
    public void takeBack(NodeInfo where) {
        runner.unreserve(state, pod, where);
    }
}
