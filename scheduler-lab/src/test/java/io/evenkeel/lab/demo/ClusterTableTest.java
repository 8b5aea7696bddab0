package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Telling.ClusterTable;
import io.evenkeel.model.TaintEffect;
import org.junit.jupiter.api.Test;

class ClusterTableTest {

    @Test
    void momentsStandBesideEachOtherAndNewPodsHaveAPlusSign() {
        Cluster before = Drawing.of("zone-b: node2[] | zone-a: node1[web-2 web-1]");
        Cluster after = Drawing.of("zone-b: node2[api-1] | zone-a: node1[web-2 web-1]");

        assertThat(ClusterTable.of(Palette.PLAIN, Moment.of("before", before), Moment.since(before, "after", after))
                        .draw(80))
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
    void aNodeThatJoinsIsEmptyBeforeAndAPodWithoutANodeWaits() {
        Cluster before = Drawing.empty().with(Drawing.pod("web-1").build()).cluster();
        Cluster after = Drawing.empty()
                .with(Drawing.node("node1", "zone-a")
                        .taint("dedicated", "", TaintEffect.PREFER_NO_SCHEDULE)
                        .build())
                .with(Drawing.pod("web-1").nodeName("node1").build())
                .cluster();

        assertThat(ClusterTable.of(Palette.PLAIN, Moment.of("before", before), Moment.since(before, "after", after))
                        .draw(80))
                .containsExactly(
                        "                     │ before    │ after",
                        "   ──────────────────┼───────────┼───────",
                        "   zone-a            │ not there │ 1 pod",
                        "     node1 (tainted) │           │ +web-1",
                        "   ──────────────────┼───────────┼───────",
                        "   waiting           │ web-1     │ ·");
    }

    @Test
    void podsWithMadeUpNamesAreDots() {
        Cluster cluster = Drawing.empty()
                .with(Drawing.node("node1", "zone-a").build())
                .with(Drawing.pod("web-7d9c-x")
                        .label("pod-template-hash", "7d9c")
                        .nodeName("node1")
                        .build())
                .cluster();

        assertThat(ClusterTable.of(Palette.PLAIN, Moment.of("now", cluster)).draw(80))
                .last()
                .isEqualTo("     node1 │ ●");
    }

    @Test
    void onATerminalNewPodsAreGreen() {
        Cluster before = Drawing.of("zone-a: node1[web-1]");
        Cluster after = Drawing.of("zone-a: node1[web-1 web-2]");

        assertThat(ClusterTable.of(Palette.COLOURED, Moment.since(before, "now", after))
                        .draw(80))
                .last()
                .isEqualTo("     node1 │ web-1 \u001b[32m+web-2\u001b[0m");
    }
}
