package io.evenkeel.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import org.junit.jupiter.api.Test;

class ClusterTableTest {

    @Test
    void momentsStandBesideEachOtherAndNewPodsHaveAPlusSign() {
        DemoCluster cluster = DemoCluster.drawn("zone-b: node2[] | zone-a: node1[web-2 web-1]");
        Snapshot before = Snapshot.of("before", cluster);
        cluster.schedule(DemoObjects.pod("api-1").build());

        assertThat(ClusterTable.draw(Palette.PLAIN, before, Snapshot.of("after", cluster)))
                .containsExactly(
                        "           │ before      │ after",
                        "   ────────┼─────────────┼────────────",
                        "   zone-a  │ 2 pods      │ 2 pods",
                        "     node1 │ web-1 web-2 │ web-1 web-2",
                        "   ────────┼─────────────┼────────────",
                        "   zone-b  │ 0 pods      │ 1 pod",
                        "     node2 │ ·           │ +api-1");
    }

    @Test
    void aNodeThatJoinsIsEmptyBeforeAndAPodThatFitsNowhereWaits() {
        DemoCluster cluster = DemoCluster.empty();
        Pod pod = DemoObjects.pod("web-1").build();
        cluster.schedule(pod);
        Snapshot before = Snapshot.of("before", cluster);
        cluster.put(DemoObjects.node("node1", "zone-a")
                .taint("dedicated", "", TaintEffect.PREFER_NO_SCHEDULE)
                .build());
        cluster.schedule(pod);

        assertThat(ClusterTable.draw(Palette.PLAIN, before, Snapshot.of("after", cluster)))
                .containsExactly(
                        "                     │ before    │ after",
                        "   ──────────────────┼───────────┼───────",
                        "   zone-a            │ not there │ 1 pod",
                        "     node1 (tainted) │           │ +web-1",
                        "   ──────────────────┼───────────┼───────",
                        "   waiting           │ web-1     │ ·");
    }

    @Test
    void onATerminalNewPodsAreGreen() {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1]");
        cluster.schedule(DemoObjects.pod("web-2").build());

        assertThat(ClusterTable.draw(Palette.COLOURED, Snapshot.of("now", cluster)))
                .last()
                .isEqualTo("     node1 │ web-1 \u001b[32m+web-2\u001b[0m");
    }
}
