package io.evenkeel.groups;

import java.util.Optional;

/**
 * The terms for the placement of a group.
 *
 * @param oneDomain whether all must be in one domain of some topology
 * @param atLeast where fewer than all do, so many; else all, of any number that is as large as the group or larger
 * @param enough so many that more are of no use, where not all can be placed
 */
public record JointTerms(Optional<OneDomain> oneDomain, int atLeast, int enough) {

    /** All of the pods, wherever they fit. */
    public static final JointTerms ALL = new JointTerms(Optional.empty(), Integer.MAX_VALUE, Integer.MAX_VALUE);

    /** As many as possible, wherever they fit. */
    public static final JointTerms MOST = atLeast(0);

    /**
     * All pods in one domain. Nodes without the key are in none.
     *
     * @param fixed the domain, where others of the group are in place already
     */
    public record OneDomain(String topologyKey, Optional<String> fixed) {}

    /** As many as possible; where it is to be chosen among domains, in one that takes so many, if there is one. */
    public static JointTerms atLeast(int pods) {
        return new JointTerms(Optional.empty(), pods, Integer.MAX_VALUE);
    }

    /** All of them, or else so many, wherever they fit. */
    public static JointTerms enough(int pods) {
        return new JointTerms(Optional.empty(), pods, pods);
    }

    /** The same, on nodes of one domain of the key. */
    public JointTerms inOneDomainOf(String topologyKey) {
        return new JointTerms(Optional.of(new OneDomain(topologyKey, Optional.empty())), atLeast, enough);
    }

    /** The same, on nodes of this domain of the key. */
    public JointTerms inDomain(String topologyKey, String domain) {
        return new JointTerms(Optional.of(new OneDomain(topologyKey, Optional.of(domain))), atLeast, enough);
    }

    boolean wantMost(int pods) {
        return atLeast < pods;
    }
}
