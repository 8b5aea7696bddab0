package io.evenkeel.whatif.drain;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.EvictionBudgets;
import io.evenkeel.whatif.Standing;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds nodes that a cluster can do without: each is drained in thought as {@link DrainPlanner} does it, the scheduler choosing where
 * the pods go, so that every PodDisruptionBudget and hard constraint is kept on the way; then it is taken away.
 */
public final class Consolidation implements AutoCloseable {

    /** A node that can go, and where its pods go then. */
    public record Goes(String node, List<Move> moves) {
        public Goes {
            moves = List.copyOf(moves);
        }
    }

    /** A node that cannot. */
    public record Stays(String node, String why) {}

    /**
     * What each node could do, the others being as they are.
     *
     * @param go in the order of the nodes that were asked about
     */
    public record Alone(List<Goes> go, List<Stays> stay) {
        public Alone {
            go = List.copyOf(go);
            stay = List.copyOf(stay);
        }
    }

    private final ClusterSnapshot cluster;
    private final EvictionBudgets budgets;
    private final Standing standing;

    /** Of the cluster as it is now; nothing may be put until it is closed. */
    public Consolidation(ClusterSnapshot cluster) {
        this.cluster = cluster;
        budgets = new EvictionBudgets(cluster.view());
        standing = new Standing(cluster);
    }

    /** Which of these nodes can go, each by itself. The cluster is afterwards as it was. */
    public Alone alone(List<String> nodes) {
        List<Goes> go = new ArrayList<>();
        List<Stays> stay = new ArrayList<>();
        for (String node : nodes) {
            try (Transaction _ = cluster.begin()) {
                Emptying emptying = emptying(node);
                Optional<String> problem = emptied(emptying);
                if (problem.isEmpty()) {
                    go.add(goes(emptying));
                } else {
                    stay.add(new Stays(node, problem.get()));
                }
                emptying.takeBack();
            }
        }
        return new Alone(go, stay);
    }

    /** Nodes that can go one after the other, those with the fewest pods first. The cluster is afterwards as it was. */
    public List<Goes> together(List<String> nodes) {
        List<String> emptiestFirst = nodes.stream()
                .sorted(Comparator.comparingInt(node -> cluster.podsOn(node).size()))
                .toList();
        List<Goes> all = new ArrayList<>();
        try (Transaction _ = cluster.begin()) {
            for (String node : emptiestFirst) {
                try (Transaction tried = cluster.begin()) {
                    Emptying emptying = emptying(node);
                    if (emptied(emptying).isEmpty()) {
                        all.add(goes(emptying));
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
                Node instead = inPlaceOf(node, offer);
                cluster.putNodeLike(instead, name);
                Emptying emptying = emptying(name);
                Optional<String> problem = emptied(emptying);
                emptying.takeBack();
                if (problem.isEmpty()) {
                    return Optional.of(new Replacement(
                            offer, instead.name(), goes(emptying).moves()));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * A node that can stand in for another.
     *
     * @param name that it has in the moves
     */
    public record Replacement(Node offer, String name, List<Move> moves) {
        public Replacement {
            moves = List.copyOf(moves);
        }
    }

    /** In the same zone and pool: with that one's labels and taints, and what the offer says otherwise. */
    private static Node inPlaceOf(Node node, Node offer) {
        String name = node.name() + "-instead";
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
        Optional<String> problem = emptying.contradiction(false).or(emptying::asScheduled);
        if (problem.isEmpty() && standing.mindsNodesThatGo()) {
            cluster.removeNode(emptying.node);
            problem = emptying.broken();
        }
        return problem;
    }

    private static Goes goes(Emptying emptying) {
        return new Goes(
                emptying.node, emptying.waves.stream().flatMap(List::stream).toList());
    }

    @Override
    public void close() {
        standing.close();
        budgets.close();
    }
}
