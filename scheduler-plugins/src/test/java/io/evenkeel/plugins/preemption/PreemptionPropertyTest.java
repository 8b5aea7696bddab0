package io.evenkeel.plugins.preemption;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.engine.decision.Survey.Assessment;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever has to go, for whomever: not too many, not the wrong ones, and nothing of it happens while it is thought over. */
@Execution(ExecutionMode.SAME_THREAD)
class PreemptionPropertyTest {
    private static final int QUESTIONS = 40;
    private static final int SEEDS = 8;

    private static int questions;
    private static int preemptions;
    private static int unviolated;

    static LongStream seeds() {
        return Rotation.seeds(SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void nobodyGoesInVain(long seed) {
        for (int i = 0; i < QUESTIONS; i++) {
            questions++;
            CrowdedCluster crowd = new CrowdedCluster(seed * QUESTIONS + i);
            Engine engine = engine(crowd);
            Pod preemptor = crowd.preemptor();
            Decision decision = engine.decide(preemptor);
            String before = ClusterDump.of(engine.cluster());

            assertThat(victims(engine.decide(preemptor))).isEqualTo(victims(decision));
            assertThat(ClusterAudit.differences(engine.cluster())).isEmpty();
            assertThat(ClusterDump.of(engine.cluster())).isEqualTo(before);
            if (decision instanceof Decision.Unschedulable no && !no.victims().isEmpty()) {
                preemptions++;
                check(crowd, preemptor, no);
            }
        }
    }

    private static List<Pod> victims(Decision decision) {
        return decision instanceof Decision.Unschedulable no ? no.victims() : List.of();
    }

    @AfterAll
    static void thereWasEnoughToSee() {
        assertThat(preemptions * SEEDS * QUESTIONS).isGreaterThan(50 * questions);
        assertThat(unviolated * SEEDS * QUESTIONS).isGreaterThan(20 * questions);
    }

    private static void check(CrowdedCluster crowd, Pod preemptor, Decision.Unschedulable decision) {
        String node = decision.nominatedNode().orElseThrow();
        List<Pod> victims = decision.victims();
        assertThat(victims).allSatisfy(victim -> {
            assertThat(victim.spec().priority()).isLessThan(preemptor.spec().priority());
            assertThat(victim.spec().nodeName()).isEqualTo(node);
        });
        assertThat(fits(crowd, preemptor, node, victims)).isTrue();
        for (Pod victim : victims) {
            List<Pod> others = new ArrayList<>(victims);
            others.remove(victim);
            assertThat(fits(crowd, preemptor, node, others))
                    .as("%s stays", victim.meta().name())
                    .isFalse();
        }
        if (crowd.nodes.stream().anyMatch(other -> unprotectedAreEnough(crowd, preemptor, other.name()))) {
            unviolated++;
            assertThat(crowd.budgets)
                    .allSatisfy(budget -> assertThat(victims.stream()
                                    .filter(pod -> budget.protects(pod, false))
                                    .count())
                            .isLessThanOrEqualTo(budget.disruptionsAllowed()));
        }
    }

    /** Whether the pod fits on the node where all those go that no budget speaks of. */
    private static boolean unprotectedAreEnough(CrowdedCluster crowd, Pod preemptor, String node) {
        List<Pod> unprotected = crowd.pods.stream()
                .filter(pod -> pod.spec().nodeName().equals(node))
                .filter(pod -> pod.spec().priority() < preemptor.spec().priority())
                .filter(pod -> crowd.budgets.stream().noneMatch(budget -> budget.protects(pod, false)))
                .toList();
        return !unprotected.isEmpty() && fits(crowd, preemptor, node, unprotected);
    }

    private static boolean fits(CrowdedCluster crowd, Pod preemptor, String node, List<Pod> without) {
        return engine(crowd).assess(preemptor, node, without) instanceof Assessment.Fits;
    }

    private static Engine engine(CrowdedCluster crowd) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        crowd.nodes.forEach(engine::put);
        crowd.pods.forEach(engine::put);
        crowd.budgets.forEach(engine::put);
        return engine;
    }
}
