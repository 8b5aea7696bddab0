package io.evenkeel.policies.status;

import static io.evenkeel.policies.status.PolicedCluster.ZONE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.testing.LogLines;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyObserverTest {
    private static final PolicyRule CAP = PolicyRule.over(ZONE).withMaxPods(2);

    private final PolicedCluster cluster = new PolicedCluster();

    @Test
    void saysHowThePodsAreDistributed() {
        cluster.nodes("a", "b").pod("p1", "node-a").pod("p2", "node-a").policy(1, CAP);
        cluster.put(PodBuilder.pod("shop", "p3").label("app", "web").build());
        cluster.put(PodBuilder.pod("shop", "other").label("app", "db").build()).pass(1);

        assertThat(cluster.status().observedGeneration()).isEqualTo(1);
        assertThat(cluster.status().pods()).isEqualTo(2);
        assertThat(cluster.status().waiting()).isEqualTo(1);
        assertThat(cluster.status().rules())
                .containsExactly(
                        new RuleStatus(ZONE, List.of(new DomainPods("a", 2), new DomainPods("b", 0)), 0, 0, 2, 2));
        assertThat(cluster.condition("Accepted")).isEqualTo("True Valid 2026-11-24T10:00:01Z");
        assertThat(cluster.condition("Satisfied")).isEqualTo("True LimitsKept 2026-11-24T10:00:01Z");
        assertThat(cluster.condition("Satisfiable")).isEqualTo("True NoContradiction 2026-11-24T10:00:01Z");
        assertThat(cluster.condition("SeenByAutoscaler")).isEqualTo("False HardRules 2026-11-24T10:00:01Z");
        assertThat(cluster.events()).isEmpty();
        assertThat(cluster.gauge("evenkeel_policy_pods")).containsExactly("[PlacementPolicy, web, shop] 2");
        assertThat(cluster.gauge("evenkeel_policy_waiting_pods")).containsExactly("[PlacementPolicy, web, shop] 1");
        assertThat(cluster.gauge("evenkeel_policy_skew"))
                .containsExactly("[PlacementPolicy, web, shop, " + ZONE + "] 2");
    }

    @Test
    void podsOfSchedulersThatKeepNoPoliciesAreNotWaitedFor() {
        cluster.nodes("a", "b").policy(1, CAP);
        for (int i = 0; i < 5; i++) {
            cluster.put(PodBuilder.pod("shop", "other" + i)
                    .label("app", "web")
                    .schedulerName("another")
                    .build());
        }
        cluster.put(PodBuilder.pod("shop", "own").label("app", "web").build()).pass(20);

        assertThat(cluster.status().waiting()).isEqualTo(1);
        assertThat(cluster.condition("Satisfiable")).startsWith("True NoContradiction");
        assertThat(cluster.gauge("evenkeel_policy_waiting_pods")).containsExactly("[PlacementPolicy, web, shop] 1");
    }

    @Test
    void whatHasBeenWrittenIsNotWrittenAgain() {
        cluster.nodes("a").pod("p1", "node-a").policy(1, CAP).pass(200);
        assertThat(cluster.writes()).isEqualTo(1);

        cluster.handOver().pass(200);
        assertThat(cluster.writes()).isEqualTo(1);
        cluster.pod("p2", "node-a").pass(5);
        assertThat(cluster.writes()).isEqualTo(2);
    }

    @Test
    void aBreachIsToldOnceItHasLastedAndOnceItIsOver() {
        cluster.nodes("a", "b").policy(1, CAP).pass(1);
        cluster.pod("p1", "node-a").pod("p2", "node-a").pod("p3", "node-a").pass(10);
        assertThat(cluster.condition("Satisfied")).startsWith("True LimitsKept");
        cluster.pass(1);
        assertThat(cluster.condition("Satisfied")).isEqualTo("False CapExceeded 2026-11-24T10:00:02Z");
        assertThat(cluster.message("Satisfied")).isEqualTo("maxPods 2 over " + ZONE + ": a has 3");
        assertThat(cluster.gauge("evenkeel_policy_violated"))
                .containsExactly("[PlacementPolicy, maxPods, web, shop, " + ZONE + "] 1");
        cluster.pass(100);
        assertThat(cluster.events()).containsExactly("Warning PolicyViolated of PlacementPolicy web");

        cluster.handOver().pass(30);
        assertThat(cluster.condition("Satisfied")).isEqualTo("False CapExceeded 2026-11-24T10:00:02Z");
        assertThat(cluster.events()).hasSize(1);

        cluster.gone("p3").pass(20);
        assertThat(cluster.condition("Satisfied")).startsWith("True LimitsKept 2026-11-24T10:02:");
        assertThat(cluster.events())
                .containsExactly(
                        "Warning PolicyViolated of PlacementPolicy web",
                        "Normal PolicySatisfied of PlacementPolicy web");
        assertThat(cluster.gauge("evenkeel_policy_violated")).isEmpty();
    }

    @Test
    void whatComesAndGoesIsNoNews() {
        cluster.nodes("a", "b")
                .policy(1, CAP)
                .pod("p1", "node-a")
                .pod("p2", "node-a")
                .pass(1);
        for (int i = 0; i < 10; i++) {
            cluster.pod("p3", "node-a").pass(9).gone("p3").pass(3);
        }

        assertThat(cluster.condition("Satisfied")).isEqualTo("True LimitsKept 2026-11-24T10:00:01Z");
        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void whatCannotBeSatisfiedIsToldOnce() {
        cluster.nodes("a", "b").policy(1, CAP).pass(1);
        for (int i = 0; i < 5; i++) {
            cluster.put(PodBuilder.pod("shop", "p" + i).label("app", "web").build());
        }
        cluster.pass(100);

        assertThat(cluster.condition("Satisfiable")).isEqualTo("False CapTooSmall 2026-11-24T10:00:02Z");
        assertThat(cluster.message("Satisfiable"))
                .isEqualTo("maxPods 2 over " + ZONE + ": room for 4 of 5 pods in 2 domains");
        assertThat(cluster.gauge("evenkeel_policy_unsatisfiable"))
                .containsExactly("[PlacementPolicy, web, shop, CapTooSmall] 1");
        cluster.nodes("c").pass(20);
        assertThat(cluster.events())
                .containsExactly(
                        "Warning PolicyUnsatisfiable of PlacementPolicy web",
                        "Normal PolicySatisfiable of PlacementPolicy web");
    }

    @Test
    void aFaultIsToldAtOnceWithItsField() {
        cluster.nodes("a")
                .policy(1, CAP.using(List.of("a", "b", "c")).withMaxDomains(2))
                .pass(1);

        assertThat(cluster.condition("Accepted")).isEqualTo("False InvalidSpec 2026-11-24T10:00:01Z");
        assertThat(cluster.message("Accepted"))
                .isEqualTo("spec.rules[0].mustUse: has 3 domains, maxDomains is 2; its pods wait");
        assertThat(cluster.condition("Satisfied")).startsWith("Unknown InvalidSpec");
        cluster.policy(2, CAP).pass(1);
        assertThat(cluster.status().observedGeneration()).isEqualTo(2);
        assertThat(cluster.condition("Accepted")).startsWith("True Valid");
        assertThat(cluster.events())
                .containsExactly(
                        "Warning PolicyInvalid of PlacementPolicy web", "Normal PolicyAccepted of PlacementPolicy web");
    }

    @Test
    void whatTheServerDoesNotTakeIsSentAgainAfterAWhile() {
        cluster.nodes("a").policy(1, CAP).accepting(false).pass(60);
        assertThat(cluster.writes()).isEqualTo(1);
        cluster.pass(60);
        assertThat(cluster.writes()).isEqualTo(2);
        cluster.accepting(true).pass(300);
        assertThat(cluster.writes()).isEqualTo(3);
    }

    @Test
    void whoDoesNotLeadSaysNothing() {
        cluster.leading(false)
                .nodes("a")
                .pod("p1", "node-a")
                .policy(1, CAP.weighing(List.of(new DomainWeight("b", 1))));
        cluster.pass(100);
        assertThat(cluster.writes()).isZero();
        assertThat(cluster.events()).isEmpty();
        cluster.leading(true).pass(12);
        assertThat(cluster.condition("Satisfied")).startsWith("False SharesOff");
        assertThat(cluster.message("Satisfied")).isEqualTo("weights over " + ZONE + ": a 1 without a weight");
    }

    @Test
    void whereNoProfileKeepsPoliciesNobodyLooks() {
        assertThat(PolicyObserver.of(WatchedScheduler.WITH_POLICIES)).isPresent();
        assertThat(PolicyObserver.of(SchedulerConfiguration.defaults())).isEmpty();
    }

    /** A metric may have each series once. */
    @Test
    void twoRulesOverOneLabelAreOneSeries() {
        PolicedCluster cluster = new PolicedCluster();
        cluster.nodes("a", "b")
                .policy(
                        1,
                        PolicyRule.over(PolicedCluster.ZONE).withMaxPods(1),
                        PolicyRule.over(PolicedCluster.ZONE).withMaxPods(2).withMaxSkew(1))
                .pod("p1", "node-a")
                .pod("p2", "node-a")
                .pod("p3", "node-a")
                .pass(20);
        assertThat(cluster.gauge("evenkeel_policy_skew"))
                .hasSize(1)
                .first()
                .asString()
                .endsWith("3");
        assertThat(cluster.gauge("evenkeel_policy_violated")).hasSize(2).doesNotHaveDuplicates();
    }

    /** The longest list of domains is one of fifty. */
    @Test
    void ofManyDomainsTheFullestAreNamedAndTheOthersCounted() {
        for (int zone = 10; zone < 63; zone++) {
            cluster.nodes("z" + zone);
        }
        cluster.pod("p1", "node-z62").policy(1, CAP).pass(1);
        RuleStatus rule = cluster.status().rules().getFirst();
        assertThat(rule.domains()).hasSize(50).first().isEqualTo(new DomainPods("z62", 1));
        assertThat(rule.moreDomains()).isEqualTo(3);
    }

    @Test
    void aStatusThatDoesNotComeBackIsLogged() {
        try (LogLines log = new LogLines(StatusWrites.class)) {
            cluster.nodes("a").policy(1, CAP).accepting(false).pass(60);
            assertThat(log.lines()).isEmpty();
            cluster.pass(1);
            assertThat(log.lines())
                    .singleElement()
                    .asString()
                    .startsWith("WARN Policy status is not as it was written, writing it again"
                            + " [kind=\"PlacementPolicy\", policy=\"shop/web\"");
        }
    }

    @Test
    void whatTurnsIsLogged() {
        try (LogLines log = new LogLines(PolicyNews.class)) {
            cluster.nodes("a", "b").policy(1, CAP).pass(1);
            cluster.pod("p1", "node-a").pod("p2", "node-a").pod("p3", "node-a").pass(20);
            cluster.gone("p3").pass(20);
            assertThat(log.lines())
                    .hasSize(2)
                    .satisfies(
                            line -> assertThat(line).startsWith("WARN Policy condition has become false"), atIndex(0))
                    .satisfies(line -> assertThat(line).startsWith("INFO Policy condition is true again"), atIndex(1));
        }
    }

    /** Seventeen are about the pod: the last one by name says so of it. */
    @Test
    void aPolicyThatIsLeftOutSaysOfWhichPod() {
        cluster.nodes("a").policy(1, CAP).pass(1);
        for (int i = 0; i < 16; i++) {
            cluster.put(new PlacementPolicy(
                    ObjectMeta.named("shop", "first" + i),
                    PolicySpec.of(LabelSelector.EVERYTHING, List.of(CAP.withMaxPods(50)))));
        }
        cluster.scheduled(PodBuilder.pod("shop", "p1").label("app", "web").build())
                .pass(5);
        assertThat(cluster.condition("Accepted")).startsWith("False TooManyPolicies ");
        assertThat(cluster.message("Accepted"))
                .isEqualTo("16 policies hold for a pod at most, and for shop/p1 others come first:"
                        + " those of the cluster, then by name");
    }
}
