package io.evenkeel.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyTableTest {
    private static final SchedulerConfiguration WITH_POLICIES = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins: {multiPoint: {enabled: [{name: PlacementPolicy}]}}
            """);
    private static final LabelSelector REDIS = LabelSelector.matchingLabels(Labels.of("app", "redis"));
    private static final PolicyRule RULE =
            PolicyRule.over("zone").withMaxPods(2).using(List.of("a", "b"));

    private static PolicyTable of(KubernetesObject... objects) {
        ClusterQuestions copy =
                new ClusterQuestions(WITH_POLICIES, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});
        copy.tell(List.of(objects));
        return new PolicyTable(copy.cluster());
    }

    /** @param conditions such as {@code Satisfied=False} */
    private static PlacementPolicy policy(String namespace, String name, String... conditions) {
        return new PlacementPolicy(
                ObjectMeta.named(namespace, name),
                PolicySpec.of(REDIS, List.of(RULE)),
                new PolicyStatus(
                        1,
                        3,
                        4,
                        List.of(),
                        List.of(),
                        List.of(),
                        Stream.of(conditions)
                                .map(text -> text.split("=", -1))
                                .map(part -> new PolicyCondition(part[0], part[1], 1, "", "", "says " + part[0]))
                                .toList()));
    }

    private static Pod pod(String namespace, String app) {
        return PodBuilder.pod(namespace, app).label("app", app).build();
    }

    private static List<Object> fields(List<Tree> trees, String name) {
        return trees.stream().map(tree -> tree.fields().get(name)).toList();
    }

    /** What is said for cluster autoscalers is no fault. */
    @ParameterizedTest
    @CsvSource({
        "Accepted=True Satisfied=True Satisfiable=True SeenByAutoscaler=False, kept, says Satisfied",
        "Accepted=True Satisfied=True Satisfiable=False, impossible, says Satisfiable",
        "Accepted=True Satisfied=False Satisfiable=False, broken, says Satisfied",
        "Accepted=False Satisfied=Unknown, invalid, says Accepted",
        "Strict=False, unknown, its status says nothing yet",
    })
    void aPolicysStateIsTheWorstThatItsStatusSays(String conditions, String state, String message) {
        List<Tree> trees =
                of(policy("shop", "redis", conditions.split(" ", -1))).trees();

        assertThat(fields(trees, "state")).containsExactly(state);
        assertThat(fields(trees, "message")).containsExactly(message);
    }

    @Test
    void thoseComeFirstThatAreNotKept() {
        PolicyTable table = of(policy("shop", "a", "Satisfied=True"), policy("shop", "b", "Satisfied=False"));

        assertThat(fields(table.trees(), "name")).containsExactly("b", "a");
    }

    @Test
    void limitsAreToldAsThePolicyHasThem() {
        assertThat(of(policy("shop", "redis")).trees().getFirst().json())
                .contains("\"limits\":[\"maxPods 2\",\"mustUse a, b\"]", "\"placed\":3,\"waiting\":4");
    }

    @Test
    void aPodHasThePoliciesThatAreAboutIt() {
        ClusterPlacementPolicy wide = new ClusterPlacementPolicy(
                ObjectMeta.named("", "all"),
                PolicySpec.of(LabelSelector.EVERYTHING, List.of(RULE))
                        .over(LabelSelector.matchingLabels(Labels.of("team", "shop"))));
        PolicyTable table = of(
                new Namespace(ObjectMeta.named("", "shop").withLabels(Labels.of("team", "shop"))),
                policy("shop", "redis"),
                policy("other", "redis"),
                wide);

        assertThat(fields(table.of(pod("shop", "redis")), "name")).containsExactly("all", "redis");
        assertThat(fields(table.of(pod("shop", "web")), "name")).containsExactly("all");
        assertThat(fields(table.of(pod("other", "redis")), "namespace")).containsExactly("other");
    }
}
