package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.LabelClasses.LabelClass;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.FilingLabel;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The pods that a constraint or affinity rule speaks of, counted by node. Constraints that select the same pods share
 * a group.
 */
public final class SelectorGroup {

    /**
     * Groups are told apart by whom they select.
     *
     * @param matches what a pod must match, all of it
     * @param farthest how far on its way out a pod may be that counts
     */
    public record Key(List<PodMatch> matches, Pod.Departure farthest) {

        /** @param countsTerminating spread constraints leave pods out that are being deleted, affinity counts them */
        public Key(List<PodMatch> matches, boolean countsTerminating) {
            this(matches, countsTerminating ? Pod.Departure.IS_DELETED : Pod.Departure.IS_DISRUPTED);
        }

        public Key {
            if (matches.isEmpty()) {
                throw new IllegalArgumentException("a selector group needs at least one thing to match");
            }
            matches = List.copyOf(matches);
        }

        boolean includes(LabelClass.Key labelClass, Namespaces namespaces) {
            return counts(labelClass.departure())
                    && matches(labelClass.namespace(), labelClass.mentionedLabels(), namespaces);
        }

        boolean counts(Pod.Departure departure) {
            return departure.compareTo(farthest) <= 0;
        }

        boolean matches(String namespace, Labels labels, Namespaces namespaces) {
            for (int i = 0; i < matches.size(); i++) {
                if (!matches.get(i).matches(namespace, labels, namespaces)) {
                    return false;
                }
            }
            return true;
        }

        /** The selector that the group is filed under: one that matches nothing, as then the group does, else a fine one. */
        LabelSelector filingSelector() {
            return matches.stream()
                    .map(PodMatch::selector)
                    .min(Comparator.comparing((LabelSelector selector) -> !selector.matchesNothing())
                            .thenComparingInt(FilingLabel::coarseness))
                    .orElseThrow();
        }

        /** The only namespace with pods that may be in the group; {@link FilingLabelIndex#ANYWHERE} where others' may. */
        String namespace() {
            for (PodMatch match : matches) {
                if (!match.scope().single().equals(FilingLabelIndex.ANYWHERE)) {
                    return match.scope().single();
                }
            }
            return FilingLabelIndex.ANYWHERE;
        }

        boolean dependsOnNamespaceLabels() {
            return matches.stream().anyMatch(match -> match.scope().dependsOnLabels());
        }
    }

    private final Key key;
    private final PodTally tally = PodTally.ofPods(this);
    final Set<LabelClass> classes = new LinkedHashSet<>();
    int references;

    SelectorGroup(Key key) {
        this.key = key;
    }

    public Key key() {
        return key;
    }

    public PodTally tally() {
        return tally;
    }

    /** Pods chosen by namespace and labels. */
    public record PodMatch(NamespaceScope scope, LabelSelector selector) {

        public static PodMatch of(PodAffinityTerm term, String ownNamespace) {
            return new PodMatch(NamespaceScope.of(term, ownNamespace), term.labelSelector());
        }

        public boolean matches(String namespace, Labels labels, Namespaces known) {
            return selector.matches(labels) && scope.includes(namespace, known);
        }
    }
}
