package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Service;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.Labels;
import org.junit.jupiter.api.Test;

class KnownObjectsTest {
    private final ClusterState cluster = cluster("a: n1[web] n2[]", "b: n3[db]");
    private final ClusterView known = cluster.view();

    private static String nameOf(KubernetesObject object) {
        return object.meta().name();
    }

    @Test
    void anObjectIsKnownAsItWasLastPut() {
        Service service = new Service(ObjectMeta.named("default", "web"), Labels.of("app", "web"));
        cluster.put(service);

        assertThat(known.like(new Service(ObjectMeta.named("default", "web"), Labels.EMPTY)))
                .contains(service);
        assertThat(known.like(NodeBuilder.node("n1").build()))
                .contains(cluster.view().nodes().node(0));
        assertThat(known.like(app("p0", "db").build()).map(found -> ((Pod) found).labels()))
                .contains(Labels.of("app", "web"));
        assertThat(known.node("n1")).contains(cluster.view().nodes().node(0));
        assertThat(known.pod("default/p0")).contains(cluster.view().pods().pod(0));
    }

    @Test
    void whatHasGoneOrNeverCameIsNot() {
        cluster.removeNode("n2");

        assertThat(known.like(new Service(ObjectMeta.named("default", "web"), Labels.EMPTY)))
                .isEmpty();
        assertThat(known.like(NodeBuilder.node("n2").build())).isEmpty();
        assertThat(known.like(app("p9", "web").build())).isEmpty();
    }

    @Test
    void aNodeThatOnlyItsPodsSpeakOfIsNot() {
        cluster.removeNode("n1");

        assertThat(known.node("n1")).isEmpty();
        assertThat(known.all("Node")).extracting(KnownObjectsTest::nameOf).containsExactly("n2", "n3");
        assertThat(known.pod("default/p0")).isPresent();
    }

    @Test
    void thereIsAListOfEachKind() {
        cluster.put(new Service(ObjectMeta.named("default", "web"), Labels.EMPTY));
        cluster.assume(app("new", "web").build(), 1);

        assertThat(known.all("Node")).extracting(KnownObjectsTest::nameOf).containsExactly("n1", "n2", "n3");
        assertThat(known.all("Pod")).extracting(KnownObjectsTest::nameOf).containsExactlyInAnyOrder("p0", "p1", "new");
        assertThat(known.all("Service")).extracting(KnownObjectsTest::nameOf).containsExactly("web");
        assertThat(known.all("Namespace")).isEmpty();
    }
}
