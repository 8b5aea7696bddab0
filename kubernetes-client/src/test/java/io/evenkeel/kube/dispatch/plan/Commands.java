package io.evenkeel.kube.dispatch.plan;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.framework.run.PlannedSteps;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import java.util.Optional;

/** Pods, and what is to be sent about them. */
public final class Commands {
    private Commands() {}

    public static Pod pod(String name) {
        return PodBuilder.pod("ns", name).uid("uid-" + name).version("7", 3).build();
    }

    public static Command.Bind bind(Pod pod, String node) {
        return new Command.Bind(pod, node, PlannedSteps.none(pod, node));
    }

    public static Command.PatchStatus patch(Pod pod, String message) {
        return patch(pod, message, Optional.empty());
    }

    public static Command.PatchStatus patch(Pod pod, String message, Optional<String> nominated) {
        return new Command.PatchStatus(
                pod,
                Optional.of(new PodCondition("PodScheduled", "False", "Unschedulable", message, "", 3)),
                nominated);
    }

    public static Command.PatchStatus nominate(Pod pod, String node) {
        return new Command.PatchStatus(pod, Optional.empty(), Optional.of(node));
    }

    public static Command.Evict evict(Pod pod) {
        return new Command.Evict(
                pod,
                pod("urgent"),
                new PodCondition("DisruptionTarget", "True", "PreemptionByScheduler", "evenkeel: preempting", "", 3));
    }

    public static Command.RecordEvent recordEvent(Pod pod, String note) {
        return new Command.RecordEvent(pod, ObjectEvent.failedScheduling(note, "evenkeel"));
    }
}
