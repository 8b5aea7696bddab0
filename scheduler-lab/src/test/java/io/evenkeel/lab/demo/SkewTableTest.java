package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Telling.SkewTable;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import org.junit.jupiter.api.Test;

class SkewTableTest {

    @Test
    void eachDomainHasItsSumAndOnlyPodsOfTheAppCount() {
        Cluster cluster = Drawing.of("zone-a: node1[web-1 api-1] node2[web-2] | zone-b: node3[web-3]");
        Pod pod = Drawing.pod("web-4")
                .spread(new TopologySpreadConstraint(
                        1,
                        "topology.kubernetes.io/zone",
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.matchingLabels(Labels.of("app", "web")),
                        1,
                        NodeInclusionPolicy.HONOR,
                        NodeInclusionPolicy.IGNORE,
                        List.of()))
                .build();

        assertThat(SkewTable.of(Palette.PLAIN, cluster, pod).draw(80))
                .containsExactly(
                        "                               │ pods + this one − fewest = skew │ maxSkew",
                        "   ────────────────────────────┼─────────────────────────────────┼─────────",
                        "   topology.kubernetes.io/zone │                                 │ 1",
                        "     zone-a                    │ 2 + 1 − 1 = 2                   │ exceeded",
                        "     zone-b                    │ 1 + 1 − 1 = 1                   │ kept");
    }
}
