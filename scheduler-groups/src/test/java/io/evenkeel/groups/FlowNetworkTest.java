package io.evenkeel.groups;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each answer proves itself: a circulation keeps all bounds, and a cut shows that there is none. */
class FlowNetworkTest {
    private record Edge(int from, int to, int lower, int upper, int number) {}

    @Test
    void findsACirculationOrACutThatRulesItOut() {
        int found = 0;
        int ruledOut = 0;
        for (int seed = 0; seed < 3_000; seed++) {
            Random random = new Random(seed);
            FlowNetwork network = new FlowNetwork();
            int vertices = 2 + random.nextInt(8);
            for (int vertex = 0; vertex < vertices; vertex++) {
                network.vertex();
            }
            List<Edge> edges = new ArrayList<>();
            for (int i = random.nextInt(30); i >= 0; i--) {
                int from = random.nextInt(vertices);
                int to = (from + 1 + random.nextInt(vertices - 1)) % vertices;
                int lower = random.nextInt(3) == 0 ? random.nextInt(4) : 0;
                int upper = lower + random.nextInt(5);
                edges.add(new Edge(from, to, lower, upper, network.edge(from, to, lower, upper)));
            }
            if (network.circulates()) {
                found++;
                isCirculation(seed, network, edges, vertices);
            } else {
                ruledOut++;
                rulesOut(seed, network.cut(), edges);
            }
        }
        assertThat(found).isGreaterThan(300);
        assertThat(ruledOut).isGreaterThan(300);
    }

    private static void isCirculation(int seed, FlowNetwork network, List<Edge> edges, int vertices) {
        int[] balance = new int[vertices];
        for (Edge edge : edges) {
            int flow = network.flow(edge.number());
            assertThat(flow).as("seed %s, %s", seed, edge).isBetween(edge.lower(), edge.upper());
            balance[edge.from()] -= flow;
            balance[edge.to()] += flow;
        }
        assertThat(balance).as("seed %s", seed).containsOnly(0);
    }

    private static void rulesOut(int seed, BitSet cut, List<Edge> edges) {
        int mustComeIn = 0;
        int mayGoOut = 0;
        for (Edge edge : edges) {
            boolean fromInside = cut.get(edge.from());
            boolean toInside = cut.get(edge.to());
            mustComeIn += toInside && !fromInside ? edge.lower() : 0;
            mayGoOut += fromInside && !toInside ? edge.upper() : 0;
        }
        assertThat(mustComeIn).as("seed %s", seed).isGreaterThan(mayGoOut);
    }
}
