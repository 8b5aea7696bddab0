package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.value.LabelRequirement.Operator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PivotTest {
    private static final LabelRequirement MANY = new LabelRequirement(
            "app",
            Operator.IN,
            IntStream.range(0, 10_000).mapToObj(i -> "a" + i).toList());

    @Test
    void isOneOfFewValues() {
        assertThat(of(new LabelRequirement("app", Operator.IN, List.of("web", "db"))))
                .containsExactly(Pivot.pair("app", "db"), Pivot.pair("app", "web"));
    }

    @Test
    void ofManyValuesIsTheKey() {
        assertThat(of(MANY)).containsExactly(Pivot.key("app"));
        assertThat(of(MANY, LabelRequirement.equalTo("tier", ""))).containsExactly(Pivot.pair("tier", ""));
        assertThat(of(new LabelRequirement("app", Operator.EXISTS, List.of()))).containsExactly(Pivot.key("app"));
    }

    @Test
    void isNothingInParticularWhereNoKeyIsRequired() {
        assertThat(of(new LabelRequirement("app", Operator.NOT_IN, MANY.values())))
                .containsExactly(Pivot.ANY);
        assertThat(Pivot.of(LabelSelector.EVERYTHING)).containsExactly(Pivot.ANY);
        assertThat(Pivot.of(LabelSelector.NOTHING)).isEmpty();
    }

    private static List<Pivot> of(LabelRequirement... requirements) {
        return Pivot.of(LabelSelector.of(List.of(requirements)));
    }
}
