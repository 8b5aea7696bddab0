package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import org.junit.jupiter.api.Test;

/** What {@code --assert} does. */
class TurnAuditTest {

    @Test
    void whereAllIsWellTheEngineGoesOn() {
        try (DrivenScheduler scheduler = scheduler(true)) {
            scheduler.leads(
                    NodeBuilder.node("n1").allocatable("pods", "10").build(),
                    PodBuilder.pod("p").uid("p-1").build());

            assertThat(scheduler.live().ask(one -> one.onTheirWay().size()).join())
                    .isEqualTo(1);
            assertThat(scheduler.faults()).isEmpty();
        }
    }

    @Test
    void aWrongCountEndsTheEngineAtTheNextEvent() {
        try (DrivenScheduler scheduler = scheduler(true)) {
            miscount(scheduler);

            await().until(() -> !scheduler.live().loop().isAlive());
            assertThat(scheduler.faults())
                    .singleElement()
                    .isInstanceOf(IllegalStateException.class)
                    .asString()
                    .contains("the audit found: ", "number of pods of node n1: kept 1, recounted 0");
        }
    }

    @Test
    void nothingIsAuditedUnasked() {
        try (DrivenScheduler scheduler = scheduler(false)) {
            miscount(scheduler);

            scheduler.settle();
            assertThat(scheduler.faults()).isEmpty();
        }
    }

    private static void miscount(DrivenScheduler scheduler) {
        scheduler.leads(NodeBuilder.node("n1").build());
        scheduler
                .live()
                .mailbox()
                .post(new SchedulerEvent.Inquiry(
                        asked -> asked.cluster().index(Miscount.class, cluster -> new Miscount())));
    }

    /** An index as a plugin may bring one, which has counted a pod too many. */
    private record Miscount() implements ClusterIndex {
        @Override
        public void audit(AuditFacts facts, Differences differences) {
            differences.compare(
                    () -> "number of pods of node n1", 1, facts.pods().size());
        }
    }

    private static DrivenScheduler scheduler(boolean audit) {
        return new DrivenScheduler(new ScriptedTransport(_ -> Answers.of(500, "")), LiveObservers.NONE, audit);
    }
}
