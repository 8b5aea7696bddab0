package io.evenkeel.e2e.foreign;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import org.junit.jupiter.api.Test;

/** A foreign informer sees what our scheduler does. */
@OnClusters
class InformerTest {

    @Test
    void itSeesEachPodAsItIsPlacedAndGoes(Scene scene) {
        scene.zones(2, 2);
        try (PodInformer informer = PodInformer.start(scene)) {
            scene.scheduler();
            scene.pods("web", 20, "");
            scene.awaitAllBound(20);
            informer.awaitLevel();

            scene.api().deleteNow(scene.podPath("web-0"));
            scene.pods("more", 5, "");
            scene.awaitAllBound(24);
            informer.awaitLevel();
        }
    }
}
