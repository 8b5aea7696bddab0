package io.evenkeel.plugins.schedulinggates;

import io.evenkeel.framework.PluginContext;
import io.evenkeel.framework.PluginFactory;
import io.evenkeel.framework.PreEnqueuePlugin;
import io.evenkeel.framework.Status;
import io.evenkeel.model.Pod;
import java.util.List;

/** Lets a pod into the queue once {@code spec.schedulingGates} is empty. */
public final class SchedulingGates implements PreEnqueuePlugin {
    public static final String NAME = "SchedulingGates";
    public static final PluginFactory FACTORY = PluginFactory.of(NAME, SchedulingGates.class, SchedulingGates::new);

    public SchedulingGates(PluginContext context) {}

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Status preEnqueue(Pod pod) {
        List<String> gates = pod.spec().schedulingGates();
        return gates.isEmpty()
                ? Status.SUCCESS
                : Status.unresolvable("waiting for scheduling gates: [" + String.join(" ", gates) + "]");
    }
}
