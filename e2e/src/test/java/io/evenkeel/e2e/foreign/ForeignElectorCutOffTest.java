package io.evenkeel.e2e.foreign;

import static io.evenkeel.e2e.cluster.ClusterKind.HOLLOW;
import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.OnClusters;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.rotation.Rotated;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A holder whom the server does not let in any more: it has to notice by itself, before another may follow. */
@OnClusters(HOLLOW)
@Rotated(3)
class ForeignElectorCutOffTest {
    private static final String TOKEN = "foreign-elector";
    /** Far apart, so that a pause of the machine does not let both come due at once. */
    private static final ElectionTimes TIMES = new ElectionTimes(Duration.ofSeconds(20), Duration.ofSeconds(10));

    @Test
    void oursLeadsOnlyAfterAForeignHolderThatIsCutOffHasStopped(Scene scene) {
        HollowCluster hollow = scene.hollow();
        hollow.tokens().add(TOKEN, User.named("foreign"));
        ForeignClient client = ForeignClient.by(hollow.kubeconfig("foreign", TOKEN));
        try (LeaseHistory history = LeaseHistory.of(scene);
                ForeignElector foreign = TIMES.foreign(scene, client)) {
            eventually("the foreign one leads").until(foreign::isLeading);
            SchedulerUnderTest ours = TIMES.ours(scene);
            history.awaitRenewals("foreign", 3);
            assertThat(ours.live().isLeading()).isFalse();

            hollow.tokens().revoke(TOKEN);
            eventually("ours leads").until(() -> ours.live().isLeading());
            assertThat(foreign.isLeading()).isFalse();
            history.awaitHolders("foreign", "ours");
            history.assertTakenFromNobodyWhoHeldIt();
        }
    }
}
