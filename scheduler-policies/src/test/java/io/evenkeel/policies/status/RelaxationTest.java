package io.evenkeel.policies.status;

import static io.evenkeel.policies.status.PolicedCluster.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OneProfile;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Pods in zones a and b, and one that waits for zone c. */
class RelaxationTest {
    private static final PolicyRule RULE = PolicyRule.over(ZONE).withMaxSkew(1).on(RuleTerms.STRICT.relaxedAfter(60));

    private final PolicedCluster cluster = new PolicedCluster();

    private void relaxForWantOfRoom() {
        cluster.put(node("a", "8"), node("b", "8"), node("c", "0")).policy(1, RULE);
        cluster.put(pod("p1", "node-a"), pod("p2", "node-b"), pod("p3", "")).pass(60);
        assertThat(cluster.status().relaxed()).isEmpty();
        cluster.pass(1);
    }

    @Test
    void aDomainWithoutRoomIsRelaxedOnceItHasKeptPodsWaitingForSoLong() {
        relaxForWantOfRoom();
        assertThat(cluster.status().relaxed())
                .containsExactly(new RelaxedDomain(ZONE, "c", "NoRoom", "2026-11-24T10:00:01Z"));
        assertThat(cluster.events()).containsExactly("Warning PolicyRelaxed of PlacementPolicy web");

        assertThat(cluster.condition("Strict")).startsWith("False Relaxed ");
        assertThat(cluster.message("Strict")).isEqualTo("its pods need not wait for c of " + ZONE + " (NoRoom)");
        assertThat(cluster.gauge("evenkeel_policy_relaxed_domains")).containsExactly("[PlacementPolicy, web, shop] 1");

        cluster.pass(600).handOver().pass(600);
        assertThat(cluster.events()).hasSize(1);
        assertThat(cluster.status().relaxed()).hasSize(1);
    }

    @Test
    void itIsStrictAgainOnceANodeThereWouldTakeOneForAsLong() {
        relaxForWantOfRoom();
        cluster.pass(1_200);
        cluster.put(pod("p3", "node-a")).pass(100);
        for (int flap = 0; flap < 5; flap++) {
            cluster.put(node("c", "8")).pass(50).put(node("c", "0")).pass(5);
        }
        assertThat(cluster.events()).as("a node that flaps").hasSize(1);

        cluster.put(node("c", "8")).pass(61);
        assertThat(cluster.status().relaxed()).isEmpty();
        assertThat(cluster.condition("Strict")).startsWith("True NotRelaxed ");
        assertThat(cluster.events()).hasSize(2).last().isEqualTo("Normal PolicyStrict of PlacementPolicy web");
    }

    @Test
    void whoFitsNowhereKeepsNoDomainRelaxed() {
        relaxForWantOfRoom();
        cluster.put(
                pod("p3", "node-a"),
                PodBuilder.from(pod("too-big", ""))
                        .label("size", "big")
                        .container("cpu", "100")
                        .build());
        cluster.pass(100);
        assertThat(cluster.status().relaxed()).as("c has no room yet").hasSize(1);

        cluster.put(node("c", "8")).pass(61);
        assertThat(cluster.status().relaxed()).isEmpty();
    }

    /** Of two kinds of pods that wait, one finds room in c again. */
    @Test
    void aDomainThatTakesOneOfThePodsIsWaitedForAgain() {
        relaxForWantOfRoom();
        cluster.put(
                pod("p3", "node-a"),
                PodBuilder.from(pod("large", ""))
                        .label("size", "l")
                        .container("cpu", "4")
                        .build());
        cluster.put(node("c", "1")).pass(30);
        cluster.put(pod("large", "node-b"), pod("p4", ""));
        cluster.pass(61);

        assertThat(cluster.status().relaxed()).isEmpty();
    }

    /** Of many kinds of pods, those that wait for something else are looked at first by the new leader. */
    @Test
    void anotherLeaderGoesOnWithWhatIsRelaxed() {
        relaxForWantOfRoom();
        cluster.pass(1_200);
        for (int i = 0; i < 30; i++) {
            cluster.put(PodBuilder.from(pod("other-" + i, ""))
                    .label("revision", "r" + i)
                    .nodeSelector(ZONE, "a")
                    .container("cpu", "100")
                    .build());
        }
        cluster.handOver().pass(30);

        assertThat(cluster.status().relaxed()).hasSize(1);
        assertThat(cluster.events()).hasSize(1);
    }

    /** As a StatefulSet makes it anew, with less to ask for. */
    @Test
    void aPodOfTheSameNameIsLookedAtAnew() {
        cluster.put(node("a", "8"), node("b", "8"), node("c", "1")).policy(1, RULE);
        Pod large = PodBuilder.from(pod("p3", "")).container("cpu", "4").build();
        cluster.put(pod("p1", "node-a"), pod("p2", "node-b"), large).pass(30);
        cluster.put(pod("p3", "")).pass(200);

        assertThat(cluster.status().relaxed()).isEmpty();
    }

