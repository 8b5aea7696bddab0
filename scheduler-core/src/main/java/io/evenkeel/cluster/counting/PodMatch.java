package io.evenkeel.cluster.counting;

import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;

/** Pods chosen by namespace and labels. */
public record PodMatch(NamespaceScope scope, LabelSelector selector) {

    public static PodMatch of(PodAffinityTerm term, String ownNamespace) {
        return new PodMatch(NamespaceScope.of(term, ownNamespace), term.labelSelector());
    }

    public boolean matches(String namespace, Labels labels, Namespaces known) {
        return selector.matches(labels) && scope.includes(namespace, known);
    }
}
