package io.evenkeel.config;

import static io.evenkeel.config.FeatureGates.Feature.MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD;
import static io.evenkeel.config.FeatureGates.Feature.TAINT_TOLERATION_COMPARISON_OPERATORS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.config.FeatureGates.KnownGates;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate.Effect;
import io.evenkeel.config.FeatureGates.KnownGates.FeatureGate.Stage;
import io.evenkeel.problem.ConfigurationException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class FeatureGatesTest {

    @Test
    void withoutAnySetTheyAreAsTheReferencesAre() {
        assertThat(FeatureGates.DEFAULTS.isOn(TAINT_TOLERATION_COMPARISON_OPERATORS))
                .isFalse();
        assertThat(FeatureGates.DEFAULTS.isOn(MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD))
                .isTrue();
        assertThat(KnownGates.of(CompatibilityLevel.V1_36).all())
                .hasSize(241)
                .allMatch(gate -> FeatureGates.DEFAULTS.isOn(gate) == gate.onByDefault());
    }

    @Test
    void anotherLevelHasOtherDefaultsAndDifferences() {
        FeatureGates first = with("TaintTolerationComparisonOperators=true");
        FeatureGates next = first.at(CompatibilityLevel.V1_37);

        assertThat(next.set()).isEqualTo(first.set());
        assertThat(next).isNotEqualTo(first).isEqualTo(next.and(Map.of()));
        assertThat(first.has(Difference.IMAGE_VOLUMES_COUNT)).isFalse();
        assertThat(next.has(Difference.IMAGE_VOLUMES_COUNT)).isTrue();
        assertThat(next.at(CompatibilityLevel.V1_38).has(Difference.IMAGE_VOLUMES_COUNT))
                .isTrue();
    }

    @Test
    void aGateIsAsItIsSet() {
        FeatureGates gates = with("TaintTolerationComparisonOperators=true");

        assertThat(gates.isOn(TAINT_TOLERATION_COMPARISON_OPERATORS)).isTrue();
        assertThat(gates.isOn(MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD)).isTrue();
    }

    @Test
    void allOfAStageAreSetButThoseThatAreSetThemselves() {
        FeatureGates noBeta = with("AllBeta=false,NodeDeclaredFeatures=true,PodLevelResources=true,"
                + "InPlacePodLevelResourcesVerticalScaling=true,ComponentFlagz=true");

        assertThat(noBeta.isOn(MATCH_LABEL_KEYS_IN_POD_TOPOLOGY_SPREAD)).isFalse();
        assertThat(noBeta.isOn(noBeta.known().find("ComponentFlagz").orElseThrow()))
                .isTrue();
        assertThat(noBeta.isOn(noBeta.known().find("SchedulerQueueingHints").orElseThrow()))
                .as("a feature that is GA")
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TaintTolerationOperators=true|unrecognized feature gate: TaintTolerationOperators",
                "SchedulerQueueingHint=true|unrecognized feature gate: SchedulerQueueingHint; did you mean"
                        + " \"SchedulerQueueingHints\"?",
                "SchedulerQueueingHints=false|cannot set feature gate SchedulerQueueingHints to false, feature is"
                        + " locked to true",
                "GitRepoVolumeDriver=true|cannot set feature gate GitRepoVolumeDriver to true, feature is locked to"
                        + " false",
                "MatchLabelKeysInPodTopologySpread=false|MatchLabelKeysInPodTopologySpreadSelectorMerge is enabled, but"
                        + " depends on features that are disabled: [MatchLabelKeysInPodTopologySpread]",
                "CoordinatedLeaderElection=true|CoordinatedLeaderElection=true is not supported: replicas agree on a"
                        + " leader by the Lease alone",
                "GenericWorkload=true|GenericWorkload=true is not supported: enable the plugin GangScheduling in a"
                        + " profile instead",
                "AllAlpha=true|AllAlpha=true stands for gates that are not supported; add"
                        + " DRAListTypeAttributes=false,DRANodeAllocatableResources=false,DRAWorkloadResourceClaims=false,"
                        + "GangScheduling=false,GenericWorkload=false,TopologyAwareWorkloadScheduling=false,"
                        + "WorkloadAwarePreemption=false,WorkloadWithJob=false",
            })
    void whatCannotBeIsRefused(String settings, String message) {
        ConfigurationException refusal = catchThrowableOfType(ConfigurationException.class, () -> with(settings));

        assertThat(refusal).isNotNull();
        assertThat(refusal.errors()).containsExactly(message);
    }

    @Test
    void theRemedyForAllAlphaIsTaken() {
        FeatureGates gates = with("AllAlpha=true,DRAListTypeAttributes=false,"
                + "DRANodeAllocatableResources=false,DRAWorkloadResourceClaims=false,GangScheduling=false,"
                + "GenericWorkload=false,TopologyAwareWorkloadScheduling=false,"
                + "WorkloadAwarePreemption=false,WorkloadWithJob=false");

        assertThat(gates.isOn(TAINT_TOLERATION_COMPARISON_OPERATORS)).isTrue();
    }

    @Test
    void whatHasNoEffectIsNamedUnlessItIsTheDefault() {
        assertThat(with("MemoryQoS=true,HPAScaleToZero=false,TaintTolerationComparisonOperators=true")
                        .withoutEffect())
                .containsExactly("MemoryQoS");
    }

    @ParameterizedTest
    @EnumSource
    void theTableIsWhole(CompatibilityLevel level) {
        assertThat(KnownGates.of(level).all()).allSatisfy(gate -> {
            assertThat(KnownGates.of(level).names()).containsAll(gate.requires());
            assertThat(gate.why().isEmpty()).isEqualTo(gate.effect() != Effect.DEFAULT_ONLY);
            assertThat(gate.stage() == Stage.ALPHA && gate.onByDefault()).isFalse();
        });
        assertThat(KnownGates.of(level).all().stream()
                        .filter(gate -> gate.effect() == Effect.HONOURED)
                        .map(FeatureGate::name))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(Feature.values())
                        .map(Feature::apiName)
                        .filter(KnownGates.of(level).names()::contains)
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void eachFeatureIsAGateOfTheNewestLevel(Feature feature) {
        assertThat(KnownGates.of(CompatibilityLevel.V1_38).names()).contains(feature.apiName());
    }

    private static FeatureGates with(String settings) {
        Map<String, Boolean> set = new TreeMap<>();
        for (String setting : settings.split(",", -1)) {
            String[] parts = setting.split("=", -1);
            set.put(parts[0], Boolean.valueOf(parts[1]));
        }
        return FeatureGates.with(set);
    }
}
