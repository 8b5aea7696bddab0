package io.evenkeel.framework.why;

import java.util.List;

/** What is counted for one rule that turns nodes away. */
public sealed interface Account {

    /** Of a spread constraint that filters. A domain is allowed if {@code matching + self − fewest ≤ maxSkew}. */
    record Spread(
            String topologyKey,
            int maxSkew,
            int minDomains,
            String selector,
            int self,
            int fewest,
            List<SpreadDomain> domains)
            implements Account {}

    /**
     * A domain of a spread constraint.
     *
     * @param matching pods that the constraint counts there
     * @param counted whether it can be the one with the fewest
     * @param skew that a pod more would make
     */
    record SpreadDomain(String value, int matching, boolean counted, int skew, boolean allowed) {}

    /**
     * Of a resource.
     *
     * @param asked by the pod, in words of the API, as the other amounts are
     * @param mostFree on one node
     * @param node that has so much
     * @param freeInAll on all nodes together
     * @param nodesShort how many nodes have too little
     */
    record Resource(String resource, String asked, String mostFree, String node, String freeInAll, int nodesShort)
            implements Account {}

    /**
     * Of a term of pod affinity or anti-affinity.
     *
     * @param rule whose it is, and what it asks for
     * @param domains those with pods that the term speaks of
     */
    record Neighbours(String rule, String topologyKey, String selector, List<NeighbourDomain> domains)
            implements Account {}

    /** A domain with pods that an affinity term speaks of. */
    record NeighbourDomain(String value, int matching) {}

    /** Of anything else. */
    record Words(String text) implements Account {}
}
