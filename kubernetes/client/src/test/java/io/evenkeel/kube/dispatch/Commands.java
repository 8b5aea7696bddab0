package io.evenkeel.kube.dispatch;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.framework.run.PlannedSteps;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Labels;
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

    /** The group of this name, of whose policies nothing is known here. */
    public static ObjectMeta group(String name) {
        return new ObjectMeta("ns", name, "uid-" + name, Labels.EMPTY, Labels.EMPTY, Optional.empty(), false, "9", 2);
    }

    /** Says of a group, by one of its pods, that there is no place for it. */
    public static Command.PatchGroup patchGroup(Pod pod, String group, String message) {
        return patchGroup(pod, group, message, "");
    }

    public static Command.PatchGroup patchGroup(Pod pod, String group, String message, String since) {
        return new Command.PatchGroup(
                pod,
                Kinds.POD_GROUP,
                group(group),
                new GroupCondition(
                        GroupCondition.INITIALLY_SCHEDULED, "False", GroupCondition.UNSCHEDULABLE, message, since, 2));
    }

    public static Command.RecordGroupEvent recordGroupEvent(Pod pod, Kind<?> kind, String group, String note) {
        return new Command.RecordGroupEvent(pod, kind, group(group), ObjectEvent.failedScheduling(note, "evenkeel"));
    }

    public static Command.RecordEvent recordEvent(Pod pod, String note) {
        return new Command.RecordEvent(pod, ObjectEvent.failedScheduling(note, "evenkeel"));
    }
}
