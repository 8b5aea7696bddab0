package io.evenkeel.cluster.counting;

import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds, for a label set, the selectors that could match it, without trying all.
 *
 * <p>Each selector is filed under the values of its first In requirement, its pivot: a label set that the selector
 * matches must carry one of these pairs. Nearly every selector in a cluster is {@code app: something}, so a look-up
 * meets about as many selectors as match. Selectors without such a requirement are tried for every label set.
 *
 * <pre>{@code
 * A  app=web                         app=web      A B
 * B  app in (db, web), tier=front    app=db       B
 * C  !batch                          no pivot     C
 *
 * candidates of app=web, zone=z1:    C A B        B is none of those that match: it lacks the tier
 * candidates of zone=z1:             C
 * }</pre>
 */
final class PivotIndex<T> {
    private record Pair(String key, String value) {}

    private final Map<Pair, Set<T>> byPair = new HashMap<>();
    private final Set<T> withoutPivot = new LinkedHashSet<>();

    void add(T entry, LabelSelector selector) {
        if (selector.matchesNothing()) {
            return;
        }
        Optional<LabelRequirement> pivot = pivotOf(selector);
        if (pivot.isEmpty()) {
            withoutPivot.add(entry);
            return;
        }
        for (String value : pivot.get().values()) {
            byPair.computeIfAbsent(new Pair(pivot.get().key(), value), pair -> new LinkedHashSet<>())
                    .add(entry);
        }
    }

    void remove(T entry, LabelSelector selector) {
        Optional<LabelRequirement> pivot = pivotOf(selector);
        if (pivot.isEmpty()) {
            withoutPivot.remove(entry);
            return;
        }
        for (String value : pivot.get().values()) {
            byPair.computeIfPresent(new Pair(pivot.get().key(), value), (pair, entries) -> {
                entries.remove(entry);
                return entries.isEmpty() ? null : entries;
            });
        }
    }

    /** Visits each entry whose selector may match; whether it does is for the visitor to ask. */
    void forEachCandidate(Labels labels, Consumer<T> visitor) {
        for (T entry : withoutPivot) {
            visitor.accept(entry);
        }
        for (int i = 0; i < labels.size(); i++) {
            Set<T> entries = byPair.get(new Pair(labels.keyAt(i), labels.valueAt(i)));
            if (entries != null) {
                entries.forEach(visitor);
            }
        }
    }

    Set<T> entries() {
        Set<T> entries = new LinkedHashSet<>(withoutPivot);
        byPair.values().forEach(entries::addAll);
        return entries;
    }

    boolean isEmpty() {
        return byPair.isEmpty() && withoutPivot.isEmpty();
    }

    private static Optional<LabelRequirement> pivotOf(LabelSelector selector) {
        return selector.requirements().stream()
                .filter(requirement -> requirement.operator() == LabelRequirement.Operator.IN)
                .findFirst();
    }
}
