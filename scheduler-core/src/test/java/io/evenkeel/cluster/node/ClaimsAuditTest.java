package io.evenkeel.cluster.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Whatever is broken in {@link HostPorts} and {@link NodeImages}, their audits have a line for it. */
class ClaimsAuditTest {
    private static final HostPort WEB = new HostPort("0.0.0.0", "TCP", 80);
    private static final HostPort PROXY = new HostPort("0.0.0.0", "TCP", 90);
    private static final HostPort SETUP = new HostPort("0.0.0.0", "TCP", 99);
    private static final Node N1 =
            NodeBuilder.node("n1").image(7, "web:v1", "web@sha256:1").build();
    private static final Pod POD = PodBuilder.pod("p")
            .container(claiming(WEB).build())
            .initContainer(claiming(PROXY).sidecar(true).build())
            .initContainer(claiming(SETUP).build())
            .nodeName("n1")
            .build();

    private final ResourceNames names = new ResourceNames();
    private final NodeTable.Writer nodes = NodeTable.create(names);
    private final PodTable.Writer pods = PodTable.create();
    private final HostPorts.Writer ports = HostPorts.create(pods.table());
    private final NodeImages.Writer images = NodeImages.create(nodes.table());
    private final int n1 = nodes.row("n1");
    private final PodShapes.Writer shapes = PodShapes.create(names, FeatureGates.DEFAULTS, 256);
    private final int row = pods.add(POD, shapes.acquire(POD), n1, false, PodTable.NONE);

    ClaimsAuditTest() {
        nodes.becomePresent(n1, N1);
        images.nodeChanged(n1, Optional.empty(), Optional.of(N1));
        ports.podPlaced(row);
    }

    private static ContainerBuilder claiming(HostPort port) {
        return ContainerBuilder.container("c" + port.port()).hostPort(port);
    }

    private List<String> audit(ClusterIndex index) {
        Differences differences = new Differences();
        index.audit(
                new AuditFacts(Map.of(n1, N1), List.of(new AuditFacts.PlacedPod(POD, n1)), nodes.table()::name),
                differences);
        return differences.lines();
    }

    @Test
    void whereAllIsWellTheySayNothing() {
        assertThat(audit(ports)).isEmpty();
        assertThat(audit(images)).isEmpty();
    }

    @Test
    void aClaimThatIsCountedTwiceIsTold() {
        ports.podPlaced(row);

        assertThat(audit(ports))
                .containsExactlyInAnyOrder(
                        "claims on " + WEB + " on node n1: kept 2, recounted 1",
                        "claims on " + WEB + ": kept 2, recounted 1",
                        "claims on " + PROXY + " on node n1: kept 2, recounted 1",
                        "claims on " + PROXY + ": kept 2, recounted 1");
    }

    @Test
    void aClaimThatIsForgottenIsTold() {
        ports.podRemoved(row);

        assertThat(audit(ports)).singleElement().asString().startsWith("host ports: kept [], recounted [HostPort");
    }

    @Test
    void anImageThatIsForgottenIsTold() {
        images.images().all().remove("web:v1");

        assertThat(audit(images)).singleElement().asString().startsWith("images: kept [web@sha256:1], recounted [web");
    }

    @Test
    void aNodeThatIsSaidToHoldAnImageAndDoesNotIsTold() {
        images.nodeChanged(
                9,
                Optional.empty(),
                Optional.of(NodeBuilder.node("n9").image(7, "web:v1").build()));

        assertThat(audit(images))
                .containsExactly(
                        "nodes with image web:v1: kept {0, 9}, recounted {0}",
                        "number of nodes with image web:v1: kept 2, recounted 1");
    }
}
