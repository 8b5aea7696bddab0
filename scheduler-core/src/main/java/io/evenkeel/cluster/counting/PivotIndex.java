package io.evenkeel.cluster.counting;

import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Pivot;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds, for a label set, the selectors that could match it, without trying all.
 *
 * <p>Each selector is filed once, or a few times, under its pivot: what a label set that it matches must have. That is
 * one of the values of an In requirement, where it has few; of one with many values, or an Exists, it is the key alone,
 * so that a selector of ten thousand values takes no more room here than any other. Nearly every selector in a cluster is
 * {@code app: something}, so a look-up meets about as many selectors as match. Selectors that require no key are tried
 * for every label set.
 *
 * <pre>{@code
 * A  app=web                         app=web      A B
 * B  app in (db, web), tier=front    app=db       B
 * C  !batch                          app          D
 * D  app in (a0, a1, … a9999)        no pivot     C
 *
 * candidates of app=web, zone=z1:    C D A B      B is none of those that match: it lacks the tier
 * candidates of zone=z1:             C
 * }</pre>
 */
final class PivotIndex<T> {
    private final Map<Pivot, Set<T>> byPivot = new HashMap<>();

    void add(T entry, LabelSelector selector) {
        for (Pivot pivot : Pivot.of(selector)) {
            byPivot.computeIfAbsent(pivot, _ -> new LinkedHashSet<>()).add(entry);
        }
    }

    void remove(T entry, LabelSelector selector) {
        for (Pivot pivot : Pivot.of(selector)) {
            byPivot.computeIfPresent(pivot, (_, entries) -> {
                entries.remove(entry);
                return entries.isEmpty() ? null : entries;
            });
        }
    }

    /** Visits each entry whose selector may match; whether it does is for the visitor to ask. */
    void forEachCandidate(Labels labels, Consumer<T> visitor) {
        if (byPivot.isEmpty()) {
            return;
        }
        visit(Pivot.ANY, visitor);
        for (int i = 0; i < labels.size(); i++) {
            visit(Pivot.key(labels.keyAt(i)), visitor);
            visit(Pivot.pair(labels.keyAt(i), labels.valueAt(i)), visitor);
        }
    }

    private void visit(Pivot pivot, Consumer<T> visitor) {
        Set<T> entries = byPivot.get(pivot);
        if (entries != null) {
            entries.forEach(visitor);
        }
    }

    Set<T> entries() {
        Set<T> entries = new LinkedHashSet<>();
        byPivot.values().forEach(entries::addAll);
        return entries;
    }

    /** How many times something is filed. */
    int size() {
        return byPivot.values().stream().mapToInt(Set::size).sum();
    }

    boolean isEmpty() {
        return byPivot.isEmpty();
    }
}
