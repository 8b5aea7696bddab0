package io.evenkeel.whatif.drain;

import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.Standing;
import io.evenkeel.whatif.drain.DrainPlan.Step;
import io.evenkeel.whatif.drain.DrainPlanner.Gone;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Finds nodes that a cluster can do without: each is drained in thought as {@link DrainPlanner} does it, so that every
 * PodDisruptionBudget and hard constraint is kept on the way; then it is taken away.
 */
public final class Consolidation implements AutoCloseable {

    /** A node that cannot. */
    public record Stays(String node, String why) {}

    /**
     * What each node could do, the others being as they are.
     *
     * @param go in the order of the nodes that were asked about
     */
    public record Alone(List<Step> go, List<Stays> stay) {
        public Alone {
            go = List.copyOf(go);
            stay = List.copyOf(stay);
        }
    }

    /**
     * Nodes that go one after the other.
     *
     * @param areMost whether no more can; else there may be a way for more
     */
    public record Together(List<Step> go, boolean areMost) {
        public Together {
            go = List.copyOf(go);
        }
    }

    /** Where the scheduler's own choices do not lead on, so many nodes are looked at for others: once for all nodes alone, and once together. */
    private static final int NODES_LOOKED_AT = 2_000_000;

    private final ClusterSnapshot cluster;
    private final EvictionBudgets budgets;
    private final Standing standing;
    private long triesAlone;

    /** Of the cluster as it is now; nothing may be put until it is closed. */
    public Consolidation(ClusterSnapshot cluster) {
        this.cluster = cluster;
        budgets = new EvictionBudgets(cluster.view());
        standing = new Standing(cluster);
        triesAlone = tries();
    }

    private long tries() {
        return NODES_LOOKED_AT / Math.max(1, cluster.view().nodes().count());
    }

    /** Which of these nodes can go, each by itself. The cluster is afterwards as it was. */
    public Alone alone(List<String> nodes) {
        List<Step> go = new ArrayList<>();
        List<Stays> stay = new ArrayList<>();
        for (String node : nodes) {
            Way way = way(node);
            way.step().ifPresentOrElse(go::add, () -> stay.add(new Stays(node, way.problem())));
        }
        return new Alone(go, stay);
    }

    /**
     * How a node can go.
     *
     * @param problem what is in the way, where it cannot
     */
    private record Way(Optional<Step> step, String problem) {}

    private Way way(String node) {
        boolean isHopeless;
        String problem;
        try (Transaction _ = cluster.begin()) {
            Emptying emptying = emptying(node);
            Optional<String> contradiction = emptying.contradiction(false);
            isHopeless = contradiction.isPresent();
            problem = contradiction.or(() -> emptied(emptying)).orElse("");
            emptying.takeBack();
            if (problem.isEmpty()) {
                return new Way(Optional.of(emptying.step()), "");
            }
        }
        if (isHopeless) {
            return new Way(Optional.empty(), problem);
        }
        Gone gone = DrainPlanner.mostGone(cluster, budgets, standing, List.of(node), List.of(), triesAlone);
        budgets.reset();
        triesAlone -= Math.min(triesAlone, gone.tries());
        return new Way(
                gone.steps().stream().findFirst(),
                gone.areMost() ? problem : problem + "; not every other choice of nodes was tried");
    }

    /** The most of these nodes that were found to go one after the other. The cluster is afterwards as it was. */
    public Together together(List<String> nodes) {
        List<String> emptiestFirst = nodes.stream()
                .filter(this::mayGo)
                .sorted(Comparator.comparingInt(node -> cluster.podsOn(node).size()))
                .toList();
        List<Step> inTurn = inTurn(emptiestFirst);
        Gone gone = DrainPlanner.mostGone(cluster, budgets, standing, emptiestFirst, inTurn, tries());
        budgets.reset();
        return new Together(gone.steps(), gone.areMost());
    }

    private boolean mayGo(String node) {
        try (Transaction _ = cluster.begin()) {
            return emptying(node).contradiction(false).isEmpty();
        }
    }

    /** Takes each away that can go as the scheduler places its pods. */
    private List<Step> inTurn(List<String> nodes) {
        List<Step> all = new ArrayList<>();
        try (Transaction _ = cluster.begin()) {
            for (String node : nodes) {
                try (Transaction tried = cluster.begin()) {
                    Emptying emptying = emptying(node);
                    if (emptied(emptying).isEmpty()) {
                        all.add(emptying.step());
                        cluster.removeNode(node);
                        tried.commit();
                    } else {
                        emptying.takeBack();
                    }
                }
            }
        }
        budgets.reset();
        return all;
    }

    /** Which of these could stand in for the node: the first. The cluster is afterwards as it was. */
    public Optional<Replacement> replacement(String name, List<Node> offers) {
        Node node = cluster.view().node(name).orElseThrow();
        for (Node offer : offers) {
            try (Transaction _ = cluster.begin()) {
                Node instead = inPlaceOf(node, offer, cluster.freeNodeName(name + "-instead"));
                cluster.putNodeLike(instead, name);
                Optional<Step> step =
                        isTooFull(instead.name()) ? Optional.empty() : way(name).step();
                if (step.isPresent()) {
                    return Optional.of(new Replacement(offer, instead.name(), step.get()));
                }
            }
        }
        return Optional.empty();
    }

    /** The pods of DaemonSets may be more than it has room for. */
    private boolean isTooFull(String name) {
        NodeTable table = cluster.view().nodes();
        int node = table.findPresent(name);
        return table.podCount(node) > table.allowedPods(node)
                || IntStream.range(0, cluster.view().resources().end())
                        .anyMatch(resource -> table.requested(resource, node) > table.allocatable(resource, node));
    }

    /**
     * A node that can stand in for another.
     *
     * @param name that it has in the moves
     */
    public record Replacement(Node offer, String name, Step step) {}

    /** In the same zone and pool: with that one's labels and taints, and what the offer says otherwise. */
    private static Node inPlaceOf(Node node, Node offer, String name) {
        NodeBuilder instead = NodeBuilder.node(name).labels(node.labels());
        offer.labels().asMap().forEach(instead::label);
        Set<Object> taints = new HashSet<>();
        node.taints().stream()
                .filter(taint -> !taint.isOfCondition() && taints.add(taint))
                .forEach(instead::taint);
        offer.taints().stream().filter(taints::add).forEach(instead::taint);
        return instead.hostname(name).allocatable(offer.allocatable()).build();
    }

    private Emptying emptying(String node) {
        Emptying emptying = new Emptying(cluster, budgets, standing, node, List.of(), List.of());
        cluster.putNode(NodeBuilder.from(cluster.view().node(node).orElseThrow())
                .cordoned()
                .build());
        return emptying;
    }

    private Optional<String> emptied(Emptying emptying) {
        Optional<String> problem = emptying.asScheduled();
        if (problem.isEmpty() && standing.mindsNodesThatGo()) {
            cluster.removeNode(emptying.node);
            problem = emptying.brokenOnceGone();
        }
        return problem;
    }

    @Override
    public void close() {
        standing.close();
        budgets.close();
    }
}
