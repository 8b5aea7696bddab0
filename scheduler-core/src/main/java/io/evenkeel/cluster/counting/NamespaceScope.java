package io.evenkeel.cluster.counting;

import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.ValueSet;
import java.util.List;
import java.util.Optional;

/**
 * The namespaces that a term speaks of: those named and those selected by label.
 *
 * @param names sorted
 */
public record NamespaceScope(List<String> names, LabelSelector selector) {

    public NamespaceScope {
        names = ValueSet.sorted(names);
    }

    public static NamespaceScope only(String namespace) {
        return new NamespaceScope(List.of(namespace), LabelSelector.NOTHING);
    }

    /** A term that names and selects no namespaces means the one of the pod that has it. */
    public static NamespaceScope of(PodAffinityTerm term, String ownNamespace) {
        return term.namespaces().isEmpty() && term.namespaceSelector().matchesNothing()
                ? only(ownNamespace)
                : new NamespaceScope(term.namespaces(), term.namespaceSelector());
    }

    /** The only namespace in scope; {@link FilingLabelIndex#ANYWHERE} where others may be. */
    public String single() {
        return names.size() == 1 && selector.matchesNothing() ? names.getFirst() : FilingLabelIndex.ANYWHERE;
    }

    /** Whether events on namespaces can change what is in scope. */
    public boolean dependsOnLabels() {
        return !selector.matchesNothing() && !selector.matchesEverything();
    }

    /**
     * As a pod that is to be placed sees it: its selector is resolved to the names of namespaces that exist, so that
     * an unknown one is selected by the empty selector only.
     */
    boolean includes(String namespace, Namespaces known) {
        if (names.contains(namespace) || selector.matchesEverything()) {
            return true;
        }
        if (selector.matchesNothing()) {
            return false;
        }
        Optional<Labels> labels = known.labelsOf(namespace);
        return labels.isPresent() && selector.matches(labels.get());
    }

    /** As a term of a pod in place sees the namespace of a newcomer: an unknown one has no labels. */
    public boolean includesNewcomerOf(String namespace, Namespaces known) {
        return names.contains(namespace)
                || selector.matches(known.labelsOf(namespace).orElse(Labels.EMPTY));
    }
}
