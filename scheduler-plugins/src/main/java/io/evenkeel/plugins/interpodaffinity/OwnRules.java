package io.evenkeel.plugins.interpodaffinity;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NamespaceScope;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.SelectorGroup.PodMatch;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.AffinityRules;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A pod's own affinity terms in compiled form: for each a counter of the pods that match it, by domain of its topology
 * key. Holds its groups and counters in the cluster until released.
 *
 * @param companions who satisfies the required affinity: the pods that match all of its terms
 * @param affinity counts the companions by each topology key of the required affinity
 * @param antiAffinity for each term of the required anti-affinity, counts who matches it
 * @param groups all groups that the counters belong to
 */
record OwnRules(
        Optional<SelectorGroup.Key> companions,
        List<DomainCounter> affinity,
        List<DomainCounter> antiAffinity,
        List<Preference> preferences,
        List<SelectorGroup> groups) {

    /** The worth of each matching pod in a node's domain; negative for preferred anti-affinity. */
    record Preference(DomainCounter counter, int weight) {}

    private static final OwnRules NONE = new OwnRules(Optional.empty(), List.of(), List.of(), List.of(), List.of());

    static OwnRules compile(AffinityRules rules, Terms terms, ClusterView cluster) {
        if (rules.affinity().isNone()) {
            return NONE;
        }
        Compiler compiler = new Compiler(rules.namespace(), terms, cluster);
        return cluster.selectors().together(rules.affinity().selectors(), () -> compiler.compile(rules));
    }

    /** Whether there is anything that a node can fail. */
    boolean restrict() {
        return !affinity.isEmpty() || !antiAffinity.isEmpty();
    }

    void release(ClusterView cluster) {
        affinity.forEach(cluster.counters()::release);
        antiAffinity.forEach(cluster.counters()::release);
        preferences.forEach(preference -> cluster.counters().release(preference.counter()));
        groups.forEach(cluster.selectors()::release);
    }

    private static final class Compiler {
        private final String namespace;
        private final Terms ownTerms;
        private final ClusterView cluster;
        private final List<SelectorGroup> groups = new ArrayList<>();

        Compiler(String namespace, Terms ownTerms, ClusterView cluster) {
            this.namespace = namespace;
            this.ownTerms = ownTerms;
            this.cluster = cluster;
        }

        OwnRules compile(AffinityRules rules) {
            List<PodAffinityTerm> required = rules.affinity().requiredAffinity();
            List<DomainCounter> affinity = new ArrayList<>();
            Optional<SelectorGroup> companions = required.isEmpty() ? Optional.empty() : Optional.of(group(required));
            companions.ifPresent(group -> required.stream()
                    .map(PodAffinityTerm::topologyKey)
                    .distinct()
                    .forEach(key -> affinity.add(counter(group, key))));
            List<DomainCounter> antiAffinity = rules.affinity().requiredAntiAffinity().stream()
                    .map(this::counter)
                    .toList();
            List<Preference> preferences = new ArrayList<>();
            for (WeightedPodAffinityTerm preferred : rules.affinity().preferredAffinity()) {
                preferences.add(new Preference(counter(preferred.term()), preferred.weight()));
            }
            for (WeightedPodAffinityTerm preferred : rules.affinity().preferredAntiAffinity()) {
                preferences.add(new Preference(counter(preferred.term()), -preferred.weight()));
            }
            return new OwnRules(
                    companions.map(SelectorGroup::key),
                    List.copyOf(affinity),
                    antiAffinity,
                    List.copyOf(preferences),
                    List.copyOf(groups));
        }

        private DomainCounter counter(PodAffinityTerm term) {
            return counter(group(List.of(term)), term.topologyKey());
        }

        /** Pods that are being deleted count until they are gone. */
        private SelectorGroup group(List<PodAffinityTerm> terms) {
            List<PodMatch> matches = terms.stream()
                    .map(term -> ownTerms.match(term, namespace))
                    .distinct()
                    .toList();
            SelectorGroup group = cluster.selectors().acquire(new SelectorGroup.Key(matches, true));
            groups.add(group);
            return group;
        }

        private DomainCounter counter(SelectorGroup group, String topologyKey) {
            return cluster.counters()
                    .acquire(
                            group.tally(),
                            new Topology.Key(topologyKey, false),
                            NodeEligibility.Key.having(topologyKey),
                            false);
        }
    }

    /**
     * The pods and namespaces that the terms of a pod to be placed select.
     *
     * <p>The reference resolves their namespaceSelector to names and then still asks it, about a namespace without labels. So a
     * selector that such a namespace would meet, as NotIn and DoesNotExist do, selects all namespaces, whatever their labels.
     *
     * @param exact each namespace by its own labels, instead of as the reference
     */
    record Terms(boolean exact) {

        PodMatch match(PodAffinityTerm term, String ownNamespace) {
            NamespaceScope scope = NamespaceScope.of(term, ownNamespace);
            boolean selectsAll = !exact && scope.selector().matches(Labels.EMPTY);
            return new PodMatch(
                    selectsAll ? new NamespaceScope(scope.names(), LabelSelector.EVERYTHING) : scope,
                    term.labelSelector());
        }
    }
}
