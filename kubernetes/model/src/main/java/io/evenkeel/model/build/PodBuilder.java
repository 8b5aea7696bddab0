package io.evenkeel.model.build;

import io.evenkeel.model.Container;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.model.value.ResourceList;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Builds pods: the reader, tests and demos all make theirs here. What is not asked for has the API's default, except
 * that a pod starts without containers.
 */
public final class PodBuilder extends ObjectMetaBuilder<PodBuilder> {
    private static final String DEFAULT_NAMESPACE = "default";
    private static final String DEFAULT_SCHEDULER = "default-scheduler";

    private final List<Container> containers = new ArrayList<>();
    private final List<Container> initContainers = new ArrayList<>();
    private Map<String, Quantity> overhead = Map.of();
    private Optional<Map<String, Quantity>> podRequests = Optional.empty();
    private Map<String, Quantity> podLimits = Map.of();
    private String nodeName = "";
    private String schedulerName = DEFAULT_SCHEDULER;
    private int priority;
    private boolean preempts = true;
    private Labels nodeSelector = Labels.EMPTY;
    private NodeAffinity nodeAffinity = NodeAffinity.NONE;
    private PodAffinity podAffinity = PodAffinity.NONE;
    private final List<Toleration> tolerations = new ArrayList<>();
    private final List<TopologySpreadConstraint> topologySpread = new ArrayList<>();
    private final List<String> schedulingGates = new ArrayList<>();
    private final List<String> imageVolumes = new ArrayList<>();
    private final List<PodVolume> volumes = new ArrayList<>();
    private final List<PodResourceClaim> resourceClaims = new ArrayList<>();
    private boolean hostNetwork;
    private boolean hostUsers = true;
    private String podGroupName = "";
    private PodStatus status = PodStatus.PENDING;

    private PodBuilder(ObjectMeta meta) {
        super(meta);
    }

    public static PodBuilder pod(String namespace, String name) {
        return new PodBuilder(ObjectMeta.named(namespace, name));
    }

    /** A pod in the namespace {@code default}. */
    public static PodBuilder pod(String name) {
        return pod(DEFAULT_NAMESPACE, name);
    }

    public static PodBuilder from(Pod pod) {
        return new PodBuilder(pod.meta()).spec(pod.spec()).status(pod.status());
    }

    @Override
    PodBuilder self() {
        return this;
    }

    private PodBuilder spec(PodSpec spec) {
        containers.addAll(spec.containers());
        initContainers.addAll(spec.initContainers());
        overhead = spec.overhead();
        podRequests = spec.podRequests();
        podLimits = spec.podLimits();
        tolerations.addAll(spec.tolerations());
        topologySpread.addAll(spec.topologySpread());
        schedulingGates.addAll(spec.schedulingGates());
        imageVolumes.addAll(spec.imageVolumes());
        volumes.addAll(spec.volumes());
        resourceClaims.addAll(spec.resourceClaims());
        return nodeName(spec.nodeName())
                .schedulerName(spec.schedulerName())
                .priority(spec.priority())
                .preempts(spec.preempts())
                .nodeSelector(spec.nodeSelector())
                .nodeAffinity(spec.nodeAffinity())
                .podAffinity(spec.podAffinity())
                .hostNetwork(spec.hostNetwork())
                .hostUsers(spec.hostUsers())
                .podGroup(spec.podGroupName());
    }

    /** A container that requests the resources; alternating names and quantities, none for a best-effort container. */
    public PodBuilder container(String... namesAndQuantities) {
        return container(ResourceList.of(namesAndQuantities));
    }

    public PodBuilder container(Map<String, Quantity> requests) {
        return container(
                ContainerBuilder.container(nextName()).requests(requests).build());
    }

    /** Replaces all of them. */
    public PodBuilder containers(List<Container> newContainers, List<Container> newInitContainers) {
        containers.clear();
        containers.addAll(newContainers);
        initContainers.clear();
        initContainers.addAll(newInitContainers);
        return this;
    }

    public PodBuilder container(Container container) {
        containers.add(container);
        return this;
    }

    /** An init container that runs to its end before the containers start. */
    public PodBuilder initContainer(String... namesAndQuantities) {
        return initContainer(ContainerBuilder.container("init-" + nextName())
                .requests(namesAndQuantities)
                .build());
    }

    public PodBuilder initContainer(Container container) {
        initContainers.add(container);
        return this;
    }

    /** An init container that keeps running: {@code restartPolicy: Always}. */
    public PodBuilder sidecar(String... namesAndQuantities) {
        return initContainer(ContainerBuilder.container("sidecar-" + nextName())
                .requests(namesAndQuantities)
                .sidecar(true)
                .build());
    }

    /** A container that claims the TCP port on every address of its node. */
    public PodBuilder hostPort(int port) {
        return container(
                ContainerBuilder.container(nextName()).hostPort("TCP", port).build());
    }

