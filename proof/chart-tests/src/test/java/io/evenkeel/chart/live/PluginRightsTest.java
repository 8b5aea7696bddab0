package io.evenkeel.chart.live;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Chart;
import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The chart's rights for volumes and devices are those that the plugins of its configuration need. */
class PluginRightsTest {
    private static final Set<Kind<?>> OF_PLUGINS = Set.of(
            Kinds.PERSISTENT_VOLUME_CLAIM,
            Kinds.PERSISTENT_VOLUME,
            Kinds.STORAGE_CLASS,
            Kinds.CSI_NODE,
            Kinds.CSI_DRIVER,
            Kinds.CSI_STORAGE_CAPACITY,
            Kinds.VOLUME_ATTACHMENT,
            Kinds.DEVICE_CLASS,
            Kinds.RESOURCE_SLICE,
            Kinds.DEVICE_TAINT_RULE,
            Kinds.RESOURCE_CLAIM);
    private static final String NONE = "multiPoint: {disabled: [{name: VolumeRestrictions}, {name: NodeVolumeLimits},"
            + " {name: VolumeBinding}, {name: VolumeZone}, {name: NodeResourcesFit}, {name: DynamicResources}]}";
    private static final String NO_DEFAULTS =
            "multiPoint: {disabled: [{name: '*'}], enabled: [{name: PrioritySort}, {name: DefaultBinder}]}";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "VolumeRestrictions",
                "NodeVolumeLimits",
                "VolumeBinding",
                "VolumeZone",
                "NodeResourcesFit",
                "DynamicResources"
            })
    void eachPluginForVolumesOrDevicesHasWhatItTakes(String plugin) {
        String enabled = "filter: {enabled: [{name: " + plugin + "}]}";

        assertAsNeeded("{schedulerName: a, plugins: {" + NONE + ", " + enabled + "}}");
        assertAsNeeded("{schedulerName: a, plugins: {" + NO_DEFAULTS + ", " + enabled + "}}");
        assertAsNeeded("{schedulerName: a, plugins: {multiPoint: {disabled: [{name: " + plugin + "}]}}}");
    }

    @Test
    void oneProfileThatHasThemIsEnough() {
        String without = "{schedulerName: a, plugins: {" + NONE + "}}";

        assertThat(assertAsNeeded(without)).isEmpty();
        assertThat(assertAsNeeded("{schedulerName: a, plugins: {" + NO_DEFAULTS + "}}"))
                .isEmpty();
        assertThat(assertAsNeeded(without + ", {schedulerName: b}")).hasSize(2 * OF_PLUGINS.size() + 5);
    }

    @Test
    void whereFeatureGatesAreSetTheyMayBeThoseOfAnyLevel() {
        String as136 = "\nemulatedVersion: '1.36'\n";
        String gates = "extraArgs: ['--feature_gates=DRADeviceTaintRules=true']";

        assertThat(given(Chart.render(as136))).isNotEqualTo(given(Chart.render("")));
        assertThat(given(Chart.render(as136 + gates))).isEqualTo(given(Chart.render("")));
    }

    /** The rights on volumes and devices that these profiles have, whatever release the server is of. */
    private static Set<String> assertAsNeeded(String profiles) {
        String config = "config: {profiles: [" + profiles + "]}\n";
        for (CompatibilityLevel level : CompatibilityLevel.values()) {
            assertAsNeeded(Chart.render(config + "emulatedVersion: '" + level + "'"), level);
        }
        // more is read from a level on, and nothing is not read any more
        return assertAsNeeded(Chart.render(config), CompatibilityLevel.V1_38);
    }

    private static Set<String> assertAsNeeded(Manifests rendered, CompatibilityLevel level) {
        Set<String> given = given(rendered);
        assertThat(given)
                .as("%s at %s", rendered.configuration(), level)
                .isEqualTo(needed(rendered.configuration(), level));
        return given;
    }

    private static Set<String> given(Manifests rendered) {
        return Rights.of("kube-system", "evenkeel", rendered.all()).all().stream()
                .filter(right -> OF_PLUGINS.stream()
                        .anyMatch(kind -> right.group().equals(kind.group())
                                && right.resource().equals(kind.plural())))
                .map(right -> right.verb() + " " + right.resource())
                .collect(toSet());
    }

    private static Set<String> needed(String configuration, CompatibilityLevel level) {
        Engine engine = new Engine(
                new ConfigurationReader()
                        .read("config.yaml", configuration).toBuilder()
                                .featureGates(FeatureGates.DEFAULTS.at(level))
                                .build(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.ALWAYS);
        Set<String> rights = new TreeSet<>();
        for (Kind<?> kind : engine.watchedKinds()) {
            if (OF_PLUGINS.contains(kind)) {
                rights.add("list " + kind.plural());
                rights.add("watch " + kind.plural());
            }
        }
        // VolumeBinding alone reads these, and it alone writes
        if (engine.watchedKinds().contains(Kinds.CSI_STORAGE_CAPACITY)) {
            rights.add("patch " + Kinds.PERSISTENT_VOLUME.plural());
            rights.add("patch " + Kinds.PERSISTENT_VOLUME_CLAIM.plural());
        }
        // and DynamicResources these
        if (engine.watchedKinds().contains(Kinds.RESOURCE_CLAIM)) {
            for (String verb : List.of("create", "delete", "patch")) {
                rights.add(verb + " " + Kinds.RESOURCE_CLAIM.plural());
            }
        }
        return rights;
    }
}
