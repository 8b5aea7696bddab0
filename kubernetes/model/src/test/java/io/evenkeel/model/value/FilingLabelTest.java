package io.evenkeel.model.value;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.value.LabelRequirement.Operator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FilingLabelTest {
    private static final LabelRequirement MANY = new LabelRequirement(
            "app",
            Operator.IN,
            IntStream.range(0, 10_000).mapToObj(i -> "a" + i).toList());

    @Test
    void isOneOfFewValues() {
        assertThat(of(new LabelRequirement("app", Operator.IN, List.of("web", "db"))))
                .containsExactly(FilingLabel.pair("app", "db"), FilingLabel.pair("app", "web"));
    }

    @Test
    void ofManyValuesIsTheKey() {
        assertThat(of(MANY)).containsExactly(FilingLabel.key("app"));
        assertThat(of(MANY, LabelRequirement.equalTo("tier", ""))).containsExactly(FilingLabel.pair("tier", ""));
        assertThat(of(new LabelRequirement("app", Operator.EXISTS, List.of()))).containsExactly(FilingLabel.key("app"));
    }

    @Test
    void isNothingInParticularWhereNoKeyIsRequired() {
        assertThat(of(new LabelRequirement("app", Operator.NOT_IN, MANY.values())))
                .containsExactly(FilingLabel.ANY);
        assertThat(FilingLabel.of(LabelSelector.EVERYTHING)).containsExactly(FilingLabel.ANY);
        assertThat(FilingLabel.of(LabelSelector.NOTHING)).isEmpty();
    }

    private static List<FilingLabel> of(LabelRequirement... requirements) {
        return FilingLabel.of(LabelSelector.of(List.of(requirements)));
    }
}
