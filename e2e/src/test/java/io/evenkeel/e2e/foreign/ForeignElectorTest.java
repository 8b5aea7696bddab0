package io.evenkeel.e2e.foreign;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.rotation.Rotated;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** One Lease for which our elector and a foreign one contend: at no time do both lead. */
@OnClusters
@Rotated(3)
class ForeignElectorTest {
    /** The lease would outlive the test, so ours can only have been given it. */
    @Test
    void whatTheForeignOneGivesBackIsOursAtOnce(Scene scene) {
        ElectionTimes times = new ElectionTimes(Duration.ofHours(1), Duration.ofMinutes(30));
        scene.zones(2, 2);
        try (LeaseHistory history = LeaseHistory.of(scene)) {
            SchedulerUnderTest ours;
            try (ForeignElector foreign = times.foreign(scene)) {
                eventually("the foreign one leads").until(foreign::isLeading);
                ours = times.ours(scene).awaitSynced();
                scene.pods("web", 5, "");
                history.awaitRenewals("foreign", 3);
                assertThat(ours.live().isLeading()).isFalse();
                assertThat(scene.pods().placements()).isEmpty();
            }
            scene.awaitAllBound(5);
            assertThat(ours.live().isLeading()).isTrue();
            history.awaitHolders("foreign", "", "ours");
        }
    }

    /** The client's elector takes an empty holder for another one, and waits for as long as a lease lasts. */
    @Test
    void whatOursGivesBackTheForeignOneTakesWhenItHasWaited(Scene scene) {
        scene.zones(1, 1);
        try (LeaseHistory history = LeaseHistory.of(scene)) {
            SchedulerUnderTest ours = ElectionTimes.SHORT.ours(scene);
            eventually("ours leads").until(() -> ours.live().isLeading());
            try (ForeignElector foreign = ElectionTimes.SHORT.foreign(scene)) {
                history.awaitRenewals("ours", 3);
                assertThat(foreign.isLeading()).isFalse();
                ours.stop();
                eventually("the foreign one leads").until(foreign::isLeading);
                scene.pod("late", "");
                history.awaitRenewals("foreign", 2);
                assertThat(scene.pods().placements()).isEmpty();
            }
            history.awaitHolders("ours", "", "foreign", "");
            history.assertTakenFromNobodyWhoHeldIt();
        }
    }

    @Test
    void aReplicaOfOursThatCrashesIsFollowedWhenItsLeaseHasRunOut(Scene scene) {
        try (LeaseHistory history = LeaseHistory.of(scene)) {
            SchedulerUnderTest ours = ElectionTimes.SHORT.ours(scene);
            eventually("ours leads").until(() -> ours.live().isLeading());
            try (ForeignElector foreign = ElectionTimes.SHORT.foreign(scene)) {
                history.awaitRenewals("ours", 3);
                ours.crash();
                eventually("the foreign one leads").until(foreign::isLeading);
            }
            history.awaitHolders("ours", "foreign", "");
            history.assertTakenFromNobodyWhoHeldIt();
        }
    }
}
