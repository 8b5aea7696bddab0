package io.evenkeel.model.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSelectorTest {
    private static final Node NODE =
            NodeBuilder.node("n1").label("cores", "8").label("disk", "ssd").build();

    @ParameterizedTest
    @CsvSource({
        "cores, GT, 7, true",
        "cores, GT, 8, false",
        "cores, LT, 9, true",
        "cores, LT, 8, false",
        "cores, GT, -1, true",
        "cores, GT, seven, false",
        "cores, GT, \u0667, false",
        "disk, GT, 7, false",
        "disk, LT, 7, false",
        "absent, GT, 7, false",
        "absent, LT, 7, false",
        "disk, IN, ssd, true",
        "disk, NOT_IN, ssd, false",
        "absent, IN, ssd, false",
        "absent, NOT_IN, ssd, true",
    })
    void labelsAreComparedAsStringsOrIntegers(String key, Operator operator, String value, boolean expected) {
        assertThat(requirement(key, operator, value).matches(NODE.labels())).isEqualTo(expected);
    }

    @Test
    void gtNeedsExactlyOneValue() {
        assertThat(requirement("cores", Operator.GT).matches(NODE.labels())).isFalse();
        assertThat(requirement("cores", Operator.GT, "1", "2").matches(NODE.labels()))
                .isFalse();
    }

    @Test
    void byLabelsAloneTheNameCountsForNothing() {
        List<NodeSelectorRequirement> elsewhere = List.of(requirement("metadata.name", Operator.IN, "n2"));
        NodeSelectorTerm named = new NodeSelectorTerm(List.of(), elsewhere);
        NodeSelectorTerm hdd = new NodeSelectorTerm(List.of(requirement("disk", Operator.IN, "hdd")), elsewhere);
        NodeSelectorTerm nothing = new NodeSelectorTerm(List.of(), List.of());

        assertThat(new NodeSelector(List.of(nothing, named)).matchesLabels(NODE.labels()))
                .isTrue();
        assertThat(new NodeSelector(List.of(nothing, hdd)).matchesLabels(NODE.labels()))
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "metadata.name, IN, n1, true",
        "metadata.name, IN, n2, false",
        "metadata.name, NOT_IN, n1, false",
        "metadata.name, NOT_IN, n2, true",
        "metadata.name, EXISTS, n1, false",
        "metadata.uid, IN, n1, false",
    })
    void theOnlyFieldIsTheName(String key, Operator operator, String value, boolean expected) {
        NodeSelectorTerm term = new NodeSelectorTerm(List.of(), List.of(requirement(key, operator, value)));

        assertThat(term.matches(NODE.labels(), NODE.name())).isEqualTo(expected);
    }

    @Test
    void oneTermMustMatchAndAllOfIt() {
        NodeSelectorRequirement ssd = requirement("disk", Operator.IN, "ssd");
        NodeSelectorRequirement hdd = requirement("disk", Operator.IN, "hdd");
        NodeSelectorTerm both = new NodeSelectorTerm(List.of(ssd, hdd), List.of());
        NodeSelectorTerm one = new NodeSelectorTerm(List.of(ssd), List.of());

        assertThat(new NodeSelector(List.of(both)).matches(NODE.labels(), NODE.name()))
                .isFalse();
        assertThat(new NodeSelector(List.of(both, one)).matches(NODE.labels(), NODE.name()))
                .isTrue();
    }

    @Test
    void noTermsAndEmptyTermsMatchNothing() {
        NodeSelectorTerm empty = new NodeSelectorTerm(List.of(), List.of());

        assertThat(new NodeSelector(List.of()).matches(NODE.labels(), NODE.name()))
                .isFalse();
        assertThat(new NodeSelector(List.of(empty)).matches(NODE.labels(), NODE.name()))
                .isFalse();
    }

    @Test
    void valuesWhereNoneBelongOrNoneWhereSomeDoMatchNothing() {
        assertThat(requirement("disk", Operator.EXISTS, "ssd").matches(NODE.labels()))
                .isFalse();
        assertThat(requirement("absent", Operator.DOES_NOT_EXIST, "x").matches(NODE.labels()))
                .isFalse();
        assertThat(requirement("absent", Operator.NOT_IN).matches(NODE.labels()))
                .isFalse();
    }

    private static NodeSelectorRequirement requirement(String key, Operator operator, String... values) {
        return new NodeSelectorRequirement(key, operator, List.of(values));
    }
}
