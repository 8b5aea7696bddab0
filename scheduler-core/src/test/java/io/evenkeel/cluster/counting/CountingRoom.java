package io.evenkeel.cluster.counting;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What tests of the whole cluster look at, and break, in this package. */
public final class CountingRoom {
    private CountingRoom() {}

    /** Something that is shared by its users, and how many it believes to have. */
    public record Shared(Object thing, String name, int users) {}

    public static List<Shared> shared(ClusterView cluster) {
        List<Shared> shared = new ArrayList<>();
        cluster.selectors()
                .groups()
                .forEach(group -> shared.add(new Shared(group, "" + group.key(), group.references)));
        cluster.counters()
                .all()
                .forEach(counter -> shared.add(new Shared(counter, "" + counter.key(), counter.references)));
        cluster.counters()
                .topologies()
                .forEach(topology -> shared.add(new Shared(topology, "" + topology.key(), topology.references)));
        return shared;
    }

    /** Those that others than readers use: the counters of carried terms, the topologies of counters. */
    public static List<Object> usedWithin(ClusterView cluster) {
        List<Object> used = new ArrayList<>();
        cluster.carriedTerms().all().forEach(term -> used.add(term.counter()));
        cluster.counters().all().forEach(counter -> used.add(counter.topology()));
        return used;
    }

    /** The carried terms that match a newcomer, by asking each. */
    public static Set<CarriedTerm> matching(CarriedTerms terms, String namespace, Labels labels, Labels ofNamespace) {
        Set<CarriedTerm> matching = new HashSet<>();
        for (CarriedTerm term : terms.all()) {
            NamespaceScope scope = term.key().scope();
            boolean inScope =
                    scope.names().contains(namespace) || scope.selector().matches(ofNamespace);
            if (inScope && term.key().selector().matches(labels)) {
                matching.add(term);
            }
        }
        return matching;
    }

    public static boolean keepsPinnedTerms(ClusterView cluster) {
        return cluster.carriedTerms().isPinned();
    }

    public static int count(DomainCounters counters) {
        return counters.all().size();
    }

    /** How many numbers there is room for in the sums and tallies of all counters. */
    public static long room(DomainCounters counters) {
        return counters.all().stream()
                .mapToLong(counter -> counter.room() + counter.tally().counts().room())
                .sum();
    }

    /** Counts a pod that is not there. */
    public static void miscount(PodTally tally, int node) {
        tally.add(node, 1);
    }

    public static void miscount(DomainCounter counter, int node) {
        counter.tallyChanged(node, 1);
    }

    public static void addSizes(ClusterView cluster, Map<String, Integer> used, Map<String, Integer> reserved) {
        SelectorIndex selectors = cluster.selectors();
        CarriedTerms terms = cluster.carriedTerms();
        used.put("label classes", selectors.classes().all().size());
        used.put("groups", selectors.groups().size());
        used.put("indexed groups", selectors.groupsByFilingLabel().entries().size());
        used.put(
                "mentioned keys",
                selectors.mentioned().selectorsByKey().size()
                        - selectors.mentioned().stale());
        used.put("counters", cluster.counters().all().size());
        used.put("carried terms", terms.all().size());
        used.put("indexed terms", terms.termsByFilingLabel().entries().size());
        used.put(
                "affinity rules",
                terms.podsByRules().size() + terms.pinnedRules().size());
        int topologies = 0;
        int domains = 0;
        for (Topology topology : cluster.counters().topologies()) {
            topologies++;
            domains += topology.end();
        }
        int eligibilities = 0;
        for (NodeEligibility _ : cluster.counters().eligibilities()) {
            eligibilities++;
        }
        used.put("topologies", topologies);
        used.put("eligibilities", eligibilities);
        int eligibleDomains = 0;
        for (NodeEligibility.Domains _ : cluster.counters().eligibleDomains()) {
            eligibleDomains++;
        }
        used.put("domains of eligible nodes", eligibleDomains);
        reserved.put("domains", domains);
        reserved.put("mentioned keys", selectors.mentioned().selectorsByKey().size());
    }
}
