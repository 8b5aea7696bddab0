package io.evenkeel.kube.dispatch.plan;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.framework.cycle.ObjectPatch;
import io.evenkeel.framework.run.PlannedSteps;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import java.util.Map;
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

    /** Says in the claim of this name near which node its volume is to be made. */
    public static ObjectPatch claimPatch(String claim, String node) {
        return new ObjectPatch(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                ObjectMeta.named("ns", claim).withVersion("41", 0),
                Map.of("metadata", Map.of("annotations", Map.of("volume.kubernetes.io/selected-node", node))));
    }

    public static Command.WriteObject write(Pod pod, ObjectPatch patch) {
        return new Command.WriteObject(pod, patch);
    }

    public static Command.RecordEvent recordEvent(Pod pod, String note) {
        return new Command.RecordEvent(pod, ObjectEvent.failedScheduling(note, "evenkeel"));
    }
}
