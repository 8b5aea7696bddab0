package io.evenkeel.e2e.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import org.junit.jupiter.api.Test;

@OnClusters
class NeighboursTest {

    @Test
    void podsOfOtherSchedulersTakeRoomAndAreLeftAlone(Scene scene) {
        scene.node("a1", "allocatable: {cpu: 2}");
        scene.node("a2", "allocatable: {cpu: 2}");
        scene.podOn("a1", "placed", "{schedulerName: another, requests: {cpu: 1500m}}");
        JsonObject waiting = scene.pod("waiting", "schedulerName: another");
        scene.scheduler();
        scene.pod("ours-1", "requests: {cpu: 1}");
        scene.pod("ours-2", "requests: {cpu: 1}");
        scene.awaitBound("ours-1", "ours-2");
        assertThat(scene.pods().placements())
                .containsEntry("ours-1", "a2")
                .containsEntry("ours-2", "a2")
                .doesNotContainKey("waiting");
        assertThat(scene.pod("waiting").tree()).isEqualTo(waiting);
        assertThat(scene.events("waiting")).isEmpty();
    }
}
