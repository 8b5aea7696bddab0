package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.evenkeel.problem.ConfigurationException;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class RefusalTest {
    private static final String HEAD = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

    @Test
    void anErrorNamesItsPlaceAndItsPath() {
        String text = """
                profiles:
                  - plugins:
                      score:
                        enabled:
                          - name: NodeAffinity
                            weight: two
                """;
        assertThat(errors(text))
                .containsExactly("cfg.yaml:8:21: profiles[0].plugins.score.enabled[0].weight:"
                        + " expected an integer, got \"two\"");
    }

    @Test
    void allErrorsAreReportedInTheOrderOfTheDocument() {
        String text = """
                paralelism: 3
                profiles:
                  - schedulerName: 7
                    pluginConfig:
                      - name: InterPodAffinity
                        args: {hardPodAffinityWeight: 101}
                      - name: VolumeBinding
                        args: [1]
                podInitialBackoffSeconds: 0
                """;
        assertThat(errors(text))
                .containsExactly(
                        "cfg.yaml:3:1: paralelism: unknown field; did you mean \"parallelism\"?",
                        "cfg.yaml:5:20: profiles[0].schedulerName: expected a string, got 7",
                        "cfg.yaml:8:39: profiles[0].pluginConfig[0].args.hardPodAffinityWeight:"
                                + " must be between 0 and 100, got 101",
                        "cfg.yaml:10:15: profiles[0].pluginConfig[1].args: expected a mapping, got a list",
                        "cfg.yaml:11:27: podInitialBackoffSeconds: must be at least 1, got 0");
    }

    @Test
    void apiVersionAndKindMustBeThere() {
        assertThat(errorsOf("parallelism: 1"))
                .containsExactly(
                        "cfg.yaml:1:1: apiVersion: is required: expected kubescheduler.config.k8s.io/v1",
                        "cfg.yaml:1:1: kind: is required: expected KubeSchedulerConfiguration");
        assertThat(errorsOf("apiVersion: kubescheduler.config.k8s.io/v1beta1\nkind: KubeSchedulerConfiguration"))
                .containsExactly("cfg.yaml:1:13: apiVersion: expected kubescheduler.config.k8s.io/v1,"
                        + " got \"kubescheduler.config.k8s.io/v1beta1\"");
    }

    @Test
    void ofAFormerVersionItIsSaidWhatToChange() {
        assertThat(errorsOf("apiVersion: kubescheduler.config.k8s.io/v1beta3\nkind: KubeSchedulerConfiguration"))
                .containsExactly(
                        "cfg.yaml:1:13: apiVersion: write kubescheduler.config.k8s.io/v1: all fields of v1beta3"
                                + " stay; leave out the plugin SelectorSpread, PodTopologySpread does its work");
        assertThat(errorsOf("apiVersion: kubescheduler.config.k8s.io/v1beta2\nkind: KubeSchedulerConfiguration"))
                .singleElement()
                .asString()
                .startsWith("cfg.yaml:1:13: apiVersion: write kubescheduler.config.k8s.io/v1: leave out"
                        + " healthzBindAddress,");
    }

    @Test
    void whatIsNoYamlIsRefused() {
        assertThat(errorsOf("a: [1")).singleElement().asString().startsWith("cfg.yaml:1:6: no valid YAML: expected ");
        assertThat(errorsOf("")).containsExactly("cfg.yaml:1:1: the document is empty");
        assertThat(errorsOf("- 1")).containsExactly("cfg.yaml:1:1: expected a mapping, got a list");
        assertThat(errorsOf("a: 1\n---\nb: 2")).singleElement().asString().contains("no valid YAML");
    }

    @Test
    void aKeyMustNotBeGivenTwice() {
        assertThat(errors("parallelism: 3\nparallelism: 4\n"))
                .containsExactly("cfg.yaml:4:1: parallelism: is given twice, first in line 3");
    }

    @Test
    void aliasesThatStandForMoreThanAnybodyWouldWriteAreRefused() {
        // no more aliases than SnakeYAML takes
        StringBuilder bomb = new StringBuilder("l0: &l0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int level = 1; level < 17; level++) {
            bomb.append("l%d: &l%d [%s]\n"
                    .formatted(level, level, String.join(", ", Collections.nCopies(3, "*l" + (level - 1)))));
        }

        assertThat(errors(bomb.toString()))
                .containsExactly("cfg.yaml:1:1: its aliases stand for more than 1000000 values");
    }

    @Test
    void aLineThatWouldTakeHoursIsRefused() {
        assertThat(errors("parallelism: 3 #" + "x".repeat(1 << 20) + "\n"))
                .containsExactly("cfg.yaml:1:1: line 3 is longer than 1 MiB");
    }

    @Test
    void anAliasInsideItsOwnAnchorIsRefused() {
        for (String within :
                List.of("profiles: [{pluginConfig: [{name: X, args: &a {b: *a}}]}]", "leaderElection: &a {<<: *a}")) {
            assertThat(errors(within + "\n")).containsExactly("cfg.yaml:1:1: an alias stands inside its own anchor");
        }
    }

    static Stream<Arguments> topLevelRefusals() {
        return Stream.of(
                refused("parallelism: 0", "parallelism: must be at least 1, got 0"),
                refused("parallelism: 3000000000", "parallelism: must be at most 2147483647, got 3000000000"),
                refused("parallelism: 1.5", "parallelism: expected an integer, got 1.5"),
                // as numbers these take minutes, or all memory
                refused("parallelism: 1e100000000", "parallelism: expected an integer, got 1e100000000"),
                refused("parallelism: 1e-100000000", "parallelism: expected an integer, got 1e-100000000"),
                refused("parallelism: !big 3", "parallelism: expected an integer, got a value tagged !big"),
                refused("percentageOfNodesToScore: -1", "percentageOfNodesToScore: must be between 0 and 100, got -1"),
                refused(
                        "podMaxBackoffSeconds: 3\npodInitialBackoffSeconds: 4",
                        "podMaxBackoffSeconds: must be at least podInitialBackoffSeconds, which is 4, got 3"),
                refused("enableProfiling: 'true'", "enableProfiling: expected true or false, got \"true\""),
                refused("clientConnection: {qps: fast}", "clientConnection.qps: expected a number, got \"fast\""),
                refused("clientConnection: {qps: .inf}", "clientConnection.qps: expected a number, got .inf"),
                refused(
                        "clientConnection: {qps: 1e39}",
                        "clientConnection.qps: must fit a float of 32 bits, got 1.0E39"),
                refused("clientConnection: {burst: -1}", "clientConnection.burst: must be at least 0, got -1"),
                refused(
                        "leaderElection: {leaseDuration: 15}",
                        "leaderElection.leaseDuration: expected a duration such as \"15s\" or \"1m30s\", got 15"),
                refused(
                        "leaderElection: {leaseDuration: 10s}",
                        "leaderElection.leaseDuration: must be greater than renewDeadline, which is 10s"),
                refused(
                        "leaderElection: {retryPeriod: 9s}",
                        "leaderElection.renewDeadline: must be greater than 1.2 times retryPeriod, got 10s"),
                refused(
                        "leaderElection: {retryPeriod: -1s}",
                        "leaderElection.retryPeriod: must be greater than zero, got -1s"),
                refused(
                        "leaderElection: {resourceLock: endpoints}",
                        "leaderElection.resourceLock: must be \"leases\", got \"endpoints\""),
                refused(
                        "leaderElection: {leaseDuration: 999ms, renewDeadline: 500ms, retryPeriod: 100ms}",
                        "leaderElection.leaseDuration: must be at least 1s, got 999ms"),
                refused(
                        "leaderElection: {leaseDuration: 600000h}",
                        "leaderElection.leaseDuration: must be at most 2147483647s"),
                refused(
                        "leaderElection: {resourceName: A_B}",
                        "leaderElection.resourceName: expected a name of lower-case letters, digits, '-' and '.', got"
                                + " \"A_B\""),
                refused(
                        "leaderElection: {resourceNamespace: kube.system}",
                        "leaderElection.resourceNamespace: expected a name of at most 63 lower-case letters, digits and"
                                + " '-', got \"kube.system\""));
    }

    static Stream<Arguments> profileRefusals() {
        return Stream.of(
                refused("profiles: [{}, {schedulerName: b}]", "profiles[0].schedulerName: is required"),
                refused("profiles: [{schedulerName: ''}]", "profiles[0].schedulerName: must not be empty"),
                refused(
                        "profiles: [{schedulerName: a}, {schedulerName: a}]",
                        "profiles[1].schedulerName: \"a\" is the name of another profile"),
                refused(
                        "profiles: [{percentageOfNodesToScore: 101}]",
                        "profiles[0].percentageOfNodesToScore: must be between 0 and 100, got 101"),
                refused(
                        "profiles: [{plugins: {queueSort: {enabled: [{name: A}, {name: B}]}}}]",
                        "profiles[0].plugins.queueSort: only one plugin can sort the queue"),
                refused(
                        "profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {enabled: [{name: A}]}}}]",
                        "profiles[1].plugins.queueSort: must be the same in all profiles"),
                refused("""
                        profiles:
                          - schedulerName: a
                            plugins: {queueSort: {enabled: [{name: A}]}}
                          - schedulerName: b
                            plugins: {queueSort: {enabled: [{name: A}]}}
                            pluginConfig: [{name: A, args: {x: 1}}]
                        """, "profiles[1].pluginConfig: args of A must be the same in all profiles"),
                refused(
                        "profiles: [{plugins: {scores: {}}}]",
                        "profiles[0].plugins.scores: unknown field; did you mean \"score\"?"),
                refused(
                        "profiles: [{plugins: {filter: {enabled: [{weight: 1}]}}}]",
                        "profiles[0].plugins.filter.enabled[0].name: is required"),
                refused(
                        "profiles: [{plugins: {filter: {enabled: [{name: A}, {name: A}]}}}]",
                        "profiles[0].plugins.filter.enabled[1].name: \"A\" is enabled twice"),
                refused(
                        "profiles: [{plugins: {filter: {enabled: [{name: EBSLimits}]}}}]",
                        "profiles[0].plugins.filter.enabled[0].name:"
                                + " EBSLimits no longer exists in kubescheduler.config.k8s.io/v1; remove it"),
                refused(
                        "profiles: [{pluginConfig: [{name: A}, {name: A}]}]",
                        "profiles[0].pluginConfig[1].name: \"A\" is configured twice"),
                refused(
                        "profiles: [{pluginConfig: [{name: NodeAffinity, args: {kind: InterPodAffinityArgs}}]}]",
                        "profiles[0].pluginConfig[0].args.kind:"
                                + " expected NodeAffinityArgs, got \"InterPodAffinityArgs\""),
                refused(
                        "profiles: [{pluginConfig: [{name: Other, args: {kind: NodeAffinityArgs}}]}]",
                        "profiles[0].pluginConfig[0].args:"
                                + " of kind NodeAffinityArgs are those of NodeAffinity, not of Other"),
                refused(
                        "profiles: [{pluginConfig: [{name: Other, args: {list: [null]}}]}]",
                        "profiles[0].pluginConfig[0].args.list[0]:"
                                + " expected a string, number, boolean, mapping or list, got null"));
    }

    static Stream<Arguments> extenderRefusals() {
        return Stream.of(
                refused(
                        "extenders: [{prioritizeVerb: p}]",
                        "extenders[0].weight: must be greater than 0 where prioritizeVerb is set, got 0"),
                refused(
                        "extenders: [{bindVerb: b}, {bindVerb: b}]",
                        "extenders: only one extender can bind, got 2 with a bindVerb"),
                refused(
                        "extenders: [{managedResources: [{name: e.com/a}]}, {managedResources: [{name: e.com/a}]}]",
                        "extenders[1].managedResources[0].name: \"e.com/a\" is managed by an extender already"),
                refused(
                        "extenders: [{managedResources: [{name: cpu}]}]",
                        "extenders[0].managedResources[0].name:"
                                + " expected an extended resource such as \"example.com/gpu\", got \"cpu\""),
                refused("extenders: [{tlsConfig: {caData: '?'}}]", "extenders[0].tlsConfig.caData: expected base64"));
    }

    @ParameterizedTest
    @MethodSource({"topLevelRefusals", "profileRefusals", "extenderRefusals"})
    void whatTheReferenceRefusesIsRefused(String text, String error) {
        assertThat(errors(text))
                .singleElement()
                .asString()
                .matches("cfg\\.yaml:\\d+:\\d+: .*")
                .endsWith(": " + error);
    }

    private static Arguments refused(String text, String error) {
        return Arguments.of(text, error);
    }

    private static List<String> errors(String fields) {
        return errorsOf(HEAD + fields);
    }

    private static List<String> errorsOf(String text) {
        return catchThrowableOfType(
                        ConfigurationException.class, () -> new ConfigurationReader().read("cfg.yaml", text))
                .errors();
    }
}
