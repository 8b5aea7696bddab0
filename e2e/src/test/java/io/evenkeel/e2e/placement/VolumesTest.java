package io.evenkeel.e2e.placement;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static io.evenkeel.e2e.scene.Storage.claims;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.e2e.scene.Storage;
import io.evenkeel.model.json.Trees;
import org.junit.jupiter.api.Test;

/** Pods with volumes that are there, as on any cluster: no provisioner is needed. */
@OnClusters(atEachLevel = true)
class VolumesTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    @Test
    void aVolumeOfAZoneForcesTheZone(Scene scene) {
        Storage storage = new Storage(scene);
        scene.zones(3, 2);
        storage.staticClass("kept");
        storage.volume("v", "kept", "1Gi", ZONE, "b");
        storage.claim("data", "kept", "1Gi");
        scene.scheduler();
        scene.pod("db", claims("data"));

        scene.awaitBound("db");
        assertThat(scene.pod("db").node().orElseThrow()).startsWith("b");
        assertThat(storage.isBound("data")).isTrue();
        assertThat(Trees.text(storage.claim("data"), "spec", "volumeName")).isEqualTo(storage.name("v"));

        // once bound, another pod goes where the volume is
        scene.pod("reader", claims("data"));
        scene.awaitBound("reader");
        assertThat(scene.pod("reader").node().orElseThrow()).startsWith("b");
    }

    @Test
    void aPodWaitsForItsClaim(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.staticClass("kept");
        storage.localVolume("v", "kept", "1Gi", "a1");
        scene.scheduler();
        scene.pod("db", claims("data"));
        eventually("it is told what is missing")
                .untilAsserted(() ->
                        assertThat(scene.pod("db").message()).contains("persistentvolumeclaim \"data\" not found"));

        storage.claim("data", "kept", "1Gi");
        scene.awaitBound("db");
        assertThat(storage.isBound("data")).isTrue();
    }

    @Test
    void ofTwoPodsThatWantTheLastLocalVolumeOneGetsItAndTheOtherWaits(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        scene.node("a2", "");
        storage.staticClass("local");
        storage.localVolume("v", "local", "1Gi", "a1");
        storage.claim("one", "local", "1Gi");
        storage.claim("two", "local", "1Gi");
        scene.pod("one", claims("one"));
        scene.pod("two", claims("two"));
        scene.scheduler();

        scene.awaitAllBound(1);
        String loser = scene.pods().placements().containsKey("one") ? "two" : "one";
        scene.awaitRejected(loser, "2 node(s) didn't find available persistent volumes to bind");

        storage.localVolume("w", "local", "1Gi", "a2");
        scene.awaitBound("one", "two");
        assertThat(scene.pod(loser).node()).contains("a2");
        assertThat(storage.isBound("one")).isTrue();
        assertThat(storage.isBound("two")).isTrue();
    }

    @Test
    void theSmallestVolumeThatIsLargeEnoughIsTaken(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.staticClass("local");
        storage.localVolume("large", "local", "9Gi", "a1");
        storage.localVolume("right", "local", "3Gi", "a1");
        storage.localVolume("small", "local", "1Gi", "a1");
        storage.claim("data", "local", "2Gi");
        scene.scheduler();
        scene.pod("db", claims("data"));

        scene.awaitBound("db");
        assertThat(Trees.text(storage.claim("data"), "spec", "volumeName")).isEqualTo(storage.name("right"));
    }

    @Test
    void aClaimForOnePodIsFreedByItsEnd(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        scene.node("a2", "");
        storage.staticClass("kept");
        storage.volume("v", "kept", "1Gi", "kubernetes.io/os", "linux", "ReadWriteOncePod");
        scene.api().patch(scene.nodePath("a1"), "metadata: {labels: {kubernetes.io/os: linux}}");
        scene.api().patch(scene.nodePath("a2"), "metadata: {labels: {kubernetes.io/os: linux}}");
        storage.claim("alone", "kept", "1Gi", "ReadWriteOncePod");
        scene.scheduler();
        scene.pod("first", claims("alone"));
        scene.awaitBound("first");
        scene.pod("second", claims("alone"));
        scene.awaitRejected(
                "second",
                "2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by"
                        + " another pod");

        scene.api().deleteNow(scene.podPath("first"));
        scene.awaitBound("second");
    }

    @Test
    void aClaimForOnePodIsTakenFromALessImportantPod(Scene scene) {
        Storage storage = new Storage(scene);
        String urgent = scene.priority("urgent", 1000);
        scene.node("a1", "");
        storage.staticClass("kept");
        storage.localVolume("v", "kept", "1Gi", "a1", "ReadWriteOncePod");
        storage.claim("alone", "kept", "1Gi", "ReadWriteOncePod");
        scene.scheduler();
        scene.pod("batch", claims("alone"));
        scene.awaitBound("batch");
        scene.pod("urgent", "{" + urgent + ", " + claims("alone") + "}");

        eventually("the other goes")
                .until(() -> scene.api()
                        .find(scene.podPath("batch"))
                        .filter(pod ->
                                Trees.text(pod, "metadata", "deletionTimestamp").isEmpty())
                        .isEmpty());
        scene.api().deleteNow(scene.podPath("batch"));
        scene.awaitBound("urgent");
    }

    @Test
    void aVolumeThatOnlyAMissingNodeReachesKeepsItsPodWaitingUntilTheNodeIsThere(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        storage.staticClass("local");
        storage.localVolume("v", "local", "1Gi", "a2");
        storage.claim("data", "local", "1Gi");
        scene.scheduler();
        scene.pod("db", claims("data"));
        scene.awaitRejected("db", "1 node(s) didn't find available persistent volumes to bind");

        scene.node("a2", "");
        scene.awaitBound("db");
        assertThat(scene.pod("db").node()).contains("a2");
    }

    @Test
    void aSchedulerThatComesAfterTheClaimWasBoundBindsThePod(Scene scene) {
        Storage storage = new Storage(scene);
        scene.node("a1", "");
        scene.node("a2", "");
        storage.staticClass("local");
        storage.localVolume("v", "local", "1Gi", "a2");
        storage.claim("data", "local", "1Gi");
        SchedulerUnderTest first = scene.scheduler();
        scene.pod("db", claims("data"));
        eventually("the volume is written")
                .until(() -> !Trees.text(scene.api().get(storage.volumePath("v")), "spec", "claimRef", "name")
                        .isEmpty());
        first.crash();

        scene.scheduler();
        scene.awaitBound("db");
        assertThat(scene.pod("db").node()).contains("a2");
    }
}
