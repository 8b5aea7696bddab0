package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.framework.why.Account;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.PluginHarness;
import java.util.List;
import org.junit.jupiter.api.Test;

class PolicyAnswersTest {
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));
    private static final LabelSelector TEAM = LabelSelector.matchingLabels(Labels.of("team", "blue"));
    private static final List<PolicyRule> RULES =
            List.of(PolicyRule.over("zone").withMaxPods(1));

    private final PluginHarness harness = PluginHarness.cluster();
    private final ClusterState cluster = harness.state();
    private final PlacementPolicyPlugin plugin = new PlacementPolicyPlugin(harness.context());

    /** The owner of a pod may have written none of them. */
    @Test
    void eachPolicyIsNamedWithThePodsThatItIsAbout() {
        cluster.put(new Namespace(ObjectMeta.named("", "shop").withLabels(Labels.of("team", "blue"))));
        cluster.put(new PlacementPolicy(ObjectMeta.named("shop", "own"), PolicySpec.of(WEB, RULES)));
        cluster.put(new PlacementPolicy(
                ObjectMeta.named("shop", "wide"),
                PolicySpec.of(LabelSelector.EVERYTHING, RULES).over(TEAM)));
        cluster.put(new ClusterPlacementPolicy(
                ObjectMeta.named("", "default"), PolicySpec.of(WEB, RULES).over(TEAM)));
        cluster.put(new ClusterPlacementPolicy(
                ObjectMeta.named("", "others"), PolicySpec.of(WEB, RULES).over(LabelSelector.NOTHING)));

        assertThat(plugin.accounts(cluster.admit(
                        PodBuilder.pod("shop", "web").label("app", "web").build())))
                .extracting(account -> ((Account.Words) account).text())
                .filteredOn(text -> text.contains(" is about "))
                .containsExactly(
                        "PlacementPolicy own is about pods with app=web of namespace shop",
                        "PlacementPolicy wide is about all pods of namespace shop, and counts those of namespaces with"
                                + " team=blue",
                        "ClusterPlacementPolicy default is about pods with app=web of namespaces with team=blue, which"
                                + " count together");
    }
}
