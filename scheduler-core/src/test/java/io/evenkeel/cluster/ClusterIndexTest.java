package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Service;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Indexes that plugins bring. That they stay right in all that may happen is the oracle test's to show. */
class ClusterIndexTest {
    private final ClusterState cluster = cluster("a: n1[web web] n2[]", "b: n3[db]");

    private AppIndex index() {
        return cluster.view().index(AppIndex.class, AppIndex::new);
    }

    private int node(String name) {
        return cluster.view().nodes().find(name);
    }

    @Test
    void oneThatComesLateIsFilledWithWhatIsThere() {
        cluster.put(new Service(ObjectMeta.named("default", "web"), Labels.of("app", "web")));

        assertThat(index().podsOf("web", node("n1"))).isEqualTo(2);
        assertThat(index().nodes()).containsExactly("n1", "n2", "n3");
        assertThat(index().services()).containsExactly("default/web");
    }

    @Test
    void thePluginsOfAllProfilesShareIt() {
        assertThat(index()).isSameAs(index());
    }

    @Test
    void itHearsOfEverything() {
        AppIndex index = index();
        cluster.put(app("late", "web").nodeName("n2").build());
        cluster.removePod("default/p0");
        cluster.removeNode("n3");
        cluster.put(new Service(ObjectMeta.named("default", "web"), Labels.of("app", "web")));
        cluster.remove(new Service(ObjectMeta.named("default", "web"), Labels.EMPTY));

        assertThat(index.podsOf("web", node("n1"))).isOne();
        assertThat(index.podsOf("web", node("n2"))).isOne();
        assertThat(index.nodes()).containsExactly("n1", "n2");
        assertThat(index.services()).isEmpty();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void itHearsOfWhatIsSupposedAndOfItsTakingBack() {
        AppIndex index = index();
        String before = ClusterDump.of(cluster.view());
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.place(app("new", "web").build(), node("n2"))
                    .put(NodeBuilder.node("n4").build());

            assertThat(index.podsOf("web", node("n2"))).isOne();
            assertThat(index.nodes()).contains("n4");
        }

        assertThat(index.podsOf("web", node("n2"))).isZero();
        assertThat(ClusterDump.of(cluster.view())).isEqualTo(before);
    }

    @Test
    void theAuditAuditsIt() {
        AppIndex index = index();
        index.podPlaced(cluster.view().pods().find("default/p0"));

        assertThat(ClusterAudit.differences(cluster.view()))
                .containsExactly("pods of app web: kept {0=3}, recounted {0=2}");
    }

    @Test
    void anIndexMayReadThoseBeforeItWhileAPodComesOrGoes() {
        List<String> seen = new ArrayList<>();
        AppIndex apps = index();
        cluster.view().index(Listener.class, view -> new Listener(view.pods(), apps, seen));
        seen.clear();
        cluster.put(app("late", "web").nodeName("n2").build());
        cluster.removePod("default/late");

        assertThat(seen).containsExactly("placed with 1", "removed with 1");
    }

    @Test
    void oneThatHearsOnlyOfComingOrOnlyOfGoingHearsOfThat() {
        List<String> seen = new ArrayList<>();
        cluster.view().index(Greeter.class, view -> new Greeter(seen));
        cluster.view().index(Mourner.class, view -> new Mourner(seen));
        seen.clear();
        cluster.put(app("late", "web").nodeName("n2").build());
        cluster.removePod("default/late");

        assertThat(seen).containsExactly("welcome", "farewell");
    }

    @Test
    void aPodIsToldAnewWhenItsLabelsChangeOrItIsToGoAndNotForItsStatus() {
        List<String> seen = new ArrayList<>();
        AppIndex apps = index();
        cluster.view().index(Listener.class, view -> new Listener(view.pods(), apps, seen));
        cluster.put(app("late", "db").nodeName("n2").build());
        seen.clear();
        cluster.put(app("late", "db").nodeName("n2").phase("Running").build());
        assertThat(seen).isEmpty();

        cluster.put(app("late", "web").nodeName("n2").build());
        assertThat(seen).containsExactly("removed with 0", "placed with 1");
        cluster.put(app("late", "web").nodeName("n2").terminating(true).build());
        assertThat(seen).endsWith("removed with 1", "placed with 1").hasSize(4);
    }

    @Test
    void aHeartbeatIsNoChangeOfANode() {
        List<String> seen = new ArrayList<>();
        cluster.view().index(NodeListener.class, view -> new NodeListener(view.nodes(), seen));
        seen.clear();
        cluster.put(cluster.view().nodes().node(node("n2")));
        cluster.put(NodeBuilder.node("n2").build());

        assertThat(seen).containsExactly("n2 unchanged", "n2 changed");
    }

    @Test
    void whatDependsOnThePastIsRestoredOnceAllIsTakenBack() {
        List<String> seen = new ArrayList<>();
        cluster.view().index(NodeListener.class, view -> new NodeListener(view.nodes(), seen));
        seen.clear();
        try (WhatIf outer = cluster.whatIf()) {
            outer.put(NodeBuilder.node("n2").build());
            cluster.whatIf().removeNode("n3").close();
        }

        assertThat(seen)
                .containsExactly(
                        "what-if begins",
                        "n2 changed",
                        "what-if begins",
                        "n3 changed",
                        "n3 changed",
                        "what-if is over",
                        "n2 changed",
                        "what-if is over");
    }

    private record Greeter(List<String> seen) implements ClusterIndex {
        @Override
        public void podPlaced(int row) {
            seen.add("welcome");
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }

    private record Mourner(List<String> seen) implements ClusterIndex {
        @Override
        public void podRemoved(int row) {
            seen.add("farewell");
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }

    private record NodeListener(NodeTable nodes, List<String> seen) implements ClusterIndex {
        @Override
        public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
            seen.add(nodes.name(node) + " changed");
        }

        @Override
        public void nodeUnchanged(int node) {
            seen.add(nodes.name(node) + " unchanged");
        }

        @Override
        public Runnable whatIfBegins() {
            seen.add("what-if begins");
            return () -> seen.add("what-if is over");
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }

    private record Listener(PodTable pods, AppIndex apps, List<String> seen) implements ClusterIndex {
        @Override
        public void podPlaced(int row) {
            seen.add("placed with " + apps.podsOf("web", pods.node(row)));
        }

        @Override
        public void podRemoved(int row) {
            seen.add("removed with " + apps.podsOf("web", pods.node(row)));
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {}
    }
}