    private String nextName() {
        return "c" + (containers.size() + initContainers.size());
    }

    public PodBuilder overhead(Map<String, Quantity> amounts) {
        overhead = amounts;
        return this;
    }

    /** Pod-level requests; alternating names and quantities. */
    public PodBuilder podRequests(String... namesAndQuantities) {
        return podRequests(ResourceList.of(namesAndQuantities));
    }

    public PodBuilder podRequests(Map<String, Quantity> requests) {
        podRequests = Optional.of(requests);
        return this;
    }

    /** Pod-level limits; alternating names and quantities. */
    public PodBuilder podLimits(String... namesAndQuantities) {
        podLimits = ResourceList.of(namesAndQuantities);
        return this;
    }

    /** Places the pod; an empty name makes it pending again. */
    public PodBuilder nodeName(String name) {
        nodeName = name;
        return this;
    }

    public PodBuilder schedulerName(String name) {
        schedulerName = name;
        return this;
    }

    public PodBuilder priority(int newPriority) {
        priority = newPriority;
        return this;
    }

    /** False for {@code preemptionPolicy: Never}. */
    public PodBuilder preempts(boolean mayPreempt) {
        preempts = mayPreempt;
        return this;
    }

    public PodBuilder nodeSelector(String key, String value) {
        return nodeSelector(nodeSelector.with(key, value));
    }

    /** Replaces the node selector. */
    public PodBuilder nodeSelector(Labels selector) {
        nodeSelector = selector;
        return this;
    }

    public PodBuilder nodeAffinity(NodeAffinity affinity) {
        nodeAffinity = affinity;
        return this;
    }

    public PodBuilder podAffinity(PodAffinity affinity) {
        podAffinity = affinity;
        return this;
    }

    public PodBuilder toleration(Toleration toleration) {
        tolerations.add(toleration);
        return this;
    }

    public PodBuilder withoutTolerations() {
        tolerations.clear();
        return this;
    }

    public PodBuilder spread(TopologySpreadConstraint constraint) {
        topologySpread.add(constraint);
        return this;
    }

    /** Replaces the spread constraints. */
    public PodBuilder topologySpread(List<TopologySpreadConstraint> constraints) {
        topologySpread.clear();
        topologySpread.addAll(constraints);
        return this;
    }

    public PodBuilder schedulingGate(String name) {
        schedulingGates.add(name);
        return this;
    }

    public PodBuilder withoutSchedulingGates() {
        schedulingGates.clear();
        return this;
    }

    public PodBuilder imageVolume(String reference) {
        imageVolumes.add(reference);
        return this;
    }

    public PodBuilder volume(String name, PodVolume.Source source) {
        volumes.add(new PodVolume(name, source));
        return this;
    }

    public PodBuilder volume(PodVolume volume) {
        volumes.add(volume);
        return this;
    }

    public PodBuilder claim(String name) {
        return volume(PodVolume.ofClaim(name));
    }

    public PodBuilder resourceClaim(PodResourceClaim claim) {
        resourceClaims.add(claim);
        return this;
    }

    public PodBuilder withoutResourceClaims() {
        resourceClaims.clear();
        return this;
    }

    /** The ResourceClaim of this name, which it has in the pod, too. */
    public PodBuilder resourceClaim(String name) {
        return resourceClaim(new PodResourceClaim(name, name, ""));
    }

    public PodBuilder hostNetwork(boolean usesHostNetwork) {
        hostNetwork = usesHostNetwork;
        return this;
    }

    /** False for a user namespace of the pod's own. */
    public PodBuilder hostUsers(boolean usesHostUsers) {
        hostUsers = usesHostUsers;
        return this;
    }

    /** In the PodGroup of this name; empty for none. */
    public PodBuilder podGroup(String name) {
        podGroupName = name;
        return this;
    }

    public PodBuilder status(PodStatus newStatus) {
        status = newStatus;
        return this;
    }

    public PodBuilder phase(String phase) {
        return status(PodStatusBuilder.from(status).phase(phase).build());
    }

    public PodBuilder nominatedNodeName(String name) {
        return status(PodStatusBuilder.from(status).nominatedNodeName(name).build());
    }

    public Pod build() {
        PodSpec spec = new PodSpec(
                nodeName,
                schedulerName,
                priority,
                preempts,
                List.copyOf(containers),
                List.copyOf(initContainers),
                ResourceList.copyOf(overhead),
                podRequests.map(ResourceList::copyOf),
                podLimits,
                nodeSelector,
                nodeAffinity,
                podAffinity,
                List.copyOf(tolerations),
                List.copyOf(topologySpread),
                List.copyOf(schedulingGates),
                List.copyOf(imageVolumes),
                List.copyOf(volumes),
                List.copyOf(resourceClaims),
                hostNetwork,
                hostUsers,
                podGroupName);
        return new Pod(buildMeta(), spec, status);
    }
}
