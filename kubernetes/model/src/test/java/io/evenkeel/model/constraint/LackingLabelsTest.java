package io.evenkeel.model.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LackingLabelsTest {
    private static final NodeSelectorRequirement FAST = requirement("disk", Operator.IN, "ssd", "nvme");

    @Test
    void aValueIsTakenThatMeetsAllThatIsSaidOfTheKey() {
        assertThat(lacking(Labels.EMPTY, term(FAST, requirement("disk", Operator.NOT_IN, "ssd"))))
                .contains(Labels.of("disk", "nvme"));
        assertThat(lacking(
                        Labels.EMPTY, term(requirement("gen", Operator.GT, "3"), requirement("gen", Operator.LT, "5"))))
                .contains(Labels.of("gen", "4"));
        assertThat(lacking(Labels.EMPTY, term(requirement("gpu", Operator.EXISTS))))
                .contains(Labels.of("gpu", "true"));
    }

    @Test
    void whatTheNodeHasIsNotNamedAgain() {
        assertThat(lacking(Labels.of("gen", "7"), term(FAST, requirement("gen", Operator.GT, "3"))))
                .contains(Labels.of("disk", "ssd"));
    }

    @Test
    void theTermThatTakesTheFewestIsMet() {
        assertThat(lacking(
                        Labels.EMPTY,
                        term(FAST, requirement("gpu", Operator.EXISTS)),
                        term(requirement("rack", Operator.IN, "7"))))
                .contains(Labels.of("rack", "7"));
    }

    @Test
    void whatANodeSaysOfItselfIsNotChanged() {
        assertThat(lacking(Labels.of("disk", "hdd"), term(FAST))).isEmpty();
        assertThat(lacking(Labels.of("gpu", "no"), term(requirement("gpu", Operator.DOES_NOT_EXIST))))
                .isEmpty();
        assertThat(lacking(Labels.EMPTY, term(requirement("kubernetes.io/hostname", Operator.IN, "n1"))))
                .isEmpty();
    }

    @Test
    void nothingIsLessThanNoNumber() {
        assertThat(lacking(Labels.EMPTY, term(requirement("gen", Operator.LT, "0"))))
                .isEmpty();
    }

    @Test
    void aNameIsNoLabel() {
        NodeSelectorTerm named = new NodeSelectorTerm(
                List.of(FAST), List.of(requirement(NodeSelectorTerm.NAME_FIELD, Operator.IN, "n2")));
        assertThat(lacking(Labels.EMPTY, named)).isEmpty();
        assertThat(LackingLabels.of(new NodeSelector(List.of(named)), Labels.EMPTY, "n2"))
                .contains(Labels.of("disk", "ssd"));
    }

    private static Optional<Labels> lacking(Labels labels, NodeSelectorTerm... terms) {
        Optional<Labels> lacking = LackingLabels.of(new NodeSelector(List.of(terms)), labels, "n1");
        lacking.ifPresent(more -> assertThat(new NodeSelector(List.of(terms)).matches(labels.withAll(more), "n1"))
                .isTrue());
        return lacking;
    }

    private static NodeSelectorTerm term(NodeSelectorRequirement... all) {
        return new NodeSelectorTerm(List.of(all), List.of());
    }

    private static NodeSelectorRequirement requirement(String key, Operator operator, String... values) {
        return new NodeSelectorRequirement(key, operator, List.of(values));
    }
}
