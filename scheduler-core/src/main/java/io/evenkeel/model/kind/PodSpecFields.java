package io.evenkeel.model.kind;

import io.evenkeel.model.PodSpec;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Parts;
import io.evenkeel.model.kind.AffinityFields.Affinity;
import io.evenkeel.model.kind.ContainerFields.Resources;
import io.evenkeel.model.kind.VolumeFields.Volume;
import java.util.List;
import java.util.Map;

/** A pod's {@code spec}. What is read of it, the node's name and the volumes apart, is the same in all pods of a workload. */
final class PodSpecFields {
    /** Whether {@code preemptionPolicy} lets the pod preempt others. */
    static final Map<String, Boolean> PREEMPTION = Map.of("PreemptLowerPriority", true, "Never", false);

    /** Nothing but the name of a gate or a claim. */
    private static final Message<String> NAMED = Message.<String>of(fields -> {
                var name = fields.string("name", 1);
                return read -> read.get(name);
            })
            .mostlyUnread();

    private static final Message<String> SCHEDULING_GROUP = Message.of(fields -> {
        var podGroupName = fields.string("podGroupName", 1);
        return read -> read.get(podGroupName);
    });

    static final Message<PodSpec> SPEC = Message.inParts(fields -> {
        var volumes = fields.listOfPresent("volumes", 1, VolumeFields.VOLUME).apart();
        var containers = fields.list("containers", 2, ContainerFields.CONTAINER);
        var nodeSelector = fields.labels("nodeSelector", 7);
        var nodeName = fields.string("nodeName", 10).apart();
        var hostNetwork = fields.bool("hostNetwork", 11, false);
        var affinity = fields.message("affinity", 18, AffinityFields.AFFINITY, Affinity.NONE);
        var schedulerName = fields.string("schedulerName", 19, "default-scheduler");
        var initContainers = fields.list("initContainers", 20, ContainerFields.INIT_CONTAINER);
        var tolerations = fields.list("tolerations", 22, TaintFields.TOLERATION);
        var priority = fields.int32("priority", 25, 0);
        var preempts = fields.constant("preemptionPolicy", 31, PREEMPTION, true);
        var overhead = fields.resources("overhead", 32);
        var spread = fields.list("topologySpreadConstraints", 33, SpreadFields.CONSTRAINT);
        var hostUsers = fields.bool("hostUsers", 37, true);
        var schedulingGates = fields.list("schedulingGates", 38, NAMED);
        var resourceClaims = fields.list("resourceClaims", 39, NAMED);
        var resources = fields.optional("resources", 40, ContainerFields.RESOURCES);
        var podGroupName = fields.message("schedulingGroup", 43, SCHEDULING_GROUP, "");
        return new Parts<>(
                read -> new PodSpec(
                        "",
                        read.get(schedulerName),
                        read.get(priority),
                        read.get(preempts),
                        read.get(containers),
                        read.get(initContainers),
                        read.get(overhead),
                        read.get(resources).map(Resources::requests),
                        read.get(resources).map(Resources::limits).orElse(Map.of()),
                        read.get(nodeSelector),
                        read.get(affinity).nodes(),
                        read.get(affinity).pods(),
                        read.get(tolerations),
                        read.get(spread),
                        read.get(schedulingGates),
                        List.of(),
                        List.of(),
                        read.get(resourceClaims),
                        read.get(hostNetwork),
                        read.get(hostUsers),
                        read.get(podGroupName)),
                (spec, read) -> {
                    PodSpec placed = read.get(nodeName).isEmpty() ? spec : spec.withNodeName(read.get(nodeName));
                    return read.get(volumes).isEmpty()
                            ? placed
                            : placed.withVolumes(Volume.images(read.get(volumes)), Volume.counting(read.get(volumes)));
                });
    });

    private PodSpecFields() {}
}
