package io.evenkeel.cluster.counting;

import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds, for a label set, the selectors that could match it, without trying all.
 *
 * <p>Each selector is filed once, or a few times, under its filing label: what a label set that it matches must have. That is
 * one of the values of an In requirement, where it has few; of one with many values, or an Exists, it is the key alone,
 * so that a selector of ten thousand values takes no more room here than any other. Nearly every selector in a cluster is
 * {@code app: something}, so a look-up meets about as many selectors as match. Selectors that require no key are tried
 * for every label set.
 *
 * <p>One that is about a single namespace is found from there alone: what a tenant selects of its own pods is nothing to others.
 *
 * <pre>{@code
 * A  app=web                         app=web      A B
 * B  app in (db, web), tier=front    app=db       B
 * C  !batch                          app          D
 * D  app in (a0, a1, … a9999)        none         C
 *
 * candidates of app=web, zone=z1:    C D A B      B is none of those that match: it lacks the tier
 * candidates of zone=z1:             C
 * }</pre>
 */
public final class FilingLabelIndex<T> {
    /** In place of a namespace: any. */
    public static final String ANYWHERE = "";

    private final Map<String, Map<FilingLabel, Set<T>>> byNamespace = new HashMap<>();

    void add(T entry, LabelSelector selector) {
        add(entry, ANYWHERE, selector);
    }

    void remove(T entry, LabelSelector selector) {
        remove(entry, ANYWHERE, selector);
    }

    /** @param namespace the only one that it is about, or {@link #ANYWHERE} */
    public void add(T entry, String namespace, LabelSelector selector) {
        Map<FilingLabel, Set<T>> byLabel = byNamespace.computeIfAbsent(namespace, _ -> new HashMap<>());
        for (FilingLabel label : FilingLabel.of(selector)) {
            byLabel.computeIfAbsent(label, _ -> new LinkedHashSet<>()).add(entry);
        }
    }

    public void remove(T entry, String namespace, LabelSelector selector) {
        byNamespace.computeIfPresent(namespace, (_, byLabel) -> {
            for (FilingLabel label : FilingLabel.of(selector)) {
                byLabel.computeIfPresent(label, (_, entries) -> {
                    entries.remove(entry);
                    return entries.isEmpty() ? null : entries;
                });
            }
            return byLabel.isEmpty() ? null : byLabel;
        });
    }

    /** Visits each entry with a selector that may match; whether it does is for the visitor to ask. */
    void forEachCandidate(Labels labels, Consumer<T> visitor) {
        visit(byNamespace.get(ANYWHERE), labels, visitor);
    }

    /** Visits only those about this namespace, or any. */
    public void forEachCandidate(String namespace, Labels labels, Consumer<T> visitor) {
        visit(byNamespace.get(ANYWHERE), labels, visitor);
        visit(byNamespace.get(namespace), labels, visitor);
    }

    private static <T> void visit(@Nullable Map<FilingLabel, Set<T>> byLabel, Labels labels, Consumer<T> visitor) {
        if (byLabel == null) {
            return;
        }
        visit(byLabel, FilingLabel.ANY, visitor);
        for (int i = 0; i < labels.size(); i++) {
            visit(byLabel, FilingLabel.key(labels.keyAt(i)), visitor);
            visit(byLabel, FilingLabel.pair(labels.keyAt(i), labels.valueAt(i)), visitor);
        }
    }

    private static <T> void visit(Map<FilingLabel, Set<T>> byLabel, FilingLabel label, Consumer<T> visitor) {
        Set<T> entries = byLabel.get(label);
        if (entries != null) {
            entries.forEach(visitor);
        }
    }

    Set<T> entries() {
        Set<T> entries = new LinkedHashSet<>();
        byNamespace.values().forEach(byLabel -> byLabel.values().forEach(entries::addAll));
        return entries;
    }

    /** How many times something is filed. */
    int size() {
        return byNamespace.values().stream()
                .flatMap(byLabel -> byLabel.values().stream())
                .mapToInt(Set::size)
                .sum();
    }

    public boolean isEmpty() {
        return byNamespace.isEmpty();
    }
}
