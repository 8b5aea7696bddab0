package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Container;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class BuilderTest {

    @Test
    void aPodHasTheApisDefaults() {
        Pod pod = PodBuilder.pod("p").container("cpu", "100m").build();

        assertThat(pod.key()).isEqualTo("default/p");
        assertThat(pod.isPlaced()).isFalse();
        assertThat(pod.spec().schedulerName()).isEqualTo("default-scheduler");
        assertThat(pod.spec().priority()).isZero();
        assertThat(pod.spec().preempts()).isTrue();
        assertThat(pod.spec().podRequests()).isEmpty();
        assertThat(pod.status()).isEqualTo(PodStatus.PENDING);
        assertThat(pod.spec().containers())
                .singleElement()
                .extracting(Container::requests)
                .isEqualTo(Map.of("cpu", Quantity.ofMilli(100)));
    }

    @Test
    void aNodeHasOnlyTheLabelsThatItIsGiven() {
        assertThat(NodeBuilder.node("n").build().labels()).isEqualTo(Labels.EMPTY);
        assertThat(NodeBuilder.node("n").zone("a").build().labels())
                .isEqualTo(Labels.of("topology.kubernetes.io/zone", "a"));
    }

    @Test
    void aCopyIsEqualAndChangesAlone() {
        Pod pod = TestObjects.pod();
        Node node = TestObjects.node();

        assertThat(PodBuilder.from(pod).build()).isEqualTo(pod);
        assertThat(NodeBuilder.from(node).build()).isEqualTo(node);
        assertThat(PodBuilder.from(pod).label("app", "db").build().labels().has("app", "db"))
                .isTrue();
        assertThat(pod.labels().has("app", "web")).isTrue();
    }

    @Test
    void aHostPortIsClaimedOnEveryAddress() {
        assertThat(PodBuilder.pod("p")
                        .hostPort(80)
                        .build()
                        .spec()
                        .containers()
                        .getFirst()
                        .hostPorts())
                .containsExactly(new HostPort("0.0.0.0", "TCP", 80));
    }

    @Test
    void anOwnerAndADeletionAreKept() {
        OwnerReference owner = new OwnerReference("apps/v1", "ReplicaSet", "web", "1");
        Pod pod =
                PodBuilder.pod("p").controller(owner).terminating(true).uid("7").build();

        assertThat(pod.meta()).isEqualTo(new ObjectMeta("default", "p", "7", Labels.EMPTY, Optional.of(owner), true));
    }
}
