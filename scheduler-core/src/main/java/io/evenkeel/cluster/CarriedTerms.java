package io.evenkeel.cluster;

import io.evenkeel.model.Labels;
import io.evenkeel.model.PodAffinity;
import io.evenkeel.model.PodAffinityTerm;
import io.evenkeel.model.WeightedPodAffinityTerm;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The affinity terms of all pods in place: the side of inter-pod affinity that a newcomer does not bring along. Equal
 * terms of many pods are one; a term goes with the last pod that carries it.
 */
public final class CarriedTerms {
    private record Weighted(CarriedTerm term, int weight) {}

    private static final class Load {
        final List<Weighted> terms = new ArrayList<>();
        final long number;
        int pods;

        Load(long number) {
            this.number = number;
        }
    }

    private final DomainCounters counters;
    private final SelectorIndex selectors;
    private final Namespaces namespaces;
    private final Map<CarriedTerm.Key, CarriedTerm> terms = new HashMap<>();
    private final PivotIndex<CarriedTerm> termsByPivot = new PivotIndex<>();
    private final Map<Facet<AffinityRules>, Load> loads = new HashMap<>();
    private final Set<Facet<AffinityRules>> unused = new LinkedHashSet<>();
    private int holds;
    private long loadsMade;
    private long version;

    CarriedTerms(DomainCounters counters, SelectorIndex selectors, Namespaces namespaces) {
        this.counters = counters;
        this.selectors = selectors;
        this.namespaces = namespaces;
    }

    public boolean isEmpty() {
        return terms.isEmpty();
    }

    /** While this stays the same, {@link #matching} gives the same terms for the same newcomer. */
    public long version() {
        return version;
    }

    /** The terms that match a newcomer of these labels; remembered for pods that no selector tells apart. */
    public List<CarriedTerm> matching(String namespace, Labels labels) {
        if (terms.isEmpty()) {
            return List.of();
        }
        LabelClass.Key key = selectors.classKey(namespace, labels, false);
        LabelClass known = selectors.find(key).orElse(null);
        if (known == null) {
            return findMatching(key);
        }
        if (known.matchedTermsVersion != version) {
            known.matchedTerms = findMatching(key);
            known.matchedTermsVersion = version;
        }
        return known.matchedTerms;
    }

    void addPod(Facet<AffinityRules> rules, int node) {
        if (rules.value().affinity().isNone()) {
            return;
        }
        Load load = loads.get(rules);
        if (load == null) {
            load = load(rules.value());
            loads.put(rules, load);
        }
        load.pods++;
        for (Weighted weighted : load.terms) {
            weighted.term.counter().tally().add(node, weighted.weight);
        }
    }

    void removePod(Facet<AffinityRules> rules, int node) {
        if (rules.value().affinity().isNone()) {
            return;
        }
        Load load = loads.get(rules);
        if (load == null) {
            throw new IllegalStateException("no pod carries " + rules);
        }
        for (Weighted weighted : load.terms) {
            weighted.term.counter().tally().add(node, -weighted.weight);
        }
        if (--load.pods > 0) {
            return;
        }
        if (holds > 0) {
            unused.add(rules);
        } else {
            drop(rules, load);
        }
    }

    /**
     * Until {@link #letGo}, terms stay that lose their last pod: what a what-if takes away comes back, and making a term
     * anew costs a pass over the nodes and would give callers another object than the one that they look at. Returns
     * what {@link #letGo} asks for.
     */
    long hold() {
        holds++;
        return loadsMade;
    }

    /** Drops the terms that came and went since the hold; those from before it that are unused, another one holds. */
    void letGo(long since) {
        holds--;
        for (Facet<AffinityRules> rules : List.copyOf(unused)) {
            Load load = loads.get(rules);
            if (load == null || load.pods > 0) {
                unused.remove(rules);
            } else if (holds == 0 || load.number >= since) {
                unused.remove(rules);
                drop(rules, load);
            }
        }
    }

    private void drop(Facet<AffinityRules> rules, Load load) {
        loads.remove(rules);
        load.terms.forEach(weighted -> release(weighted.term));
    }

    /** To be called after a namespace's labels changed, came or went: terms may match other newcomers now. */
    void namespaceChanged() {
        version++;
    }

    Collection<CarriedTerm> all() {
        return terms.values();
    }

    PivotIndex<CarriedTerm> termsByPivot() {
        return termsByPivot;
    }

    /** How many pods in place have which affinity rules. */
    Map<AffinityRules, Integer> podsByRules() {
        Map<AffinityRules, Integer> pods = new HashMap<>();
        loads.forEach((rules, load) -> {
            if (load.pods > 0) {
                pods.merge(rules.value(), load.pods, Integer::sum);
            }
        });
        return pods;
    }

    /** The rules whose terms stay although no pod has them, for {@link #hold}. */
    List<AffinityRules> heldRules() {
        List<AffinityRules> held = new ArrayList<>();
        loads.forEach((rules, load) -> {
            if (load.pods == 0) {
                held.add(rules.value());
            }
        });
        return held;
    }

    boolean isHeld() {
        return holds > 0;
    }

    private Load load(AffinityRules rules) {
        PodAffinity affinity = rules.affinity();
        Load load = new Load(loadsMade++);
        for (PodAffinityTerm term : affinity.requiredAntiAffinity()) {
            load.terms.add(new Weighted(acquire(CarriedTerm.Kind.REQUIRED_ANTI_AFFINITY, term, rules.namespace()), 1));
        }
        for (PodAffinityTerm term : affinity.requiredAffinity()) {
            load.terms.add(new Weighted(acquire(CarriedTerm.Kind.REQUIRED_AFFINITY, term, rules.namespace()), 1));
        }
        for (WeightedPodAffinityTerm term : affinity.preferredAffinity()) {
            load.terms.add(
                    new Weighted(acquire(CarriedTerm.Kind.PREFERRED, term.term(), rules.namespace()), term.weight()));
        }
        for (WeightedPodAffinityTerm term : affinity.preferredAntiAffinity()) {
            load.terms.add(
                    new Weighted(acquire(CarriedTerm.Kind.PREFERRED, term.term(), rules.namespace()), -term.weight()));
        }
        return load;
    }

    private CarriedTerm acquire(CarriedTerm.Kind kind, PodAffinityTerm term, String namespace) {
        CarriedTerm.Key key =
                new CarriedTerm.Key(kind, NamespaceScope.of(term, namespace), term.labelSelector(), term.topologyKey());
        CarriedTerm carried = terms.get(key);
        if (carried == null) {
            DomainCounter counter = counters.acquire(
                    new PodTally(),
                    new Topology.Key(term.topologyKey(), false),
                    NodeEligibility.Key.having(term.topologyKey()),
                    false);
            carried = new CarriedTerm(key, counter);
            terms.put(key, carried);
            termsByPivot.add(carried, key.selector());
            selectors.mention(key.selector());
            version++;
        }
        carried.references++;
        return carried;
    }

    private void release(CarriedTerm carried) {
        if (--carried.references > 0) {
            return;
        }
        terms.remove(carried.key());
        termsByPivot.remove(carried, carried.key().selector());
        counters.release(carried.counter());
        selectors.unmention(carried.key().selector());
        version++;
    }

    private List<CarriedTerm> findMatching(LabelClass.Key newcomer) {
        List<CarriedTerm> found = new ArrayList<>();
        termsByPivot.forEachCandidate(newcomer.mentionedLabels(), term -> {
            if (term.key().matchesNewcomer(newcomer.namespace(), newcomer.mentionedLabels(), namespaces)) {
                found.add(term);
            }
        });
        return found;
    }
}
