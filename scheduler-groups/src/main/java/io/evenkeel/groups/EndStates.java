package io.evenkeel.groups;

import io.evenkeel.groups.AlikeModel.KeyLevel;
import io.evenkeel.groups.Certificate.Cut;
import io.evenkeel.groups.Certificate.Vertex;
import io.evenkeel.groups.RoundPlan.Shuffle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds how many pods each node of a model gets in the end, by a flow with lower bounds: through the domains of one chain, the
 * cells, and the domains of the other. Nodes of a cell are alike to all rules but those over single nodes, whose bounds add
 * up; so there are as many edges as cells, however many nodes.
 */
final class EndStates {

    /** The answer for one choice of minima: so many pods by node, or the cut that shows that there is none. */
    record Found(Optional<int[]> byNode, Cut cut) {}

    private final AlikeModel model;
    private final int pods;
    private final int[] minima;
    private final FlowNetwork network = new FlowNetwork();
    private final List<Vertex> names = new ArrayList<>();
    private boolean clashes;

    private EndStates(AlikeModel model, int pods, int[] minima) {
        this.model = model;
        this.pods = pods;
        this.minima = minima;
    }

    /** An end state of so many pods where the emptiest domain of each rule holds what is chosen for it. */
    static Found find(AlikeModel model, int pods, int[] minima) {
        return new EndStates(model, pods, minima).find(0);
    }

    /** One of several; the same turn always finds the same one. */
    static Optional<int[]> find(AlikeModel model, int pods, int[] minima, long turn) {
        return new EndStates(model, pods, minima).find(turn).byNode();
    }

    private Found find(long turn) {
        int from = vertex(Vertex.FROM);
        int to = vertex(Vertex.TO);
        int[] chain = vertices(model.chain, from, to, true);
        int[] other = vertices(model.otherChain, from, to, false);
        int[] edges = new int[model.cells()];
        int[][] lowers = new int[model.cells()][];
        for (int cell : Shuffle.order(model.cells(), turn)) {
            int[] nodes = model.cellNodes[cell];
            lowers[cell] = new int[nodes.length];
            int lower = 0;
            int upper = 0;
            for (int i = 0; i < nodes.length; i++) {
                lowers[cell][i] = model.lowerAt(nodes[i], minima);
                int most = model.upperAt(nodes[i], minima);
                clashes |= lowers[cell][i] > most;
                lower += lowers[cell][i];
                upper += most;
            }
            if (!clashes) {
                edges[cell] = network.edge(chain[model.cellChain[cell]], other[model.cellOther[cell]], lower, upper);
            }
        }
        if (clashes) {
            return new Found(Optional.empty(), new Cut(asList(minima), List.of()));
        }
        network.edge(to, from, pods, pods);
        if (!network.circulates()) {
            return new Found(
                    Optional.empty(),
                    new Cut(
                            asList(minima),
                            network.cut().stream().mapToObj(names::get).toList()));
        }
        int[] byNode = new int[model.nodes.length];
        for (int cell = 0; cell < model.cells(); cell++) {
            share(network.flow(edges[cell]), model.cellNodes[cell], lowers[cell], byNode);
        }
        return new Found(Optional.of(byNode), new Cut(List.of(), List.of()));
    }

    /** Vertices of the finest level by domain; the outer end of a chain without levels stands for all. */
    private int[] vertices(List<KeyLevel> chain, int from, int to, boolean isFirst) {
        int outer = isFirst ? from : to;
        int[] above = {outer};
        for (int i = 0; i < chain.size(); i++) {
            KeyLevel level = chain.get(i);
            int firstRule = model.ruleOf(level);
            int[] own = new int[level.size()];
            Arrays.fill(own, -1);
            for (int node = 0; node < model.nodes.length; node++) {
                int domain = level.domainOf()[node];
                if (own[domain] >= 0) {
                    continue;
                }
                own[domain] = vertex(new Vertex(level.key(), level.names()[domain]));
                int parent = above[i == 0 ? 0 : chain.get(i - 1).domainOf()[node]];
                int lower = level.lower(minima, firstRule, domain);
                int upper = level.upper(minima, firstRule, domain);
                if (lower > upper) {
                    clashes = true;
                } else {
                    network.edge(isFirst ? parent : own[domain], isFirst ? own[domain] : parent, lower, upper);
                }
            }
            above = own;
        }
        return above;
    }

    private int vertex(Vertex name) {
        names.add(name);
        return network.vertex();
    }

    /** Each node gets what it must, and then one after the other one more, as long as it may. */
    private void share(int flow, int[] nodes, int[] lowers, int[] byNode) {
        int rest = flow;
        for (int i = 0; i < nodes.length; i++) {
            byNode[nodes[i]] = lowers[i];
            rest -= lowers[i];
        }
        while (rest > 0) {
            for (int i = 0; i < nodes.length && rest > 0; i++) {
                if (byNode[nodes[i]] < model.upperAt(nodes[i], minima)) {
                    byNode[nodes[i]]++;
                    rest--;
                }
            }
        }
    }

    private static List<Integer> asList(int[] numbers) {
        return Arrays.stream(numbers).boxed().toList();
    }
}
