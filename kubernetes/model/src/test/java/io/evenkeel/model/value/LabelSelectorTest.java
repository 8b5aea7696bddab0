package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.value.LabelRequirement.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;

class LabelSelectorTest {
    private static final Labels WEB = Labels.of("app", "web", "tier", "front");

    @Test
    void nothingMatchesNothingAndTheEmptySelectorEverything() {
        assertThat(LabelSelector.NOTHING.matches(Labels.EMPTY)).isFalse();
        assertThat(LabelSelector.NOTHING.matchesEverything()).isFalse();
        assertThat(LabelSelector.EVERYTHING.matches(Labels.EMPTY)).isTrue();
        assertThat(LabelSelector.EVERYTHING.matches(WEB)).isTrue();
        assertThat(LabelSelector.matchingLabels(Labels.EMPTY)).isEqualTo(LabelSelector.EVERYTHING);
    }

    @Test
    void allRequirementsMustHold() {
        assertThat(LabelSelector.matchingLabels(Labels.of("app", "web")).matches(WEB))
                .isTrue();
        assertThat(LabelSelector.matchingLabels(Labels.of("app", "web", "tier", "back"))
                        .matches(WEB))
                .isFalse();
    }

    @Test
    void operatorsTreatAnAbsentKeyAsKubernetesDoes() {
        assertThat(matches("absent", Operator.IN, "x")).isFalse();
        assertThat(matches("absent", Operator.NOT_IN, "x")).isTrue();
        assertThat(matches("absent", Operator.EXISTS)).isFalse();
        assertThat(matches("absent", Operator.DOES_NOT_EXIST)).isTrue();
    }

    @Test
    void operatorsCompareAPresentKey() {
        assertThat(matches("app", Operator.IN, "x", "web")).isTrue();
        assertThat(matches("app", Operator.NOT_IN, "x", "web")).isFalse();
        assertThat(matches("app", Operator.NOT_IN, "x")).isTrue();
        assertThat(matches("app", Operator.EXISTS)).isTrue();
        assertThat(matches("app", Operator.DOES_NOT_EXIST)).isFalse();
    }

    @Test
    void theSameRequirementsInAnyOrderAreTheSameSelector() {
        LabelRequirement app = new LabelRequirement("app", Operator.IN, List.of("b", "a"));
        LabelRequirement tier = new LabelRequirement("tier", Operator.EXISTS, List.of());

        assertThat(LabelSelector.of(List.of(app, tier)))
                .isEqualTo(LabelSelector.of(
                        List.of(tier, new LabelRequirement("app", Operator.IN, List.of("a", "b", "a")), tier)));
    }

    private static boolean matches(String key, Operator operator, String... values) {
        return LabelSelector.of(List.of(new LabelRequirement(key, operator, List.of(values))))
                .matches(WEB);
    }
}
