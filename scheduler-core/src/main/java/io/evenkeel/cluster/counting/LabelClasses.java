package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.Pod;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The label classes that have pods, each by its key and by its labels; the class of each row of the pod table, and the rows of
 * each class as a linked list.
 *
 * <p>Which classes a selector may match is told by one of its labels, the one that fewest classes have: the others'
 * selectors cost what their own pods are, however many classes somebody makes.
 *
 * <pre>{@code
 * classes                               by label
 * A  app=web, team=shop                 app=web    A
 * B  app=db, team=shop                  app=db     B
 *                                       team=shop  A B
 *
 * candidates of team=shop, app=db:      B
 * candidates of team=shop, app!=db:     A B
 * candidates of app:                    A B, as all
 * }</pre>
 */
final class LabelClasses {
    private static final int FIRST_CAPACITY = 64;

    private final Map<LabelClass.Key, LabelClass> byKey = new HashMap<>();
    private final Map<FilingLabel, Set<LabelClass>> byLabel = new ShrinkingMap<>();
    private @Nullable LabelClass[] byRow = new LabelClass[FIRST_CAPACITY];
    private int[] next = new int[FIRST_CAPACITY];
    private int[] previous = new int[FIRST_CAPACITY];

    @Nullable
    LabelClass find(LabelClass.Key key) {
        return byKey.get(key);
    }

    Collection<LabelClass> all() {
        return byKey.values();
    }

    /** Visits each class that the selector may match; whether it does is for the visitor to ask. */
    void forEachCandidate(LabelSelector selector, Consumer<LabelClass> visitor) {
        Collection<LabelClass> candidates = selector.matchesNothing() ? Set.of() : byKey.values();
        for (LabelRequirement requirement : selector.requirements()) {
            if (requirement.operator() == Operator.IN && requirement.values().size() <= FilingLabel.MOST_VALUES) {
                Collection<LabelClass> having = having(requirement);
                candidates = having.size() < candidates.size() ? having : candidates;
            }
        }
        candidates.forEach(visitor);
    }

    private Collection<LabelClass> having(LabelRequirement requirement) {
        List<Set<LabelClass>> byValue = requirement.values().stream()
                .map(value -> byLabel.getOrDefault(FilingLabel.pair(requirement.key(), value), Set.of()))
                .toList();
        if (byValue.size() == 1) {
            return byValue.getFirst();
        }
        Set<LabelClass> all = new HashSet<>();
        byValue.forEach(all::addAll);
        return all;
    }

    /** A class that is to get its first pod. */
    LabelClass add(LabelClass.Key key) {
        LabelClass added = new LabelClass(key);
        byKey.put(key, added);
        Labels labels = key.mentionedLabels();
        for (int i = 0; i < labels.size(); i++) {
            byLabel.computeIfAbsent(FilingLabel.pair(labels.keyAt(i), labels.valueAt(i)), _ -> HashSet.newHashSet(1))
                    .add(added);
        }
        return added;
    }

    /** Forgets a class after its last pod has left. */
    void remove(LabelClass left) {
        byKey.remove(left.key);
        Labels labels = left.key.mentionedLabels();
        for (int i = 0; i < labels.size(); i++) {
            byLabel.computeIfPresent(FilingLabel.pair(labels.keyAt(i), labels.valueAt(i)), (_, classes) -> {
                classes.remove(left);
                return classes.isEmpty() ? null : classes;
            });
        }
    }

    /** Whether the row has a pod. */
    boolean has(int row) {
        return row < byRow.length && byRow[row] != null;
    }

    LabelClass of(int row) {
        LabelClass found = byRow[row];
        if (found == null) {
            throw new NoSuchElementException("the pod in row " + row + " is in no label class");
        }
        return found;
    }

    /** The row after this one in its class, or {@link PodTable#NONE}. */
    int next(int row) {
        return next[row];
    }

    void join(int row, LabelClass labelClass) {
        ensureCapacity(row + 1);
        byRow[row] = labelClass;
        next[row] = labelClass.firstPod;
        previous[row] = PodTable.NONE;
        if (labelClass.firstPod != PodTable.NONE) {
            previous[labelClass.firstPod] = row;
        }
        labelClass.firstPod = row;
        labelClass.pods++;
    }

    void leave(int row) {
        LabelClass labelClass = of(row);
        int after = next[row];
        int before = previous[row];
        if (before == PodTable.NONE) {
            labelClass.firstPod = after;
        } else {
            next[before] = after;
        }
        if (after != PodTable.NONE) {
            previous[after] = before;
        }
        labelClass.pods--;
        byRow[row] = null;
    }

    /** The classes that are filed under each label. */
    Map<FilingLabel, Set<LabelClass>> byLabel() {
        return byLabel;
    }

    private void ensureCapacity(int needed) {
        if (needed > byRow.length) {
            int capacity = Math.max(needed, byRow.length * 2);
            byRow = Arrays.copyOf(byRow, capacity);
            next = Arrays.copyOf(next, capacity);
            previous = Arrays.copyOf(previous, capacity);
        }
    }

    /**
     * Pods that no live selector can tell apart: of one namespace, alike in every label that some selector mentions, and
     * all equally far on their way out. Which groups they are in is worked out once for all of them.
     */
    static final class LabelClass {
        record Key(String namespace, Labels mentionedLabels, Pod.Departure departure) {
            boolean isOf(String itsNamespace, Labels itsMentionedLabels, Pod.Departure itsDeparture) {
                return departure == itsDeparture
                        && mentionedLabels.equals(itsMentionedLabels)
                        && namespace.equals(itsNamespace);
            }
        }

        final Key key;
        final List<SelectorGroup> groups = new ArrayList<>();
        final List<SelectorGroup> readableGroups = Collections.unmodifiableList(groups);
        List<CarriedTerm> matchedTerms = List.of();
        long matchedTermsVersion = -1;
        int firstPod = PodTable.NONE;
        int pods;

        LabelClass(Key key) {
            this.key = key;
        }
    }
}