    @Test
    void aNodeThatFlapsIsWaitedFor() {
        cluster.put(node("a", "8"), node("b", "8")).policy(1, RULE);
        cluster.put(pod("p1", "node-a"), pod("p2", "node-b"), pod("p3", ""));
        for (int flap = 0; flap < 5; flap++) {
            cluster.put(node("c", "8")).pass(5).put(node("c", "0")).pass(50);
        }

        assertThat(cluster.status().relaxed()).isEmpty();
        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void whereNoDomainTakesThePodItIsNotTheRuleThatKeepsItWaiting() {
        cluster.put(node("a", "0"), node("b", "0"), node("c", "0")).policy(1, RULE);
        cluster.put(pod("p1", "node-a"), pod("p2", "node-b"), pod("p3", "")).pass(200);

        assertThat(cluster.status().relaxed()).isEmpty();
    }

    /** Of zones that are not known, one without a node that the pod tolerates counts for nobody. */
    @Test
    void knownDomainsAreRelaxedWhereTheyAreTaintedOrHaveNoNodes() {
        Node tainted = NodeBuilder.from(node("c", "8"))
                .taint("outage", "", TaintEffect.NO_SCHEDULE)
                .build();
        cluster.put(node("a", "8"), node("b", "8"), tainted)
                .policy(1, RULE.on(RULE.terms().knowing(List.of("a", "b", "c", "d"))));
        cluster.put(pod("p1", "node-a"), pod("p2", "node-b"), pod("p3", "")).pass(61);

        assertThat(cluster.status().relaxed())
                .extracting(domain -> domain.domain() + " " + domain.reason())
                .containsExactly("c Tainted", "d NoNodes");
    }

    @Test
    void withoutPodsNothingIsRelaxed() {
        relaxForWantOfRoom();
        cluster.pass(1_200);
        cluster.gone("p1").gone("p2").gone("p3").pass(7);

        assertThat(cluster.status().relaxed()).isEmpty();
        assertThat(cluster.events()).last().isEqualTo("Normal PolicyStrict of PlacementPolicy web");
    }

    /** Thirty workloads wait for something else: nodes of their own, which there are not. */
    @Test
    void whatOnePodOfManyKindsWaitsForIsSeen() {
        cluster.put(node("a", "8"), node("b", "8"), node("c", "0")).policy(1, RULE);
        for (int i = 0; i < 30; i++) {
            cluster.put(PodBuilder.from(pod("other-" + i, ""))
                    .label("revision", "r" + i)
                    .nodeSelector("pool", "none")
                    .build());
        }
        cluster.put(pod("p1", "node-a"), pod("p2", "node-b"), pod("p3", "")).pass(75);

        assertThat(cluster.status().relaxed())
                .extracting(domain -> domain.domain() + " " + domain.reason())
                .containsExactly("c NoRoom");
        cluster.pass(600);
        assertThat(cluster.events()).as("no flapping").hasSize(1);
    }

    /** What it would say of the pod nobody knows, and it is none of the policy's business. */
    @Test
    void aPluginThatFailsAtAPodEndsNothing() {
        SchedulerConfiguration configuration = OneProfile.with("PlacementPolicy", "Failing");
        PluginFactory failing = PluginFactory.of("Failing", PreFilterPlugin.class, _ -> new Failing());
        PolicedCluster disturbed = new PolicedCluster(
                new WatchedScheduler(configuration, InTreePlugins.registry().with(List.of(failing))));
        disturbed.put(node("a", "8"), node("b", "8"), node("c", "0")).policy(1, RULE);
        disturbed.put(pod("p1", "node-a"), pod("p2", "node-b"), pod("p3", "")).pass(75);

        assertThat(disturbed.status().relaxed()).isEmpty();
        assertThat(disturbed.condition("Accepted")).startsWith("True");
    }

    private static final class Failing implements PreFilterPlugin {
        @Override
        public String name() {
            return "Failing";
        }

        @Override
        public PreFilterResult preFilter(CycleState state, PendingPod pod) {
            throw new IllegalStateException("on purpose");
        }
    }

    private static Node node(String zone, String cpu) {
        return NodeBuilder.node("node-" + zone)
                .zone(zone)
                .allocatable("cpu", cpu, "pods", "110")
                .build();
    }

    private static Pod pod(String name, String node) {
        return PodBuilder.pod("shop", name)
                .label("app", "web")
                .container("cpu", "100m")
                .nodeName(node)
                .build();
    }
}
