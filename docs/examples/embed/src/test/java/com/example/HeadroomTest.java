package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1LabelSelector;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1TopologySpreadConstraint;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HeadroomTest {
    private static final Map<String, String> WEB = Map.of("app", "web");

    private final Headroom headroom = new Headroom();

    private void node(String name, String zone, String cpu) {
        headroom.feed()
                .put(new V1Node()
                        .metadata(new V1ObjectMeta().name(name).labels(Map.of("topology.kubernetes.io/zone", zone)))
                        .status(new V1NodeStatus()
                                .allocatable(
                                        Map.of("cpu", Quantity.fromString(cpu), "pods", Quantity.fromString("110")))));
    }

    /** One CPU a pod, as even over the zones as can be. */
    private static V1Deployment web() {
        V1PodSpec spec = new V1PodSpec()
                .addContainersItem(new V1Container()
                        .name("web")
                        .image("registry.example/web")
                        .resources(new V1ResourceRequirements().requests(Map.of("cpu", Quantity.fromString("1")))))
                .addTopologySpreadConstraintsItem(new V1TopologySpreadConstraint()
                        .maxSkew(1)
                        .topologyKey("topology.kubernetes.io/zone")
                        .whenUnsatisfiable("DoNotSchedule")
                        .labelSelector(new V1LabelSelector().matchLabels(WEB)));
        return new V1Deployment()
                .metadata(new V1ObjectMeta().namespace("shop").name("web"))
                .spec(new V1DeploymentSpec()
                        .template(new V1PodTemplateSpec()
                                .metadata(new V1ObjectMeta().labels(WEB))
                                .spec(spec)));
    }

    @Test
    void theSmallestZoneSaysHowManyFit() {
        node("a1", "a", "8");
        node("b1", "b", "2");

        assertThat(headroom.of(web()))
                .isEqualTo("5 more fit, then: 0/2 nodes are available: 1 Insufficient cpu,"
                        + " 1 node(s) didn't match pod topology spread constraints.");
    }
}
