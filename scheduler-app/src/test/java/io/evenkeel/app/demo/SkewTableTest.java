package io.evenkeel.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import org.junit.jupiter.api.Test;

class SkewTableTest {

    @Test
    void eachDomainHasItsSumAndOnlyPodsOfTheAppCount() {
        DemoCluster cluster = DemoCluster.drawn("zone-a: node1[web-1 api-1] node2[web-2] | zone-b: node3[web-3]");
        Pod pod = DemoObjects.pod("web-4")
                .spread(SpreadBuilder.overZones(1).ofApp("web"))
                .build();

        assertThat(SkewTable.draw(Palette.PLAIN, cluster, pod))
                .containsExactly(
                        "                               │ pods + this one − fewest = skew │ maxSkew",
                        "   ────────────────────────────┼─────────────────────────────────┼─────────",
                        "   topology.kubernetes.io/zone │                                 │ 1",
                        "     zone-a                    │ 2 + 1 − 1 = 2                   │ exceeded",
                        "     zone-b                    │ 1 + 1 − 1 = 1                   │ kept");
    }
}
