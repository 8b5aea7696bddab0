package io.evenkeel.model.kind;

import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Parts;
import io.evenkeel.model.kind.AffinityFields.Affinity;
import io.evenkeel.model.kind.ContainerFields.Resources;
import io.evenkeel.model.kind.NodeFields.TaintFields;
import io.evenkeel.model.kind.VolumeFields.Volume;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A pod's {@code spec}. What is read of it, the node's name and the volumes apart, is the same in all pods of a workload. */
final class PodSpecFields {
    /** Whether {@code preemptionPolicy} lets the pod preempt others. */
    static final Map<String, Boolean> PREEMPTION = Map.of("PreemptLowerPriority", true, "Never", false);

    /** Nothing but the name of a gate. */
    private static final Message<String> NAMED =
            Rows.only(fields -> fields.string("name", 1)).mostlyUnread();

    private static final Message<PodResourceClaim> RESOURCE_CLAIM = Message.of(fields -> {
        var name = fields.string("name", 1).from(PodResourceClaim::name);
        var claim = fields.uniqueString("resourceClaimName", 3).from(PodResourceClaim::resourceClaimName);
        var template = fields.string("resourceClaimTemplateName", 4).from(PodResourceClaim::resourceClaimTemplateName);
        return read -> new PodResourceClaim(read.get(name), read.get(claim), read.get(template));
    });

    private static final Message<String> SCHEDULING_GROUP = Rows.only(fields -> fields.string("podGroupName", 1));

    static final Message<PodSpec> SPEC = Message.inParts(fields -> {
        var volumes = fields.listOfPresent("volumes", 1, VolumeFields.VOLUME)
                .from(Volume::all)
                .apart();
        var containers = fields.list("containers", 2, ContainerFields.CONTAINER).from(PodSpec::containers);
        var nodeSelector = fields.labels("nodeSelector", 7).from(PodSpec::nodeSelector);
        var nodeName = fields.string("nodeName", 10).from(PodSpec::nodeName).apart();
        var hostNetwork = fields.bool("hostNetwork", 11, false).from(PodSpec::hostNetwork);
        var affinity = fields.message("affinity", 18, AffinityFields.AFFINITY, Affinity.NONE)
                .from((PodSpec spec) -> new Affinity(spec.nodeAffinity(), spec.podAffinity()));
        var schedulerName =
                fields.string("schedulerName", 19, "default-scheduler").from(PodSpec::schedulerName);
        var initContainers = fields.list("initContainers", 20, ContainerFields.INIT_CONTAINER)
                .from(PodSpec::initContainers);
        var tolerations = fields.list("tolerations", 22, TaintFields.TOLERATION).from(PodSpec::tolerations);
        var priority = fields.int32("priority", 25, 0).from(PodSpec::priority);
        var preempts = fields.constant("preemptionPolicy", 31, PREEMPTION, true).from(PodSpec::preempts);
        var overhead = fields.resources("overhead", 32).from(PodSpec::overhead);
        var spread = fields.list("topologySpreadConstraints", 33, SpreadFields.CONSTRAINT)
                .from(PodSpec::topologySpread);
        var hostUsers = fields.bool("hostUsers", 37, true).from(PodSpec::hostUsers);
        var schedulingGates = fields.list("schedulingGates", 38, NAMED).from(PodSpec::schedulingGates);
        var resourceClaims = fields.list("resourceClaims", 39, RESOURCE_CLAIM).from(PodSpec::resourceClaims);
        var resources =
                fields.optional("resources", 40, ContainerFields.RESOURCES).from(PodSpecFields::resources);
        var podGroupName =
                fields.message("schedulingGroup", 43, SCHEDULING_GROUP, "").from(PodSpec::podGroupName);
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

    private static Optional<Resources> resources(PodSpec spec) {
        return spec.podRequests().map(requests -> new Resources(requests, spec.podLimits()));
    }

    private static final class SpreadFields {
        private static final Map<String, WhenUnsatisfiable> ACTIONS = NamedConstant.byName(WhenUnsatisfiable.class);
        private static final Map<String, NodeInclusionPolicy> POLICIES =
                NamedConstant.byName(NodeInclusionPolicy.class);

        static final Message<TopologySpreadConstraint> CONSTRAINT = Message.of(fields -> {
            var maxSkew = fields.requiredInt32("maxSkew", 1).from(TopologySpreadConstraint::maxSkew);
            var topologyKey = fields.requiredString("topologyKey", 2).from(TopologySpreadConstraint::topologyKey);
            var whenUnsatisfiable = fields.constant("whenUnsatisfiable", 3, ACTIONS)
                    .from((TopologySpreadConstraint one) -> one.whenUnsatisfiable());
            var labelSelector = fields.message("labelSelector", 4, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                    .from(TopologySpreadConstraint::labelSelector);
            var minDomains = fields.int32("minDomains", 5, 1).from(TopologySpreadConstraint::minDomains);
            var nodeAffinityPolicy = fields.constant("nodeAffinityPolicy", 6, POLICIES, NodeInclusionPolicy.HONOR)
                    .from(TopologySpreadConstraint::nodeAffinityPolicy);
            var nodeTaintsPolicy = fields.constant("nodeTaintsPolicy", 7, POLICIES, NodeInclusionPolicy.IGNORE)
                    .from(TopologySpreadConstraint::nodeTaintsPolicy);
            var matchLabelKeys = fields.strings("matchLabelKeys", 8).from(TopologySpreadConstraint::matchLabelKeys);
            return read -> {
                String key = read.get(topologyKey);
                return new TopologySpreadConstraint(
                        read.get(maxSkew),
                        key,
                        read.get(whenUnsatisfiable),
                        read.get(labelSelector),
                        read.get(minDomains),
                        read.get(nodeAffinityPolicy),
                        read.get(nodeTaintsPolicy),
                        read.get(matchLabelKeys));
            };
        });

        private SpreadFields() {}
    }
}
