package io.evenkeel.engine.group;

import java.util.Optional;

/**
 * What is wanted of the placement of a group.
 *
 * @param oneDomain whether all must be in one domain of some topology
 * @param atLeast where fewer than all do, so many; else all, of any number that is as large as the group or larger
 */
public record GroupTerms(Optional<OneDomain> oneDomain, int atLeast) {

    /** All of the pods, wherever they fit. */
    public static final GroupTerms ALL = new GroupTerms(Optional.empty(), Integer.MAX_VALUE);

    /** As many as possible, wherever they fit. */
    public static final GroupTerms MOST = atLeast(0);

    /**
     * All pods in one domain. Nodes without the key are in none.
     *
     * @param fixed the domain, where others of the group are in place already
     */
    public record OneDomain(String topologyKey, Optional<String> fixed) {}

    /** As many as possible; where it is to be chosen among domains, in one that takes so many, if there is one. */
    public static GroupTerms atLeast(int pods) {
        return new GroupTerms(Optional.empty(), pods);
    }

    /** The same, on nodes of one domain of the key. */
    public GroupTerms inOneDomainOf(String topologyKey) {
        return new GroupTerms(Optional.of(new OneDomain(topologyKey, Optional.empty())), atLeast);
    }

    /** The same, on nodes of this domain of the key. */
    public GroupTerms inDomain(String topologyKey, String domain) {
        return new GroupTerms(Optional.of(new OneDomain(topologyKey, Optional.of(domain))), atLeast);
    }

    boolean wantMost(int pods) {
        return atLeast < pods;
    }
}
