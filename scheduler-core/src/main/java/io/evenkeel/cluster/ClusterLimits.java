package io.evenkeel.cluster;

/**
 * How much a cluster keeps of what only saves work. The least limits are right as well, and slow: what happens once in a
 * large cluster when a limit is reached happens at every step of a small one then, where a test sees it.
 *
 * @param idleFacets facets of one kind that no pod uses and that stay for the next one
 * @param loggedChanges of nodes, up to which whatever is derived from them catches up by reading them; a power of two
 */
public record ClusterLimits(int idleFacets, int loggedChanges) {
    public static final ClusterLimits USUAL = new ClusterLimits(256, 1 << 14);
    public static final ClusterLimits LEAST = new ClusterLimits(1, 1);

    public ClusterLimits {
        if (idleFacets < 0) {
            throw new IllegalArgumentException("idleFacets: " + idleFacets + " is less than 0");
        }
        if (Integer.bitCount(loggedChanges) != 1 || loggedChanges < 0) {
            throw new IllegalArgumentException("loggedChanges: " + loggedChanges + " is no power of two");
        }
    }
}
