package io.evenkeel.cluster.node;

import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static io.evenkeel.cluster.ClusterDrawing.draw;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** {@link HostPorts} and {@link NodeImages}. */
class ClaimsTest {
    private static final HostPort ANY_80 = new HostPort("0.0.0.0", "TCP", 80);
    private static final HostPort ONE_80 = new HostPort("10.0.0.1", "TCP", 80);
    private static final HostPort OTHER_80 = new HostPort("10.0.0.2", "TCP", 80);

    private final ClusterState cluster = cluster("a: n1[] n2[]");

    private void claim(String pod, String node, HostPort port) {
        cluster.put(PodBuilder.pod(pod)
                .container(ContainerBuilder.container("c").hostPort(port).build())
                .nodeName(node)
                .build());
    }

    private String conflictingWith(HostPort wanted) {
        StringBuilder nodes = new StringBuilder();
        cluster.view()
                .hostPorts()
                .conflicting(wanted)
                .forEach(claim -> nodes.append(claim.port().ip())
                        .append(": ")
                        .append(draw(claim.pods(), cluster))
                        .append("; "));
        return nodes.toString();
    }

    @Test
    void aClaimOnEveryAddressConflictsWithEachOfThem() {
        claim("p1", "n1", ONE_80);

        assertThat(conflictingWith(ANY_80)).isEqualTo("10.0.0.1: n1=1; ");
        assertThat(conflictingWith(ONE_80)).isEqualTo("10.0.0.1: n1=1; ");
        assertThat(conflictingWith(OTHER_80)).isEmpty();
        assertThat(conflictingWith(new HostPort("0.0.0.0", "UDP", 80))).isEmpty();
    }

    @Test
    void aPortIsFreeWhenItsLastClaimIsGone() {
        claim("p1", "n1", ANY_80);
        claim("p2", "n2", ANY_80);
        cluster.removePod("default/p1");
        assertThat(conflictingWith(ONE_80)).isEqualTo("0.0.0.0: n2=1; ");

        cluster.removePod("default/p2");
        assertThat(cluster.view().hostPorts().all()).isEmpty();
    }

    @Test
    void theClaimsOnOtherAddressesStayWhenThoseOnOneAreGone() {
        claim("p1", "n1", ONE_80);
        claim("p2", "n2", OTHER_80);
        cluster.removePod("default/p1");

        assertThat(conflictingWith(ANY_80)).isEqualTo("10.0.0.2: n2=1; ");
    }

    @Test
    void ofInitContainersOnlySidecarsKeepTheirPorts() {
        cluster.put(PodBuilder.pod("p")
                .initContainer(
                        ContainerBuilder.container("init").hostPort(ONE_80).build())
                .initContainer(ContainerBuilder.container("side")
                        .hostPort(OTHER_80)
                        .sidecar(true)
                        .build())
                .nodeName("n1")
                .build());

        assertThat(conflictingWith(ANY_80)).isEqualTo("10.0.0.2: n1=1; ");
    }

    @Test
    void anImageIsKnownByEachOfItsNames() {
        cluster.put(NodeBuilder.node("n1").image(7, "web:v1", "web@sha256:1").build());

        assertThat(cluster.view().images().find("web:v1")).hasValueSatisfying(image -> {
            assertThat(image.sizeBytes()).isEqualTo(7);
            assertThat(draw(image.nodes(), cluster)).isEqualTo("n1");
        });
        assertThat(cluster.view().images().find("web@sha256:1")).isPresent();
        assertThat(cluster.view().images().find("web")).isEmpty();
    }

    @Test
    void anImageThatANodeListsTwiceIsOnItOnce() {
        cluster.put(
                NodeBuilder.node("n1").image(7, "web", "web").image(8, "web").build());

        assertThat(cluster.view().images().find("web"))
                .hasValueSatisfying(image -> assertThat(image.nodeCount()).isOne());
        cluster.put(NodeBuilder.node("n1").build());
        assertThat(cluster.view().images().all()).isEmpty();
    }

    @Test
    void anImageMayBeOnAFewNodesOrOnMany() {
        NodeSet holders = new NodeSet();
        for (int i = 0; i < 200; i++) {
            String name = "n" + i * 37 % 100;
            boolean isAdded = i < 100;
            cluster.put((isAdded ? NodeBuilder.node(name).image(7, "web") : NodeBuilder.node(name)).build());
            holders.set(cluster.view().nodes().find(name), isAdded);

            NodeImages.Image image = cluster.view().images().all().get("web");
            assertThat(image == null ? new NodeSet() : image.nodes()).isEqualTo(holders);
            assertThat(image == null ? 0 : image.nodeCount()).isEqualTo(holders.size());
        }
        assertThat(cluster.view().images().all()).isEmpty();
    }

    @Test
    void aSizeIsTheFirstThatWasSeenUntilNobodyHoldsTheImage() {
        cluster.put(NodeBuilder.node("n1").image(7, "web").build());
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());
        cluster.removeNode("n1");
        assertThat(sizeOf("web")).isEqualTo(7);

        cluster.removeNode("n2");
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());
        assertThat(sizeOf("web")).isEqualTo(9);
    }

    @Test
    void theOnlyNodeThatHoldsAnImageGivesItItsOwnSizeWithTheNextUpdate() {
        cluster.put(NodeBuilder.node("n1").image(7, "web").build());
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());
        cluster.put(NodeBuilder.node("n1").build());
        assertThat(sizeOf("web")).isEqualTo(7);

        cluster.put(NodeBuilder.node("n2").image(9, "web").unschedulable(true).build());
        assertThat(sizeOf("web")).isEqualTo(9);
    }

    @Test
    void soItDoesWhenItIsHeardOfAgainAsItWas() {
        cluster.put(NodeBuilder.node("n1").image(7, "web").build());
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());
        cluster.put(NodeBuilder.node("n1").build());
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());

        assertThat(sizeOf("web")).isEqualTo(9);
    }

    /** A column of scores that was worked out for one version is right whenever that version is seen again. */
    @Test
    void noVersionOfTheImagesComesBack() {
        NodeImages images = cluster.view().images();
        List<Long> versions = new ArrayList<>(List.of(images.version()));
        cluster.put(NodeBuilder.node("n1").image(7, "web").build());
        versions.add(images.version());
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());
        versions.add(images.version());
        cluster.removeNode("n1");
        versions.add(images.version());
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.put(
                    NodeBuilder.node("n2").image(9, "web").unschedulable(true).build());
            assertThat(sizeOf("web")).isEqualTo(9);
            versions.add(images.version());
        }
        assertThat(sizeOf("web")).isEqualTo(7);
        versions.add(images.version());

        assertThat(versions).doesNotHaveDuplicates();
    }

    private long sizeOf(String image) {
        return cluster.view().images().find(image).orElseThrow().sizeBytes();
    }
}
