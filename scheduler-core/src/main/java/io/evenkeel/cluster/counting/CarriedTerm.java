package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.counting.CarriedTerms.TermUse;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.HashSet;
import java.util.Set;

/**
 * An affinity term of pods that are in place, with a count (or a sum of weights) of the pods that carry it by domain of
 * its topology key: what a newcomer that the term matches meets there.
 */
public final class CarriedTerm {

    /** The effect of the term. */
    public enum Kind {
        /** Keeps it out of the domains of the carriers. */
        REQUIRED_ANTI_AFFINITY,
        /** Draws it there, by the weight that the profile gives to required affinity. */
        REQUIRED_AFFINITY,
        /** Draws it there by the carriers' summed weights, which are negative for anti-affinity. */
        PREFERRED
    }

    record Key(Kind kind, NamespaceScope scope, LabelSelector selector, String topologyKey) {
        boolean matchesNewcomer(String namespace, Labels labels, Namespaces namespaces) {
            return selector.matches(labels) && scope.includesNewcomerOf(namespace, namespaces);
        }
    }

    private final Key key;
    private final DomainCounter counter;
    int references;
    private Set<TermUse> uses = Set.of();

    CarriedTerm(Key key, DomainCounter counter) {
        this.key = key;
        this.counter = counter;
    }

    Key key() {
        return key;
    }

    public Kind kind() {
        return key.kind();
    }

    public DomainCounter counter() {
        return counter;
    }

    /** The rules of pods that it is one of; mostly of one kind of pods. */
    Set<TermUse> uses() {
        return uses;
    }

    /** Whether that is news. */
    boolean usedBy(TermUse use) {
        if (uses.contains(use)) {
            return false;
        }
        if (uses.isEmpty()) {
            uses = Set.of(use);
        } else {
            uses = uses.size() == 1 ? new HashSet<>(uses) : uses;
            uses.add(use);
        }
        return true;
    }

    void notUsedBy(TermUse use) {
        if (uses.size() > 1) {
            uses.remove(use);
            uses = uses.size() == 1 ? Set.copyOf(uses) : uses;
        } else if (uses.contains(use)) {
            uses = Set.of();
        }
    }
}
