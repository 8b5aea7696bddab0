package io.evenkeel.plugins;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.Hint;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.Pod;
import java.util.List;

/** Lets a pod into the queue once {@code spec.schedulingGates} is empty. */
final class SchedulingGates implements PreEnqueuePlugin, WakeUpPlugin {
    public static final String NAME = "SchedulingGates";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, SchedulingGates.class, SchedulingGates::new);

    public SchedulingGates(TreeContext context) {}

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

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_GATES_GONE));
    }
}
