package io.evenkeel.model;

import java.util.Map;
import java.util.TreeMap;

/**
 * Reads a pod's spec. What is read of it, the node's name apart, is the same in all pods of a workload and so is decoded
 * once: the fields are copied together, and their bytes recognised.
 */
final class WirePodSpecReader {
    private static final Map<String, Boolean> PREEMPTION = PreemptionPolicyReader.POLICIES;
    private static final int VOLUMES = 1;
    private static final int CONTAINERS = 2;
    private static final int NODE_NAME = 10;
    private static final int INIT_CONTAINERS = 20;
    private static final int RESOURCE_CLAIMS = 39;

    private final WireValues values;
    private final WireProjection projection = new WireProjection();
    private final WireContainerReader containers;
    private final WireAffinityReader affinities;
    private final WireTaintReader taints;
    private final WireSpreadReader spreads;
    private final WirePodVolumeReader volumes;
    private final BytesIntern<PodSpec> specs = new BytesIntern<>(this::decode);

    WirePodSpecReader(WireValues values) {
        WireSelectorReader selectors = new WireSelectorReader(values);
        this.values = values;
        this.containers = new WireContainerReader(values);
        this.affinities = new WireAffinityReader(values, selectors);
        this.taints = new WireTaintReader(values);
        this.volumes = new WirePodVolumeReader(values);
        this.spreads = new WireSpreadReader(values, selectors);
    }

    /** The spec of a pod that has none. */
    PodSpec absent() {
        return PodBuilder.pod("").build().spec();
    }

    PodSpec read(WireCursor in) {
        String nodeName = "";
        projection.clear();
        while (in.next()) {
            switch (in.field()) {
                case NODE_NAME -> nodeName = values.string(in);
                case CONTAINERS, INIT_CONTAINERS -> containers.project(in, projection);
                case VOLUMES -> volumes.project(in, projection);
                case RESOURCE_CLAIMS -> volumes.projectClaim(in, projection);
                case 7, 11, 18, 19, 22, 25, 31, 32, 33, 37, 38, 40 -> in.copyTo(projection);
                default -> {}
            }
        }
        PodSpec shape = projection.decoded(specs);
        return nodeName.isEmpty() ? shape : shape.withNodeName(nodeName);
    }

    private PodSpec decode(WireCursor in) {
        PodBuilder pod = PodBuilder.pod("");
        Map<String, Quantity> overhead = new TreeMap<>();
        Map<String, String> nodeSelector = new TreeMap<>();
        while (in.next()) {
            switch (in.field()) {
                case VOLUMES -> volumes.read(in.message(), pod);
                case CONTAINERS -> pod.container(containers.read(in.message(), false));
                case INIT_CONTAINERS -> pod.initContainer(containers.read(in.message(), true));
                case 7 -> values.addLabel(in, nodeSelector);
                case 11 -> pod.hostNetwork(in.bool());
                case 18 -> affinities.read(in.message(), pod);
                case 19 -> {
                    if (!in.isEmpty()) {
                        pod.schedulerName(values.string(in));
                    }
                }
                case 22 -> pod.toleration(taints.readToleration(in.message()));
                case 25 -> pod.priority(in.int32());
                case 31 -> pod.preempts(values.oneOf(PREEMPTION, in, "spec.preemptionPolicy"));
                case 32 -> values.addResource(in, overhead);
                case 33 -> pod.spread(spreads.read(in.message()));
                case 37 -> pod.hostUsers(in.bool());
                case 38 -> pod.schedulingGate(firstString(in.message()));
                case RESOURCE_CLAIMS -> pod.resourceClaim(firstString(in.message()));
                case 40 -> pod.podResources(values.resources(in.message()));
                default -> {}
            }
        }
        return pod.overhead(overhead)
                .nodeSelector(Labels.of(nodeSelector))
                .build()
                .spec();
    }

    private String firstString(WireCursor in) {
        String text = "";
        while (in.next()) {
            if (in.field() == 1) {
                text = values.string(in);
            }
        }
        return text;
    }
}
