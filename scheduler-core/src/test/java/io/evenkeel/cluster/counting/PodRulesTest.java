package io.evenkeel.cluster.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.shape.AffinityRules;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** {@link SpreadRules} and {@link NamespaceScope}: what a pod's rules mean once its own labels and namespace are known. */
class PodRulesTest {
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));

    private static Pod pod(LabelSelector selector, String... matchLabelKeys) {
        TopologySpreadConstraint base =
                TopologySpreadConstraint.of(1, "zone", WhenUnsatisfiable.DO_NOT_SCHEDULE, selector);
        return PodBuilder.pod("p")
                .labels(Labels.of("app", "web", "revision", "7", "pod-name", "p-0"))
                .spread(new TopologySpreadConstraint(
                        base.maxSkew(),
                        base.topologyKey(),
                        base.whenUnsatisfiable(),
                        base.labelSelector(),
                        base.minDomains(),
                        base.nodeAffinityPolicy(),
                        base.nodeTaintsPolicy(),
                        List.of(matchLabelKeys)))
                .build();
    }

    private static LabelSelector resolved(Pod pod) {
        TopologySpreadConstraint constraint =
                SpreadRules.of(pod, FeatureGates.DEFAULTS).constraints().getFirst();
        assertThat(constraint.matchLabelKeys()).isEmpty();
        return constraint.labelSelector();
    }

    @Test
    void matchLabelKeysRequireThePodsOwnValues() {
        assertThat(resolved(pod(WEB, "revision")))
                .isEqualTo(LabelSelector.matchingLabels(Labels.of("app", "web", "revision", "7")));
    }

    @Test
    void aKeyThatThePodLacksIsLeftOut() {
        assertThat(resolved(pod(WEB, "absent"))).isEqualTo(WEB);
    }

    @Test
    void anApiServerThatHasMergedTheKeysAlreadyChangesNothing() {
        LabelSelector merged = LabelSelector.matchingLabels(Labels.of("app", "web", "revision", "7"));

        assertThat(resolved(pod(merged, "revision"))).isEqualTo(merged);
    }

    @Test
    void whereTheGateIsOffTheKeysCountForNothing() {
        FeatureGates off = FeatureGates.with(Map.of(
                "MatchLabelKeysInPodTopologySpread", false, "MatchLabelKeysInPodTopologySpreadSelectorMerge", false));

        assertThat(SpreadRules.of(pod(WEB, "revision"), off).constraints())
                .extracting(TopologySpreadConstraint::labelSelector)
                .containsExactly(WEB);
        assertThat(SpreadRules.of(pod(WEB, "revision"), off)).isEqualTo(SpreadRules.of(pod(WEB), off));
    }

    @Test
    void anAbsentSelectorStillMatchesNothing() {
        assertThat(resolved(pod(LabelSelector.NOTHING, "revision"))).isEqualTo(LabelSelector.NOTHING);
    }

    @Test
    void podsOfOneRevisionHaveEqualRulesWhateverTheirNames() {
        Pod other =
                PodBuilder.from(pod(WEB, "revision")).label("pod-name", "p-1").build();
        Pod newer = PodBuilder.from(other).label("revision", "8").build();

        assertThat(SpreadRules.of(other, FeatureGates.DEFAULTS))
                .isEqualTo(SpreadRules.of(pod(WEB, "revision"), FeatureGates.DEFAULTS));
        assertThat(SpreadRules.of(newer, FeatureGates.DEFAULTS))
                .isNotEqualTo(SpreadRules.of(other, FeatureGates.DEFAULTS));
    }

    @Test
    void podsWithoutRulesHaveTheSameInEveryNamespace() {
        assertThat(SpreadRules.of(PodBuilder.pod("x", "p").build(), FeatureGates.DEFAULTS))
                .isEqualTo(SpreadRules.of(PodBuilder.pod("y", "p").build(), FeatureGates.DEFAULTS));
        assertThat(AffinityRules.of(PodBuilder.pod("x", "p").build())).isEqualTo(AffinityRules.NONE);
    }

    private static NamespaceScope scope(LabelSelector selector, String... names) {
        return NamespaceScope.of(new PodAffinityTerm(WEB, "zone", List.of(names), selector), "own");
    }

    @Test
    void aTermThatNamesNoNamespaceMeansItsOwn() {
        assertThat(scope(LabelSelector.NOTHING)).isEqualTo(NamespaceScope.only("own"));
        assertThat(scope(LabelSelector.NOTHING, "x").names()).containsExactly("x");
        assertThat(scope(LabelSelector.EVERYTHING).names()).isEmpty();
    }

    @Test
    void namesAreASet() {
        assertThat(scope(LabelSelector.NOTHING, "b", "a", "b")).isEqualTo(scope(LabelSelector.NOTHING, "a", "b"));
    }

    @Test
    void namesAndSelectedNamespacesAddUp() {
        Namespaces.Writer writer = Namespaces.create();
        Namespaces known = writer.namespaces();
        writer.objectChanged(
                Optional.empty(),
                Optional.of(new Namespace(ObjectMeta.named("", "production").withLabels(Labels.of("env", "prod")))));
        NamespaceScope scope = scope(LabelSelector.matchingLabels(Labels.of("env", "prod")), "x");

        assertThat(scope.includes("x", known)).isTrue();
        assertThat(scope.includes("production", known)).isTrue();
        assertThat(scope.includes("own", known)).isFalse();
        assertThat(scope.dependsOnLabels()).isTrue();
    }

    @Test
    void aNamespaceThatNobodyKnowsHasNoLabelsForTermsInPlaceAndIsNotThereForNewcomers() {
        Namespaces known = Namespaces.create().namespaces();
        NamespaceScope notProduction = scope(LabelSelector.of(
                List.of(new LabelRequirement("env", LabelRequirement.Operator.NOT_IN, List.of("prod")))));

        assertThat(notProduction.includesNewcomerOf("unknown", known)).isTrue();
        assertThat(notProduction.includes("unknown", known)).isFalse();
        assertThat(scope(LabelSelector.EVERYTHING).includes("unknown", known)).isTrue();
        assertThat(scope(LabelSelector.EVERYTHING).dependsOnLabels()).isFalse();
    }
}
