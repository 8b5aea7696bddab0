package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the schema of a policy's status lets pass, whoever wrote it: no policy is unread for that. */
class StrangePolicyStatusTest {
    private static PlacementPolicy read(String status) {
        return (PlacementPolicy) new ObjectReader().read("""
            {"apiVersion":"evenkeel.io/v1alpha1","kind":"PlacementPolicy","metadata":{"namespace":"shop","name":"web"},
             "spec":{"selector":{},"rules":[{"topologyKey":"zone","maxPods":1}]},"status":{%s}}""".formatted(status));
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-11-26t00:00:00z", "00:00:00x5Z", "2026-11-26T00:00:00+99:99"})
    void timesThatAreNoneCountAsAbsent(String time) {
        PlacementPolicy policy = read("""
            "conditions":[{"type":"Satisfied","status":"False","lastTransitionTime":"%1$s","reason":"x","message":""}],
            "relaxed":[{"topologyKey":"zone","domain":"a","since":"%1$s"}],
            "remembered":[{"topologyKey":"zone","domain":"a","goneSince":"%1$s"}]""".formatted(time));
        assertThat(policy.spec().rules()).hasSize(1);
        assertThat(policy.status().condition("Satisfied").map(PolicyCondition::lastTransitionTime))
                .contains("");
        assertThat(policy.status().relaxed())
                .extracting(domain -> domain.since())
                .containsExactly("");
    }

    @Test
    void aTimeIsRead() {
        assertThat(read("\"relaxed\":[{\"topologyKey\":\"zone\",\"domain\":\"a\",\"since\":\"2026-11-26T00:00:00Z\"}]")
                        .status()
                        .relaxed())
                .extracting(domain -> domain.since())
                .containsExactly("2026-11-26T00:00:00Z");
    }
}
