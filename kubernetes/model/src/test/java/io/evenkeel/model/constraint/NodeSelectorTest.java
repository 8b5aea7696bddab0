package io.evenkeel.model.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
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
        "cores, GT, -1, false",
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
        "metadata.uid, NOT_IN, n1, true",
        "metadata.uid, IN, '', true",
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

    @Test
    void aValueThatNoLabelCanHaveSpoilsItsTermAndNoOther() {
        NodeSelectorTerm spoilt =
                new NodeSelectorTerm(List.of(requirement("disk", Operator.IN, "ssd", "?")), List.of());
        NodeSelectorTerm spoiltNot =
                new NodeSelectorTerm(List.of(requirement("disk", Operator.NOT_IN, "hdd", "?")), List.of());
        NodeSelectorTerm good = new NodeSelectorTerm(List.of(requirement("disk", Operator.IN, "ssd")), List.of());

        assertThat(new NodeSelector(List.of(spoilt, spoiltNot)).matches(NODE.labels(), NODE.name()))
                .isFalse();
        assertThat(new NodeSelector(List.of(spoilt, good)).matches(NODE.labels(), NODE.name()))
                .isTrue();
    }

    /** The reference reads a term before it asks whether it matches: whatever it cannot read matches nothing. */
    @Test
    void randomTermsMatchWhereTheyCanBeReadAndAllOfThemHolds() {
        Random random = new Random(38);
        int matched = 0;
        for (int round = 0; round < 20_000; round++) {
            NodeSelectorTerm term = new NodeSelectorTerm(
                    some(random, "k", "k", "a/k", "A/k", "k?"),
                    random.nextInt(3) == 0 ? some(random, "metadata.name", "uid") : List.of());
            Labels labels = Labels.of(oneOf(random, "k", "a/k", "other"), oneOf(random, "1", "7", "x", ""));

            boolean byLabels = !term.isEmpty()
                    && term.matchExpressions().stream().allMatch(each -> isReadable(each) && holds(each, labels))
                    && term.matchFields().stream().allMatch(NodeSelectorTest::isReadableField);
            boolean matches = byLabels && term.matchFields().stream().allMatch(each -> holdsOf(each, "1"));
            assertThat(term.matchesLabels(labels)).as(term + " " + labels).isEqualTo(byLabels);
            assertThat(term.matches(labels, "1")).as(term + " " + labels).isEqualTo(matches);
            matched += matches ? 1 : 0;
        }
        assertThat(matched).isGreaterThan(300);
    }

    private static boolean isReadable(NodeSelectorRequirement each) {
        List<String> values = each.values();
        return each.key().matches("([a-z0-9.-]+/)?[A-Za-z0-9]([A-Za-z0-9_.-]*[A-Za-z0-9])?")
                && values.stream().allMatch(value -> value.matches("([A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?"))
                && switch (each.operator()) {
                    case IN, NOT_IN -> !values.isEmpty();
                    case EXISTS, DOES_NOT_EXIST -> values.isEmpty();
                    case GT, LT -> values.size() == 1 && values.getFirst().matches("[0-9]+");
                };
    }

    private static boolean holds(NodeSelectorRequirement each, Labels labels) {
        String there = labels.getOrDefault(each.key(), "none");
        return switch (each.operator()) {
            case IN -> each.values().contains(there);
            case NOT_IN -> !each.values().contains(there);
            case EXISTS -> labels.has(each.key());
            case DOES_NOT_EXIST -> !labels.has(each.key());
            case GT ->
                there.matches("[0-9]+")
                        && Long.parseLong(there) > Long.parseLong(each.values().getFirst());
            case LT ->
                there.matches("[0-9]+")
                        && Long.parseLong(there) < Long.parseLong(each.values().getFirst());
        };
    }

    private static boolean isReadableField(NodeSelectorRequirement each) {
        return each.values().size() == 1
                && List.of(Operator.IN, Operator.NOT_IN).contains(each.operator());
    }

    private static boolean holdsOf(NodeSelectorRequirement each, String name) {
        String there = each.key().equals("metadata.name") ? name : "";
        return each.values().contains(there) == (each.operator() == Operator.IN);
    }

    private static List<NodeSelectorRequirement> some(Random random, String... keys) {
        return Stream.generate(() -> requirement(
                        oneOf(random, keys),
                        oneOf(random, Operator.values()),
                        Stream.generate(() -> oneOf(random, "1", "1", "7", "7", "x", "", "?", "-1", "y".repeat(64)))
                                .limit(random.nextInt(3))
                                .toArray(String[]::new)))
                .limit(random.nextInt(3))
                .toList();
    }

    @SafeVarargs
    private static <T> T oneOf(Random random, T... all) {
        return all[random.nextInt(all.length)];
    }

    private static NodeSelectorRequirement requirement(String key, Operator operator, String... values) {
        return new NodeSelectorRequirement(key, operator, List.of(values));
    }
}
