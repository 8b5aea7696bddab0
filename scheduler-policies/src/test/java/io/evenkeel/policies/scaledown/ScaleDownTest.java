package io.evenkeel.policies.scaledown;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is written on which pods, when, and what becomes of it. */
class ScaleDownTest {
    private static final int REFUSED_IN_A_ROW = 10;
    private static final int FIVE_MINUTES = 300;

    private final ManagedCluster cluster = new ManagedCluster();

    private ManagedCluster managed() {
        return cluster.policy(PodDeletionCost.MANAGED);
    }

    @Test
    void thePodsOfEachZoneAreNumbered() {
        managed().pod("p1", "a").pod("p2", "a").pod("p3", "b").pass(3);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "-1", "p2", "-2", "p3", "-1"));
        assertThat(cluster.writes()).containsExactlyInAnyOrder("p1", "p2", "p3");
        assertThat(cluster.counted("written")).isEqualTo(3);
    }

    @Test
    void whatIsWrittenIsNotWrittenAgain() {
        managed().pod("p1", "a").pod("p2", "b").pass(60);
        assertThat(cluster.writes()).hasSize(2);
    }

    @Test
    void onePodThatGoesIsOneWrite() {
        managed().pod("p1", "a").pod("p2", "a").pod("p3", "a").pass(3);
        cluster.writes();
        cluster.gone("p1").pass(3);
        assertThat(cluster.writes()).hasSize(1);
        assertThat(cluster.costs().values()).containsExactlyInAnyOrder("-1", "-2");
    }

    @Test
    void nothingIsWrittenUntilAPolicyAsksForIt() {
        cluster.policy(PodDeletionCost.UNMANAGED).pod("p1", "a").pass(5);
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void whoDoesNotLeadWritesNothing() {
        managed().leading(false).pod("p1", "a").pass(5);
        assertThat(cluster.writes()).isEmpty();
        cluster.leading(true).pass(1);
        assertThat(cluster.writes()).containsExactly("p1");
    }

    @Test
    void anothersCostIsLeftAndTheClashToldOnce() {
        managed().pod("p1", "a").pod("p2", "a").annotated("p1", Annotations.DELETION_COST, "7");
        cluster.annotated("p2", Annotations.DELETION_COST, "7").pod("p3", "a").pass(30);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "7", "p2", "7", "p3", "-3"));
        assertThat(cluster.events())
                .singleElement()
                .asString()
                .startsWith("PodDeletionCostNotOurs of spread: Pod shop/p");
    }

    @Test
    void anotherMayTakeAPodOver() {
        managed().pod("p1", "a").pass(3);
        cluster.annotated("p1", Annotations.DELETION_COST, "50").pass(30);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "50"));
        assertThat(cluster.events()).hasSize(1);
    }

    @Test
    void oursAreTakenBackAndNoOthers() {
        managed()
                .pod("p1", "a")
                .pod("p2", "b")
                .annotated("p2", Annotations.DELETION_COST, "7")
                .pass(3);
        cluster.policy(PodDeletionCost.UNMANAGED).pass(3);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "none", "p2", "7"));
        assertThat(cluster.hasMarksOfOurs()).isFalse();
    }

    /** The policy became Unmanaged while nobody led. */
    @Test
    void whatAnEarlierLeaderLeftIsTakenBack() {
        managed().pod("p1", "a").pass(3);
        cluster.leading(false)
                .policy(PodDeletionCost.UNMANAGED)
                .handOver()
                .leading(true)
                .pass(3);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "none"));
    }

    @Test
    void anotherLeaderWritesNothingAnew() {
        managed().pod("p1", "a").pod("p2", "a").pass(3);
        cluster.writes();
        cluster.handOver().pass(10);
        assertThat(cluster.writes()).isEmpty();
    }

    @Test
    void whatWasOvertakenIsWrittenAnew() {
        managed().answering(End.OVERTAKEN).pod("p1", "a").pass(1);
        cluster.answering(End.WRITTEN).pass(2);
        assertThat(cluster.writes()).containsExactly("p1", "p1");
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "-1"));
    }

    @Test
    void aPodThatIsRefusedIsTriedAgainAfterFiveMinutes() {
        managed().answering(End.REFUSED).pod("p1", "a").pass(FIVE_MINUTES);
        assertThat(cluster.writes()).containsExactly("p1");
        cluster.answering(End.WRITTEN).pass(5);
        assertThat(cluster.costs()).isEqualTo(Map.of("p1", "-1"));
    }

    /** Where the right is missing, the server is not asked for each pod of the cluster. */
    @Test
    void manyRefusalsInARowEndTheWriting() {
        managed().answering(End.REFUSED);
        for (int i = 0; i < REFUSED_IN_A_ROW; i++) {
            cluster.pod("p" + i, "a");
        }
        cluster.pass(2).pod("late", "b").pass(10);
        assertThat(cluster.writes()).hasSize(REFUSED_IN_A_ROW).doesNotContain("late");
        cluster.answering(End.WRITTEN).pass(FIVE_MINUTES);
        assertThat(cluster.costs()).containsEntry("late", "-1").doesNotContainValue("none");
    }

    /** More pods than may be on their way at once: a dry run hears of each at once, and goes on. */
    @Test
    void aDryRunSaysAllThatItWouldWrite() {
        managed().answering(End.NOT_SENT);
        for (int i = 0; i < 250; i++) {
            cluster.pod("p" + i, "a");
        }
        cluster.pass(5).pod("another", "b").pass(5);
        assertThat(cluster.writes()).hasSize(251).doesNotHaveDuplicates().contains("another");
        assertThat(cluster.counted("not_sent")).isEqualTo(251);
    }
}
