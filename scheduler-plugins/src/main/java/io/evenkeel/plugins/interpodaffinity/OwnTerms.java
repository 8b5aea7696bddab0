package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;

/**
 * The pods and namespaces that the terms of a pod to be placed select.
 *
 * <p>The reference resolves their namespaceSelector to names and then still asks it, about a namespace without labels. So a
 * selector that such a namespace would meet, as NotIn and DoesNotExist do, selects all namespaces, whatever their labels.
 *
 * @param exact each namespace by its own labels, instead of as the reference
 */
record OwnTerms(boolean exact) {

    PodMatch match(PodAffinityTerm term, String ownNamespace) {
        NamespaceScope scope = NamespaceScope.of(term, ownNamespace);
        boolean selectsAll = !exact && scope.selector().matches(Labels.EMPTY);
        return new PodMatch(
                selectsAll ? new NamespaceScope(scope.names(), LabelSelector.EVERYTHING) : scope, term.labelSelector());
    }
}
