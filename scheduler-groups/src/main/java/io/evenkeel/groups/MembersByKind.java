package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.SpreadRules;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.engine.decision.Likeness;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.groups.HardSpreads.HardSpread;
import io.evenkeel.groups.MembersByKind.PodKinds.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The group by kinds, with what is known of them before any is placed.
 *
 * @param members its pods in their order
 * @param spreads by kind, its hard spread constraints
 * @param mayFit by kind, where its pods fit or may fit
 * @param understood whether all plugins that may object are understood
 * @param searchable whether only who is where decides what may come next, so that what was gone through need not be tried again
 * @param leavesRoom whether room is left for pods that are nominated to some nodes
 */
record MembersByKind(
        List<PodInfo> members,
        List<Kind> kinds,
        List<List<HardSpread>> spreads,
        List<NodeSetView> mayFit,
        boolean understood,
        boolean searchable,
        boolean leavesRoom) {
    /** Of more there is hardly one that is counted alone, and all would have to be compared with all. */
    private static final int MOST_CLASSES = 64;

    /** Reads at least one pod. */
    static MembersByKind of(List<PodInfo> pods, Board board, HardSpreads spreads) {
        boolean understood = true;
        boolean searchable = true;
        for (PodInfo pod : pods) {
            understood &= board.judge(pod).areUnderstood(pod);
            searchable &= board.judge(pod).judgeTheLikeAlike(pod);
            spreads.of(pod);
        }
        // the filters bind what they count by when they are first asked: by shape, default constraints and plugins
        // that are not understood by labels as well
        Set<Facet<PodShape>> asked = new HashSet<>();
        Map<PodInfo, NodeSetView> answers = new HashMap<>();
        for (PodInfo pod : pods) {
            if (asked.add(pod.interned()) || !understood || board.judge(pod).spreadByDefault()) {
                answers.put(pod, board.ask(pod).mayFit().frozen());
            }
        }
        List<Kind> kinds = PodKinds.of(pods, board.view(), searchable);
        List<NodeSetView> mayFit = new ArrayList<>();
        for (Kind kind : kinds) {
            NodeSetView answer = answers.get(kind.first());
            mayFit.add(
                    answer != null ? answer : board.ask(kind.first()).mayFit().frozen());
        }
        return new MembersByKind(
                List.copyOf(pods),
                kinds,
                kinds.stream()
                        .map(kind -> board.judge(kind.first()).askPlugin(NodeVerdicts.SPREAD)
                                ? spreads.of(kind.first())
                                : List.<HardSpread>of())
                        .toList(),
                List.copyOf(mayFit),
                understood,
                searchable,
                kinds.stream().anyMatch(kind -> board.judge(kind.first()).leaveRoomBeside(kind.first())));
    }

    /** Returns the crew with these nodes alone to be on. */
    MembersByKind within(NodeSetView nodes) {
        List<NodeSetView> fewer = new ArrayList<>(mayFit.size());
        for (NodeSetView all : mayFit) {
            NodeSet some = all.copy();
            some.retainAll(nodes);
            fewer.add(some);
        }
        return new MembersByKind(members, kinds, spreads, List.copyOf(fewer), understood, searchable, leavesRoom);
    }

    List<PodResources> resources() {
        return members.stream().map(pod -> pod.shape().resources().value()).toList();
    }

    int pods() {
        return members.size();
    }

    /** A pod that no node can take whatever comes. */
    Optional<Kind> thatFitsNowhere() {
        return kinds.stream()
                .filter(kind -> mayFit.get(kind.number()).isEmpty())
                .findFirst();
    }

    /** The numbers of the kinds, those with the fewest nodes first. */
    List<Integer> fewestNodesFirst() {
        return IntStream.range(0, kinds.size())
                .boxed()
                .sorted(Comparator.comparingInt(kind -> mayFit.get(kind).size()))
                .toList();
    }

    /** How full the node's domains are that the kind is spread over. */
    long fillOf(int kind, int node) {
        long fill = 0;
        List<HardSpread> own = spreads.get(kind);
        for (int i = 0; i < own.size(); i++) {
            fill += own.get(i).fillOf(node);
        }
        return fill;
    }

    /** Whether nodes that look alike are alike to its pods. */
    boolean allowsTwins(ClusterView cluster) {
        boolean owning = kinds.stream()
                .map(kind -> kind.first().pod())
                .anyMatch(pod -> !pod.spec().volumes().isEmpty() || cluster.needsDevices(pod));
        return understood && !owning && !leavesRoom;
    }

    /** Whether pods of the kind count for the constraint. */
    static boolean counts(HardSpread spread, Kind kind, ClusterView cluster) {
        return cluster.selectors()
                .selects(
                        spread.group().key(),
                        kind.first().pod().namespace(),
                        kind.first().pod().labels());
    }

    private record Spread(
            Facet<SpreadRules> rules,
            String namespace,
            Facet<NodeRequirement> requirement,
            Facet<Tolerations> tolerations,
            List<Boolean> counting) {}

    /**
     * The kinds by their constraints, where those of one class count for these together and nobody else of the group does: else
     * others would fill the domains as well, and what is reckoned of these would not be so.
     */
    List<List<Kind>> alikeInSpread(ClusterView cluster) {
        Map<Spread, List<Kind>> alike = new LinkedHashMap<>();
        for (Kind kind : kinds) {
            PodShape shape = kind.first().shape();
            Spread spread = new Spread(
                    shape.spread(),
                    kind.first().pod().namespace(),
                    shape.nodeRequirement(),
                    shape.tolerations(),
                    spreads.get(kind.number()).stream()
                            .map(HardSpread::countsItself)
                            .toList());
            alike.computeIfAbsent(spread, _ -> new ArrayList<>()).add(kind);
        }
        return alike.size() > MOST_CLASSES
                ? List.of()
                : alike.values().stream()
                        .filter(some -> areCountedAlone(some, cluster))
                        .toList();
    }

    private boolean areCountedAlone(List<Kind> some, ClusterView cluster) {
        Set<Kind> own = new HashSet<>(some);
        List<Kind> others = kinds.stream().filter(other -> !own.contains(other)).toList();
        return spreads.get(some.getFirst().number()).stream()
                .allMatch(spread -> others.stream().noneMatch(other -> counts(spread, other, cluster)));
    }

    /**
     * Whether what a legal order ends in is legal as a whole: so it is where whoever counts for a constraint of the group
     * has that constraint too, as then no domain gets further ahead than when its last pod came.
     */
    boolean endsOfOrdersAreLegal(ClusterView cluster) {
        return understood
                && kinds.stream()
                        .allMatch(kind -> spreads.get(kind.number()).stream()
                                .allMatch(spread -> kinds.stream()
                                        .allMatch(other -> other.first().shape().spread()
                                                        == kind.first().shape().spread()
                                                || !counts(spread, other, cluster))));
    }

    /**
     * The pods of a group by kind: pods of a kind can take each other's places, as no filter can tell them apart. Where a plugin
     * filters of which nobody knows what it looks at, each pod is a kind of its own.
     */
    static final class PodKinds {

        /** Pods that can take each other's places, in the order of the group. */
        record Kind(int number, List<PodInfo> pods) {
            PodInfo first() {
                return pods.getFirst();
            }

            int size() {
                return pods.size();
            }
        }

        private record Key(Likeness likeness, String onlyItself) {}

        private PodKinds() {}

        /** The pods must have been asked about before: then all selectors that tell them apart are known. */
        static List<Kind> of(List<PodInfo> pods, ClusterView cluster, boolean likeAreAlike) {
            Map<Key, Kind> kinds = new LinkedHashMap<>();
            for (PodInfo pod : pods) {
                Key key = new Key(
                        Likeness.of(pod, cluster), likeAreAlike ? "" : pod.pod().key());
                kinds.computeIfAbsent(key, _ -> new Kind(kinds.size(), new ArrayList<>()))
                        .pods()
                        .add(pod);
            }
            return List.copyOf(kinds.values());
        }
    }
}
