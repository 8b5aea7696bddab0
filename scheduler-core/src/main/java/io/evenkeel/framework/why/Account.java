package io.evenkeel.framework.why;

import io.evenkeel.problem.NearestName;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.stream.Collectors;

/** The counts for one rule that turns nodes away. */
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
     * @param rule the rule's owner, and what it asks for
     * @param domains those with pods that the term speaks of
     */
    record Neighbours(String rule, String topologyKey, String selector, List<NeighbourDomain> domains)
            implements Account {}

    /** A domain with pods that an affinity term speaks of. */
    record NeighbourDomain(String value, int matching) {}

    /**
     * Of something that the pod needs and only some nodes have.
     *
     * @param nodes the nodes that have it, by name
     * @param of how many nodes there are
     * @param there how many of these nodes have what in the pod's way nevertheless, as "NodeResourcesFit: Insufficient cpu";
     *     filled in by the one who asks
     */
    record Places(String text, List<String> nodes, int of, SortedMap<String, Integer> there) implements Account {

        /** Of these nodes, of which the plugin knows no more. */
        public static Places of(String text, List<String> nodes, int all) {
            return new Places(text, List.copyOf(nodes), all, Collections.emptySortedMap());
        }

        /** The same, with what is in the pod's way there. */
        public Places with(SortedMap<String, Integer> inTheWay) {
            return new Places(text, nodes, of, Collections.unmodifiableSortedMap(inTheWay));
        }
    }

    /**
     * The volumes of a driver; a node can have so many.
     *
     * @param asked how many the pod has of them
     * @param nodes those on which they would be too many
     */
    record VolumeLimit(String driver, int asked, List<FullNode> nodes) implements Account {}

    /**
     * A node that has too many volumes for this pod: {@code attached + more > limit}.
     *
     * @param more the volumes that come with the pod and are not on the node yet
     */
    record FullNode(String node, int attached, int more, int limit) {}

    /**
     * Of a request of a claim for devices, or one of its alternatives.
     *
     * @param claim its name within the pod; empty for the one that is made for extended resources
     * @param request its name, or {@code request/alternative}; empty where it is the claim's only one
     * @param asked how many devices; 0 for all
     * @param inAll the devices of all nodes together; those that several nodes share are counted for each
     * @param nodes those with most for the request, best first
     * @param more how many nodes more have devices of the class
     * @param beside why even the best node will not do where enough of its devices are free; empty where they are not
     * @param users pods of the pod's namespace that have some of the devices, and how many others have
     * @param instead what devices have in the place of what a selector asks for that keeps most of them away; empty where none does
     */
    record Devices(
            String claim,
            String request,
            String deviceClass,
            long asked,
            NodeDevices inAll,
            List<NodeDevices> nodes,
            int more,
            String beside,
            DeviceUsers users,
            String instead)
            implements Account {}

    /**
     * The devices of a class on a node.
     *
     * @param node empty for all together
     * @param free those that nothing keeps from the request
     * @param lost to what the others are lost, as "in use" or "taint broken:NoSchedule": each to the first thing that is in its way
     */
    record NodeDevices(String node, int devices, int free, SortedMap<String, Integer> lost) {
        /** What the devices are lost to that others have. */
        public static final String IN_USE = "in use";
    }

    /** @param others how many claims of other namespaces, or of no pod */
    record DeviceUsers(List<String> pods, int others) {}

    record Words(String text) implements Account {}

    /**
     * Something that the pod names and that is nowhere, with what there is instead: its author may have mistyped it.
     *
     * @param isNear whether something of nearly that name is there
     */
    record Mistake(String text, boolean isNear) implements Account {
        private static final int MOST_NAMES = 5;

        /** Of a text about a name, with the first of the names that there are, and the nearest; mere words where there are none. */
        public static Account of(String text, String name, SortedSet<String> there) {
            if (there.isEmpty()) {
                return new Words(text);
            }
            int more = there.size() - MOST_NAMES;
            String hint = NearestName.hint(name, there);
            if (!hint.isEmpty() && more > 0) {
                return of(text, hint);
            }
            return of(
                    text
                            + (there.size() == 1 ? "; there is " : "; there are ")
                            + there.stream().limit(MOST_NAMES).collect(Collectors.joining(", "))
                            + (more > 0 ? " and " + more + " more" : ""),
                    hint);
        }

        /** Of a text, and a hint at a near name, or none. */
        public static Mistake of(String text, String hint) {
            return new Mistake(text + hint, !hint.isEmpty());
        }
    }
}
