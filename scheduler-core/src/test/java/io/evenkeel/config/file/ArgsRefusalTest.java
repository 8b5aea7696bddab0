package io.evenkeel.config.file;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.evenkeel.problem.ConfigurationException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each row: a plugin, arguments it refuses, and the one error that this gives, from {@code args} on. */
class ArgsRefusalTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "DefaultPreemption | {minCandidateNodesPercentage: 101}"
                        + "| .minCandidateNodesPercentage: must be between 0 and 100, got 101",
                "DefaultPreemption | {minCandidateNodesAbsolute: -1}"
                        + "| .minCandidateNodesAbsolute: must be at least 0, got -1",
                "DefaultPreemption | {minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0}"
                        + "| .minCandidateNodesPercentage: must not be 0 together with minCandidateNodesAbsolute",
                "InterPodAffinity | {hardPodAffinityWeight: -1}"
                        + "| .hardPodAffinityWeight: must be between 0 and 100, got -1",
                "VolumeBinding | {bindTimeoutSeconds: -1}" + "| .bindTimeoutSeconds: must be at least 0, got -1",
                "VolumeBinding | {shape: [{score: 11}]} | .shape[0].score: must be between 0 and 10, got 11",
                "DynamicResources | {filterTimeout: -1s} | .filterTimeout: must be at least 0s, got -1s",
                "DynamicResources | {bindingTimeout: 999ms} | .bindingTimeout: must be at least 1s, got 999ms"
            })
    void numbersOutOfTheirRangeAreRefused(String plugin, String args, String error) {
        assertRefused(plugin, args, error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{ignoredResources: [a/b/c]}| .ignoredResources[0]: expected a name such as \"example.com/name\" or"
                        + " \"name\", got \"a/b/c\"",
                "{ignoredResourceGroups: [e.com/a]}| .ignoredResourceGroups[0]: a resource group is what stands before"
                        + " the slash, got \"e.com/a\"",
                "{scoringStrategy: {type: leastAllocated}}"
                        + "| .scoringStrategy.type: expected one of LeastAllocated, MostAllocated,"
                        + " RequestedToCapacityRatio, got \"leastAllocated\"; did you mean \"LeastAllocated\"?",
                "{scoringStrategy: {resources: []}}"
                        + "| .scoringStrategy.type: is required: one of LeastAllocated, MostAllocated,"
                        + " RequestedToCapacityRatio",
                "{scoringStrategy: {type: MostAllocated, resources: [{name: cpu, weight: 101}]}}"
                        + "| .scoringStrategy.resources[0].weight: must be between 0 and 100, got 101",
                "{scoringStrategy: {type: MostAllocated, resources: [{weight: 1}]}}"
                        + "| .scoringStrategy.resources[0].name: is required",
                "{scoringStrategy: {type: RequestedToCapacityRatio}}"
                        + "| .scoringStrategy.requestedToCapacityRatio: is required by the type"
                        + " RequestedToCapacityRatio",
                "{scoringStrategy: {type: MostAllocated, requestedToCapacityRatio: {shape: [{score: 1}]}}}"
                        + "| .scoringStrategy.requestedToCapacityRatio: belongs to the type RequestedToCapacityRatio"
                        + " only",
                "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {}}}"
                        + "| .scoringStrategy.requestedToCapacityRatio.shape: must have at least one point",
                "{scoringStrategy: {type: RequestedToCapacityRatio, requestedToCapacityRatio: {shape: [{score:"
                        + " 11}]}}}| .scoringStrategy.requestedToCapacityRatio.shape[0].score: must be between 0 and 10,"
                        + " got 11",
                "{scoringStrategy: {type: RequestedToCapacityRatio,"
                        + " requestedToCapacityRatio: {shape: [{utilization: 50}, {utilization: 50}]}}}"
                        + "| .scoringStrategy.requestedToCapacityRatio.shape[1].utilization: must be greater than that"
                        + " of the point before, which is 50, got 50"
            })
    void nodeResourcesFitRefuses(String args, String error) {
        assertRefused("NodeResourcesFit", args, error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{resources: [{name: cpu, weight: 2}]} | .resources[0].weight: must be 1, got 2",
                "{resources: [{name: cpu}, {name: cpu}]} | .resources[1].name: \"cpu\" is listed twice"
            })
    void nodeResourcesBalancedAllocationRefuses(String args, String error) {
        assertRefused("NodeResourcesBalancedAllocation", args, error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}]}"
                        + "| .defaultingType: must be \"List\" for defaultConstraints to count",
                "{defaultingType: Lists} | .defaultingType: expected one of List, System, got \"Lists\";"
                        + " did you mean \"List\"?",
                "{defaultingType: List, defaultConstraints: [{topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}"
                        + "| .defaultConstraints[0].maxSkew: is required and must be at least 1",
                "{defaultingType: List,"
                        + " defaultConstraints: [{maxSkew: 0, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}"
                        + "| .defaultConstraints[0].maxSkew: must be at least 1, got 0",
                "{defaultingType: List, defaultConstraints: [{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}]}"
                        + "| .defaultConstraints[0].topologyKey: is required",
                "{defaultingType: List,"
                        + " defaultConstraints: [{maxSkew: 1, topologyKey: a b, whenUnsatisfiable: DoNotSchedule}]}"
                        + "| .defaultConstraints[0].topologyKey: expected a name such as \"example.com/name\" or"
                        + " \"name\", got \"a b\"",
                "{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a}]}"
                        + "| .defaultConstraints[0].whenUnsatisfiable: is required: one of DoNotSchedule,"
                        + " ScheduleAnyway",
                "{defaultingType: List,"
                        + " defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: Never}]}"
                        + "| .defaultConstraints[0].whenUnsatisfiable: expected one of DoNotSchedule, ScheduleAnyway,"
                        + " got \"Never\"",
                "{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable:"
                        + " DoNotSchedule, labelSelector: {}}]}| .defaultConstraints[0].labelSelector: must be absent: the"
                        + " selector is deduced for each pod",
                "{defaultingType: List, defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable:"
                        + " DoNotSchedule}, {maxSkew: 2, topologyKey: a, whenUnsatisfiable: DoNotSchedule}]}|"
                        + " .defaultConstraints[1]: topologyKey and whenUnsatisfiable are those of an earlier constraint"
            })
    void podTopologySpreadRefuses(String args, String error) {
        assertRefused("PodTopologySpread", args, error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{key: a, operator: Is} | .operator: expected one of DoesNotExist, Exists, Gt, In, Lt, NotIn, got"
                        + " \"Is\"; did you mean \"In\"?",
                "{key: a, values: [b]} | .operator: is required",
                "{key: a, operator: In} | .values: must not be empty with In and NotIn",
                "{key: a, operator: Exists, values: [b]} | .values: must be empty with Exists and DoesNotExist",
                "{key: a, operator: Gt, values: [b]} | .values: must be one integer with Gt and Lt, in quotes",
                "{key: a, operator: In, values: [3]} | .values[0]: expected a string, got 3",
                "{key: a, operator: In, values: [b c]} | .values: \"b c\" is no valid label value",
                "{key: a/b/c, operator: Exists} | .key: expected a name such as \"example.com/name\" or \"name\","
                        + " got \"a/b/c\"",
                "{operator: Exists} | .key: is required"
            })
    void addedAffinityRefuses(String requirement, String error) {
        String affinity = "{addedAffinity: {preferredDuringSchedulingIgnoredDuringExecution:"
                + " [{weight: 1, preference: {matchExpressions: [" + requirement + "]}}]}}";
        assertRefused(
                "NodeAffinity",
                affinity,
                ".addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference.matchExpressions[0]"
                        + error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{key: metadata.name, operator: In, values: [a, b]}"
                        + "| .values: must have exactly one element in matchFields",
                "{key: metadata.name, operator: Gt, values: [a]} | .operator: expected one of In, NotIn, got \"Gt\""
            })
    void addedAffinityRefusesOnFields(String requirement, String error) {
        String affinity = "{addedAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
                + " {nodeSelectorTerms: [{matchFields: [" + requirement + "]}]}}}";
        assertRefused(
                "NodeAffinity",
                affinity,
                ".addedAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0]"
                        + error);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "GroupPlacement | {labelKey: shard}"
                        + "| .labelKey: must be absent: it is for the scope \"Label\" alone",
                "GroupPlacement | {scope: Owner, labelKey: shard}"
                        + "| .labelKey: must be absent: it is for the scope \"Label\" alone",
                "GroupPlacement | {scope: Label} | .labelKey: is required",
                "GroupPlacement | {scope: Label, labelKey: a b} | .labelKey: expected a name such as"
                        + " \"example.com/name\" or \"name\", got \"a b\"",
                "GroupPlacement | {scope: Node} | .scope: expected one of Label, Owner, got \"Node\"",
                "GroupPlacement | {maxSteps: 0} | .maxSteps: must be at least 1, got 0",
                "GroupPlacement | {maxStep: 1} | .maxStep: unknown field; did you mean \"maxSteps\"?",
                "Coscheduling | {permitWaitingTimeSeconds: -1}"
                        + "| .permitWaitingTimeSeconds: must be at least 0, got -1",
                "Coscheduling | {podGroupBackoffSeconds: 5s}"
                        + "| .podGroupBackoffSeconds: expected an integer, got \"5s\"",
                "Coscheduling | {podGroupRejectPercentage: 101}"
                        + "| .podGroupRejectPercentage: must be between 0 and 100, got 101",
                "Coscheduling | {deniedPGExpirationTimeSeconds: 3}" + "| .deniedPGExpirationTimeSeconds: unknown field",
                "GangScheduling | {kind: CoschedulingArgs}"
                        + "| : of kind CoschedulingArgs are those of Coscheduling, not of GangScheduling"
            })
    void groupsRefuse(String plugin, String args, String error) {
        assertRefused(plugin, args, error);
    }

    private static void assertRefused(String plugin, String args, String error) {
        String text = """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
              - pluginConfig:
                  - name: %s
                    args: %s
            """.formatted(plugin, args);
        assertThatExceptionOfType(ConfigurationException.class)
                .isThrownBy(() -> new ConfigurationReader().read("cfg.yaml", text))
                .withMessageMatching("cfg\\.yaml:6:\\d+: .*")
                .withMessageEndingWith(": profiles[0].pluginConfig[0].args" + error);
    }
}
