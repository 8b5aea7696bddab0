package io.evenkeel.policies.status;

import static io.evenkeel.policies.status.PolicedCluster.ZONE;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Node;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.testing.LogLines;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DomainMemoryTest {
    private static final PolicyRule RULE = PolicyRule.over(ZONE).withMaxSkew(1).on(RuleTerms.STRICT.remembering(3_600));
    private static final Node NODE_OF_C = node("c");

    private final PolicedCluster cluster = new PolicedCluster();

    DomainMemoryTest() {
        cluster.put(node("a"), node("b"), NODE_OF_C)
                .policy(1, RULE)
                .pod("p1", "node-a")
                .pass(1);
    }

    private static Node node(String zone) {
        return NodeBuilder.node("node-" + zone).zone(zone).build();
    }

    private List<String> remembered() {
        return cluster.status().remembered().stream()
                .map(one -> one.domain() + " " + one.goneSince())
                .toList();
    }

    @Test
    void aDomainIsRememberedAfterItsLastNodeAndForgottenOnce() {
        assertThat(remembered()).containsExactly("a ", "b ", "c ");
        cluster.pass(9).without(NODE_OF_C).pass(10);
        assertThat(remembered()).containsExactly("a ", "b ", "c 2026-11-24T10:00:11Z");

        cluster.handOver().pass(3_590);
        assertThat(remembered()).hasSize(3);
        assertThat(cluster.events()).isEmpty();
        cluster.pass(1);
        assertThat(remembered()).containsExactly("a ", "b ");
        cluster.pass(100);
        assertThat(cluster.events()).containsExactly("Normal PolicyDomainForgotten of PlacementPolicy web");
        assertThat(cluster.writes()).as("first, gone, forgotten").isEqualTo(3);
    }

    @Test
    void aNodeThatComesBackStartsItAnew() {
        cluster.without(NODE_OF_C).pass(3_000).put(NODE_OF_C).pass(1_000);
        assertThat(remembered()).containsExactly("a ", "b ", "c ");
        cluster.without(NODE_OF_C).pass(3_000);
        assertThat(remembered()).hasSize(3);
        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void aNodeThatNoPodOfThePolicyMayUseIsNone() {
        Node tainted = NodeBuilder.from(NODE_OF_C)
                .taint("outage", "", TaintEffect.NO_SCHEDULE)
                .build();
        cluster.put(
                        tainted,
                        NodeBuilder.from(node("d"))
                                .taint("gpu", "", TaintEffect.NO_SCHEDULE)
                                .build())
                .pass(1);
        assertThat(remembered()).containsExactly("a ", "b ", "c 2026-11-24T10:00:02Z");
    }

    @Test
    void withoutPodsNothingIsLearnedAndWhatIsGoneIsForgotten() {
        cluster.without(NODE_OF_C).pass(10).gone("p1").put(node("e")).pass(10);
        assertThat(remembered()).containsExactly("a ", "b ", "c 2026-11-24T10:00:02Z");
        cluster.pass(3_600);
        assertThat(remembered()).containsExactly("a ", "b ");
    }

    @Test
    void aRuleThatRemembersNoMoreSaysNothing() {
        cluster.without(NODE_OF_C).pass(10).policy(2, RULE.on(RuleTerms.STRICT)).pass(10);
        assertThat(cluster.status().remembered()).isEmpty();
        assertThat(cluster.events()).isEmpty();
    }

    @Test
    void soManyAreRememberedAndNoMore() {
        for (int zone = 100; zone < 300; zone++) {
            cluster.put(node("z" + zone));
        }
        cluster.pass(10);
        assertThat(cluster.status().remembered()).hasSize(PolicyStatus.MOST_DOMAINS);
    }

    /** Once more than can be remembered are open, and again only if it was fewer between. */
    @Test
    void thatSomeAreNotRememberedIsLoggedOnce() {
        try (LogLines log = new LogLines(PolicyNews.class)) {
            for (int zone = 100; zone < 197; zone++) {
                cluster.put(node("z" + zone));
            }
            cluster.pass(5);
            assertThat(cluster.status().remembered()).hasSize(PolicyStatus.MOST_DOMAINS);
            assertThat(log.lines()).isEmpty();
            for (int i = 0; i < 3; i++) {
                cluster.put(node("z20" + i)).pass(5);
            }
            assertThat(log.lines())
                    .containsExactly("WARN Policy does not remember all domains"
                            + " [kind=\"PlacementPolicy\", policy=\"shop/web\", most=\"100\"]");
            assertThat(remembered()).doesNotContain("z200 ", "z201 ", "z202 ");
        }
    }

    @ParameterizedTest
    @CsvSource({"60, 600", "600, 60"})
    void ofTwoRulesOverALabelTheOneThatRemembersLongerDecides(int first, int second) {
        cluster.policy(2, RULE.on(RuleTerms.STRICT.remembering(first)), RULE.on(RuleTerms.STRICT.remembering(second)))
                .pass(1)
                .without(NODE_OF_C)
                .pass(600);
        assertThat(remembered()).hasSize(3);
        cluster.pass(2);
        assertThat(remembered()).containsExactly("a ", "b ");
    }

    /** Who may write statuses may not have a domain waited for longer than the rule says. */
    @Test
    void timesThatNobodyCanHaveReadAreTakenForNow() {
        cluster.without(NODE_OF_C).pass(10);
        cluster.saying("{'remembered':[{'topologyKey':'" + ZONE + "','domain':'c','goneSince':'9999-01-01T00:00:00Z'},"
                        + "{'topologyKey':'" + ZONE + "','domain':'d','goneSince':'2026-99-99T00:00:00Z'},"
                        + "{'topologyKey':'" + ZONE + "','domain':'e','goneSince':'2026-11-24t10:00:00z'}]}")
                .handOver()
                .pass(3_601);
        assertThat(remembered()).containsExactly("a ", "b ");
    }

    @Test
    void ofAForgedStatusAHundredDomainsAreTold() {
        cluster.saying("{'remembered':["
                        + IntStream.range(0, 10_000)
                                .mapToObj(i -> "{'topologyKey':'" + ZONE + "','domain':'" + i
                                        + "','goneSince':'2020-01-01T00:00:00Z'}")
                                .collect(Collectors.joining(","))
                        + "]}")
                .handOver()
                .pass(10);
        assertThat(cluster.events()).hasSize(PolicyStatus.MOST_DOMAINS);
        assertThat(remembered()).containsExactly("a ", "b ", "c ");
    }
}
