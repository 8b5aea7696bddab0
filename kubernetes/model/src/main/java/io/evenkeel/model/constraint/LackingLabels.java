package io.evenkeel.model.constraint;

import io.evenkeel.model.Node;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.WholeNumber;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The fewest labels by which a node would match a selector. Labels that it has stay as they are, and a host name is nobody's to
 * choose.
 *
 * <pre>
 *   disk in (ssd, nvme), gen &gt; 3     node without labels         disk=ssd, gen=4
 *                                     node with gen=5             disk=ssd
 *                                     node with disk=hdd          none would do
 * </pre>
 */
public final class LackingLabels {

    private static final String ANY = "true";

    private LackingLabels() {}

    /** Empty where labels alone do not make the node match. */
    public static Optional<Labels> of(NodeSelector selector, Labels labels, String name) {
        return selector.terms().stream()
                .flatMap(term -> of(term, labels, name).stream())
                .min(Comparator.comparingInt(Labels::size));
    }

    private static Optional<Labels> of(NodeSelectorTerm term, Labels labels, String name) {
        if (term.isEmpty() || !term.matchFields().stream().allMatch(field -> field.matchesField(name))) {
            return Optional.empty();
        }
        Map<String, String> lacking = new TreeMap<>();
        for (NodeSelectorRequirement requirement : term.matchExpressions()) {
            String key = requirement.key();
            if (!requirement.matches(labels) && !lacking.containsKey(key)) {
                Optional<String> value =
                        labels.has(key) || key.equals(Node.HOSTNAME) ? Optional.empty() : value(term, key);
                if (value.isEmpty()) {
                    return Optional.empty();
                }
                lacking.put(key, value.get());
            }
        }
        return Optional.of(Labels.of(lacking));
    }

    /** One that meets all that the term says of the key. */
    private static Optional<String> value(NodeSelectorTerm term, String key) {
        return term.matchExpressions().stream()
                .filter(each -> each.key().equals(key))
                .flatMap(LackingLabels::values)
                .filter(value -> term.matchExpressions().stream()
                        .filter(each -> each.key().equals(key))
                        .allMatch(each -> each.matches(Labels.of(key, value))))
                .findFirst();
    }

    private static Stream<String> values(NodeSelectorRequirement requirement) {
        return switch (requirement.operator()) {
            case IN -> requirement.values().stream();
            case EXISTS -> Stream.of(ANY);
            case GT -> numbers(requirement, 1);
            case LT -> numbers(requirement, -1);
            case NOT_IN, DOES_NOT_EXIST -> Stream.empty();
        };
    }

    /** The next number, if it can be a label's value: those have no sign. */
    private static Stream<String> numbers(NodeSelectorRequirement requirement, int step) {
        return requirement.values().stream()
                .map(WholeNumber::parse)
                .flatMapToLong(
                        bound -> bound.isPresent() ? LongStream.of(bound.getAsLong() + step) : LongStream.empty())
                .filter(number -> number >= 0)
                .mapToObj(Long::toString);
    }
}
