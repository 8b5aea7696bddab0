package io.evenkeel.plugins.volumes;

import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.volumes.ClaimBuilder.claim;
import static io.evenkeel.plugins.volumes.StorageObjects.NOBODY;
import static io.evenkeel.plugins.volumes.StorageObjects.late;
import static io.evenkeel.plugins.volumes.VolumeBuilder.volume;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Status;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.queue.ClusterChanges;
import org.junit.jupiter.api.Test;

/** Which of the volumes that there are a claim gets, where none is made for it. */
class VolumeMatchingTest {
    private static final Status NOTHING_TO_BIND =
            Status.unresolvable("node(s) didn't find available persistent volumes to bind");

    private final BindingScene scene =
            new BindingScene(node("n").label("zone", "a").build(), late("late", NOBODY));

    private Status of(ClaimBuilder claim, VolumeBuilder... volumes) {
        scene.put(claim.build());
        for (VolumeBuilder volume : volumes) {
            scene.put(volume.build());
        }
        return scene.verdict(pod("p").claim("c").build());
    }

    @Test
    void withoutAVolumeThereIsNothingToBind() {
        assertThat(of(claim("c"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c"), volume("v"))).isEqualTo(Status.SUCCESS);
    }

    @Test
    void theSmallestThatIsLargeEnoughIsTaken() {
        of(
                claim("c").size("2Gi"),
                volume("v1").size("1Gi"),
                volume("v5").size("5Gi"),
                volume("v3").size("3Gi"));
        assertThat(scene.reserve(pod("p").claim("c").build())).containsExactly("v3 for default/c");
    }

    @Test
    void ofTheSameSizeTheFirstByNameIsTaken() {
        of(claim("c"), volume("w").size("1Gi"), volume("v").size("1024Mi"));
        assertThat(scene.reserve(pod("p").claim("c").build())).containsExactly("v for default/c");
    }

    @Test
    void allTooSmall() {
        assertThat(of(claim("c").size("2Gi"), volume("v").size("1Gi"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c").withoutSize(), volume("v").size("1Gi"))).isEqualTo(Status.SUCCESS);
    }

    @Test
    void oneThatIsSetAsideForTheClaimGoesBeforeSmallerOnes() {
        of(claim("c"), volume("small"), volume("mine").size("9Gi").reservedFor("c"));
        assertThat(scene.reserve(pod("p").claim("c").build())).containsExactly("mine for default/c");
    }

    @Test
    void oneThatIsSetAsideOutOfReachLeavesNoOther() {
        assertThat(of(
                        claim("c"),
                        volume("small"),
                        volume("mine").reservedFor("c").on("zone", "b")))
                .isEqualTo(NOTHING_TO_BIND);
    }

    @Test
    void oneThatIsSetAsideByUidIsForThatClaimAlone() {
        assertThat(of(claim("c").uid("1"), volume("v").reservedFor("default", "c", "2")))
                .isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c").uid("2"))).isEqualTo(Status.SUCCESS);
    }

    @Test
    void oneThatIsSetAsideNeedNotHaveTheSelectorsLabels() {
        assertThat(of(claim("c").selector("kind", "fast"), volume("v").reservedFor("c")))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void oneOfAnotherClaimIsNotToBeHad() {
        PersistentVolumeClaim other = claim("other").build();
        assertThat(of(claim("c"), volume("v").claimedBy(other))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c"), volume("v").reservedFor("other", "c", ""))).isEqualTo(NOTHING_TO_BIND);
    }

    @Test
    void oneThatIsGoingOrNotAvailableIsNotToBeHad() {
        assertThat(of(claim("c"), volume("v").terminating())).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c"), volume("v").unavailable())).isEqualTo(NOTHING_TO_BIND);
    }

    @Test
    void claimAndVolumeAgreeInAllTerms() {
        assertThat(of(claim("c"), volume("v").storageClass("other"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c"), volume("v").block())).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c").block(), volume("v").block())).isEqualTo(Status.SUCCESS);
        assertThat(of(claim("c"), volume("v").attributesClass("gold"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c"), volume("v").modes("ReadOnlyMany"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c").modes("ReadOnlyMany"), volume("v").modes("ReadOnlyMany", "ReadWriteOnce")))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void theSelectorChooses() {
        assertThat(of(claim("c").selector("kind", "fast"), volume("v"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c").selector("kind", "fast"), volume("v").label("kind", "fast")))
                .isEqualTo(Status.SUCCESS);
    }

    @Test
    void aVolumeHasToBeInReach() {
        assertThat(of(claim("c"), volume("v").on("zone", "b"))).isEqualTo(NOTHING_TO_BIND);
        assertThat(of(claim("c"), volume("v").on("zone", "a", "b"))).isEqualTo(Status.SUCCESS);
    }

    @Test
    void twoClaimsOfAPodDoNotGetTheSameVolume() {
        PodBuilder both = pod("p").claim("c").claim("d");
        scene.put(claim("c").size("1Gi").build());
        scene.put(claim("d").size("2Gi").build());
        scene.put(volume("v").size("5Gi").build());
        assertThat(scene.verdict(both.build())).isEqualTo(NOTHING_TO_BIND);

        scene.put(volume("w").size("1Gi").build());

        assertThat(scene.verdict(both.build())).isEqualTo(Status.SUCCESS);
        assertThat(scene.reserve(both.build())).containsExactly("w for default/c", "v for default/d");
    }

    @Test
    void whatIsReservedForAPodNoOtherGetsUntilItIsGivenBack() {
        scene.put(claim("c").build());
        scene.put(claim("d").build());
        scene.put(volume("v").build());
        scene.reserve(pod("p").claim("c").build());

        assertThat(scene.verdict(pod("q").claim("d").build())).isEqualTo(NOTHING_TO_BIND);
        assertThat(scene.verdict(pod("q").claim("c").build()))
                .as("the same claim")
                .isEqualTo(Status.SUCCESS);

        scene.unreserve();

        assertThat(scene.verdict(pod("q").claim("d").build())).isEqualTo(Status.SUCCESS);
    }

    @Test
    void whatTheServerShowsGoesBeforeWhatWasReserved() {
        scene.put(claim("c").build());
        scene.put(claim("d").build());
        scene.put(volume("v").build());
        scene.reserve(pod("p").claim("c").build());
        scene.put(volume("v").claimedBy(claim("d").build()).build());

        assertThat(scene.verdict(pod("q").claim("d").build())).isEqualTo(Status.SUCCESS);
        scene.unreserve();
        assertThat(scene.verdict(pod("q").claim("c").build())).isEqualTo(NOTHING_TO_BIND);
    }

    @Test
    void whoGivesVolumesBackWakesWhoWaitsForSome() {
        Pod waiting = pod("q").claim("d").build();
        Pod with = pod("p").claim("c").build();
        assertThat(scene.wakes(waiting, ClusterChanges.ofFreedPlace(with, "n"))).isTrue();
        assertThat(scene.wakes(waiting, ClusterChanges.ofFreedPlace(pod("p").build(), "n")))
                .isFalse();
    }
}
