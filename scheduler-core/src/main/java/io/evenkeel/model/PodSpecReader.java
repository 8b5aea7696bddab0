package io.evenkeel.model;

import java.util.function.Consumer;

/** Reads a pod's spec. */
final class PodSpecReader {
    private PodSpecReader() {}

    static void read(JsonCursor in, PodBuilder pod) {
        in.enterObject();
        while (in.nextField()) {
            switch (in.field()) {
                case "nodeName" -> pod.nodeName(in.sharedString());
                case "schedulerName" -> pod.schedulerName(in.sharedString());
                case "priority" -> pod.priority(in.integer());
                case "preemptionPolicy" -> pod.preempts(PreemptionPolicyReader.read(in));
                case "containers" -> in.list(ContainerReader::readContainer).forEach(pod::container);
                case "initContainers" ->
                    in.list(ContainerReader::readInitContainer).forEach(pod::initContainer);
                case "overhead" -> pod.overhead(in.resources());
                case "resources" -> pod.podResources(ResourcesReader.read(in));
                case "nodeSelector" -> pod.nodeSelector(in.labels());
                case "affinity" -> AffinityReader.read(in, pod);
                case "tolerations" -> in.list(TaintReader::readToleration).forEach(pod::toleration);
                case "topologySpreadConstraints" ->
                    in.list(TopologySpreadReader::read).forEach(pod::spread);
                case "schedulingGates" -> readEach(in, "name", pod::schedulingGate);
                case "volumes" -> PodVolumeReader.read(in, pod);
                case "resourceClaims" -> readEach(in, "name", pod::resourceClaim);
                case "hostNetwork" -> pod.hostNetwork(in.bool());
                case "hostUsers" -> pod.hostUsers(in.bool());
                default -> in.skip();
            }
        }
    }

    private static void readEach(JsonCursor in, String field, Consumer<String> out) {
        in.enterList();
        while (in.nextElement()) {
            readOne(in, field, out);
        }
    }

    /** One string out of an object of which nothing else matters. */
    static void readOne(JsonCursor in, String field, Consumer<String> out) {
        in.enterObject();
        while (in.nextField()) {
            if (in.field().equals(field)) {
                out.accept(in.sharedString());
            } else {
                in.skip();
            }
        }
    }
}
