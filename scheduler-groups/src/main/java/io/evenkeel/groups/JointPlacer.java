package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.engine.group.Seat;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds out whether all pods of a group can be placed, and in which order: tries it on the live state under what-ifs, so
 * that the cluster is as it was when it answers. The filters judge each step, so what it finds is right; it can only fail to
 * find, and says so.
 *
 * <ol>
 *   <li>Greedy: the pods with the fewest nodes first, each where its domains are the emptiest.
 *   <li>Counting: what each constraint and the room in its domains allow by themselves ({@link AlikeModel#minima}).
 *   <li>Flow, for pods with the same constraints: what all constraints allow together; where there is no flow, a cut is the
 *       proof. For pods that are alike also an end state, and an order for it ({@link ReleaseOrder}).
 *   <li>Search for an order, what looks best first; and for a state that is legal as a whole. Gone through in vain, they are a
 *       proof too.
 * </ol>
 */
public final class JointPlacer {
    private final ClusterState cluster;
    private final Function<PodInfo, NodeVerdicts> judges;

    /** @param judges who says of a pod where it fits, by its profile */
    public JointPlacer(ClusterState cluster, Function<PodInfo, NodeVerdicts> judges) {
        this.cluster = cluster;
        this.judges = judges;
    }

    /**
     * The result of a search.
     *
     * @param most the longest legal order that was come by, of as many of the pods as it has; all where they can be placed
     * @param domain where one was to be chosen, that of {@code most}, or of the end state where only all are of use
     * @param isMost whether it is shown that no more of them have a legal order than {@code most} has
     */
    public record Found(JointPlacement placement, List<Seat> most, Optional<String> domain, boolean isMost) {

        /** The most found among all nodes; more may be possible. */
        public Found(JointPlacement placement, List<Seat> most) {
            this(placement, most, Optional.empty(), false);
        }

        /** Whether it is shown that so many of so many pods cannot be placed one after the other. */
        public boolean rulesOut(int needed, int pods) {
            if (isMost) {
                return most.size() < needed;
            }
            return needed == pods
                    && switch (placement) {
                        case JointPlacement.Infeasible _ -> true;
                        case JointPlacement.EndStateOnly end -> end.orderRuledOut();
                        case JointPlacement.Placed _, JointPlacement.Unknown _ -> false;
                    };
        }
    }

    /** Whether all can be placed together. */
    public JointPlacement place(List<PodInfo> pods, Budget budget) {
        return find(pods, JointTerms.ALL, budget).placement();
    }

    /** Whether all can be placed together on these terms, and as many as possible where these want that. */
    public Found find(List<PodInfo> pods, JointTerms terms, Budget budget) {
        try (Board board = new Board(cluster, judges, budget);
                HardSpreads spreads = new HardSpreads(cluster.view())) {
            if (pods.isEmpty()) {
                return new Found(new JointPlacement.Placed(List.of(), 0), List.of());
            }
            MembersByKind crew = MembersByKind.of(pods, board, spreads);
            return terms.oneDomain()
                    .map(domain -> new OneDomainPlacer(board, crew, domain, terms.atLeast()).run())
                    .orElseGet(() -> new GroupAttempt(board, crew, terms.enough()).run(terms.wantMost(pods.size())));
        }
    }

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
}
