package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.PluginArgs;
import io.evenkeel.config.PluginArgs.CoschedulingArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs.Scope;
import io.evenkeel.config.SchedulerConfiguration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Arguments of the plugins that place groups. */
class GroupArgsTest {
    private final ConfigurationReader reader = new ConfigurationReader();

    @Test
    void aProfileThatEnablesThemHasTheirDefaults() {
        SchedulerConfiguration configuration = read("""
            plugins: {multiPoint: {enabled: [{name: GroupPlacement}, {name: Coscheduling}]}}
            """);

        assertThat(argsOf("GroupPlacement", configuration))
                .isEqualTo(new GroupPlacementArgs(Scope.OWNER, "", OptionalLong.empty()));
        assertThat(argsOf("Coscheduling", configuration)).isEqualTo(CoschedulingArgs.defaults());
        assertThat(argsOf("Coscheduling", configuration).fieldsWithoutEffect()).isEmpty();
        assertThat(SchedulerConfiguration.defaults().profiles().getFirst().pluginArgs())
                .doesNotContainKeys("GroupPlacement", "Coscheduling");
    }

    @Test
    void groupsOfOwnersAndOfLabelsAreRead() {
        assertThat(argsOf("GroupPlacement", with("GroupPlacement", "{scope: Owner, maxSteps: 1}")))
                .isEqualTo(new GroupPlacementArgs(Scope.OWNER, "", OptionalLong.of(1)));
        assertThat(argsOf("GroupPlacement", with("GroupPlacement", "{scope: Label, labelKey: example.com/shard}")))
                .isEqualTo(new GroupPlacementArgs(Scope.LABEL, "example.com/shard", OptionalLong.empty()));
    }

    @Test
    void whatCoschedulingIsGivenIsReadAndHasNoEffect() {
        PluginArgs args = argsOf(
                "Coscheduling",
                with(
                        "Coscheduling",
                        "{apiVersion: kubescheduler.config.k8s.io/v1, kind: CoschedulingArgs,"
                                + " permitWaitingTimeSeconds: 10, podGroupBackoffSeconds: 0,"
                                + " podGroupRejectPercentage: 100}"));

        assertThat(args).isEqualTo(new CoschedulingArgs(OptionalLong.of(10), OptionalLong.of(0), OptionalInt.of(100)));
        assertThat(args.fieldsWithoutEffect())
                .containsExactly("permitWaitingTimeSeconds", "podGroupBackoffSeconds", "podGroupRejectPercentage");
    }

    @Test
    void whatIsWrittenReadsBackAsTheSame() {
        ConfigurationWriter writer = new ConfigurationWriter();
        for (SchedulerConfiguration configuration : List.of(
                with("GroupPlacement", "{}"),
                with("GroupPlacement", "{scope: Label, labelKey: shard, maxSteps: 5000000000}"),
                with("Coscheduling", "{}"),
                with("Coscheduling", "{permitWaitingTimeSeconds: 10}"),
                with("Coscheduling", "{podGroupBackoffSeconds: 7, podGroupRejectPercentage: 20}"))) {
            assertThat(reader.read("written", writer.write(configuration))).isEqualTo(configuration);
            assertThat(reader.read("written", writer.writeJson(configuration))).isEqualTo(configuration);
        }
    }

    private static PluginArgs argsOf(String plugin, SchedulerConfiguration configuration) {
        return configuration.profiles().getFirst().argsOf(plugin).orElseThrow();
    }

    private SchedulerConfiguration with(String plugin, String args) {
        return read("pluginConfig: [{name: %s, args: %s}]".formatted(plugin, args));
    }

    private SchedulerConfiguration read(String profile) {
        return reader.read("cfg.yaml", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - %s
            """.formatted(profile.strip()));
    }
}
