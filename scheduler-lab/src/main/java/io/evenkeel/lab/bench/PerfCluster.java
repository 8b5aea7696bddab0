package io.evenkeel.lab.bench;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;

/** The cluster of the reference's workloads before the first pod: nodes of 4 CPU, 32Gi and 110 pods, namespaces, a Service. */
final class PerfCluster {
    /** Of the workload that spreads over untainted hosts, one node of so many has a taint. */
    private static final int NODES_PER_TAINTED_NODE = 5;

    private PerfCluster() {}

    static List<KubernetesObject> objects(PerfCase perfCase) {
        PerfRow row = perfCase.workload().row();
        List<KubernetesObject> objects = new ArrayList<>();
        if (row.podsOf() == PodTemplate.WITHOUT_REQUESTS_FOR_ONE_NODE) {
            objects.add(node(PodTemplate.ONE_NODE, "90000").build());
        }
        for (int index = 0; index < perfCase.nodes(); index++) {
            objects.add(node(row, index));
        }
        objects.add(namespace(PerfPods.RESIDENTS));
        objects.add(namespace(PerfPods.MEASURED));
        for (int index = 0; index < row.namespaces(); index++) {
            objects.add(namespace(PerfPods.namespaceOfResidents(index)));
        }
        if (row.podsOf() == PodTemplate.WITHOUT_REQUESTS_OF_A_SERVICE) {
            objects.add(new Service(
                    ObjectMeta.named(PerfPods.MEASURED, "service"), Labels.of("app", PodTemplate.SERVICE_APP)));
        }
        return objects;
    }

    private static Node node(PerfRow row, int index) {
        NodeBuilder node = node("node-" + index, "110");
        if (!row.zones().isEmpty()) {
            node.zone(row.zones().get(index % row.zones().size()));
        }
        if (row.podsOf() == PodTemplate.SPREAD_OVER_UNTAINTED_HOSTS && index % NODES_PER_TAINTED_NODE == 0) {
            node.taint("foo", "", TaintEffect.NO_SCHEDULE);
        }
        return node.build();
    }

    private static NodeBuilder node(String name, String pods) {
        return NodeBuilder.node(name).hostname(name).allocatable("cpu", "4", "memory", "32Gi", "pods", pods);
    }

    /** Each is of the team that the terms with a namespace selector are about; no other term asks. */
    private static Namespace namespace(String name) {
        return new Namespace(ObjectMeta.named("", name).withLabels(PodTemplate.TEAM));
    }
}
