package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import org.junit.jupiter.api.Test;

class FirstFitTest {

    @Test
    void podsFillTheFirstNodeThenTheNextThenWait() throws Exception {
        try (HollowWorld world = HollowWorld.start(
                WorldOptions.DEFAULT.withNodes(2, 1, Capacity.of("4", "8Gi", 2)).withDefaultScheduler(true))) {
            Drawn drawn = new Drawn(world);
            drawn.workload("StatefulSet", "db", 5, "\"podManagementPolicy\":\"Parallel\",");
            assertThat(drawn.list(ResourceTable.PODS))
                    .extracting(pod -> pod.getAsJsonObject("spec").has("nodeName")
                            ? pod.getAsJsonObject("spec").get("nodeName").getAsString()
                            : "")
                    .containsExactly("node-0", "node-0", "node-1", "node-1", "");

            world.nodes().add("node-2", "zone-0", Capacity.DEFAULT);
            world.settle();
            assertThat(drawn.list(ResourceTable.PODS))
                    .allMatch(pod -> pod.getAsJsonObject("spec").has("nodeName"));
        }
    }
}
