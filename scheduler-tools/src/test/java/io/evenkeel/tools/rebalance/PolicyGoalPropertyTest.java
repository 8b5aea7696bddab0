package io.evenkeel.tools.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The goal that policies are kept, against trying all sets of moves on small random clusters. */
class PolicyGoalPropertyTest {
    private static final int CLUSTERS = 300;

    @TempDir
    private Path folder;

    /** Some pods of one app, of which a policy wants so many at most on a node or in a zone, and some others. */
    private record Naive(int[] cpus, int zones, boolean isOverZones, int maxPods, List<Pod> pods, int[] at) {
        record Pod(boolean isLimited, boolean isOwned, int cpu) {}

        record Best(int against, int moves) {}

        static Naive drawn(SplittableRandom random) {
            int[] cpus = IntStream.range(0, 2 + random.nextInt(2))
                    .map(_ -> 2 + random.nextInt(5))
                    .toArray();
            List<Pod> pods = IntStream.range(0, 1 + random.nextInt(6))
                    .mapToObj(_ -> new Pod(random.nextInt(4) > 0, random.nextInt(5) > 0, 1 + random.nextInt(2)))
                    .toList();
            return new Naive(
                    cpus,
                    1 + random.nextInt(2),
                    random.nextInt(3) == 0,
                    1 + random.nextInt(2),
                    pods,
                    pods.stream().mapToInt(_ -> random.nextInt(cpus.length)).toArray());
        }

        private int domain(int node) {
            return isOverZones ? node % zones : node;
        }

        boolean isAgainst(int pod, int[] where) {
            return pods.get(pod).isLimited()
                    && IntStream.range(0, where.length)
                                    .filter(other ->
                                            pods.get(other).isLimited() && domain(where[other]) == domain(where[pod]))
                                    .count()
                            > maxPods;
        }

        int against(int[] where) {
            return (int) IntStream.range(0, where.length)
                    .filter(pod -> isAgainst(pod, where))
                    .count();
        }

        int moves(int[] where) {
            return (int) IntStream.range(0, where.length)
                    .filter(pod -> where[pod] != at[pod])
                    .count();
        }

        boolean isLegal(int[] where) {
            return IntStream.range(0, where.length)
                    .allMatch(pod -> where[pod] == at[pod]
                            ? isAgainst(pod, at) || !isAgainst(pod, where)
                            : pods.get(pod).isOwned() && !isAgainst(pod, where) && hasRoom(where, where[pod]));
        }

        private boolean hasRoom(int[] where, int node) {
            return IntStream.range(0, where.length)
                            .filter(pod -> where[pod] == node)
                            .map(pod -> pods.get(pod).cpu())
                            .sum()
                    <= cpus[node];
        }

        Best best() {
            Best best = new Best(against(at), 0);
            long all = Math.round(Math.pow(cpus.length, at.length));
            for (long number = 0; number < all; number++) {
                long rest = number;
                int[] where = new int[at.length];
                for (int pod = 0; pod < where.length; pod++) {
                    where[pod] = (int) (rest % cpus.length);
                    rest /= cpus.length;
                }
                Best it = new Best(against(where), moves(where));
                if ((it.against() < best.against() || (it.against() == best.against() && it.moves() < best.moves()))
                        && isLegal(where)) {
                    best = it;
                }
            }
            return best;
        }

        String scenario() {
            List<String> objects = new ArrayList<>();
            for (int node = 0; node < cpus.length; node++) {
                objects.add("""
                        {"kind":"Node","apiVersion":"v1","metadata":{"name":"n%1$d","labels":{"kubernetes.io/hostname":"n%1$d",\
                        "topology.kubernetes.io/zone":"z%2$d"}},"status":{"allocatable":{"cpu":"%3$d","pods":"10"}}}""".formatted(node, node % zones, cpus[node]));
            }
            for (int pod = 0; pod < at.length; pod++) {
                String owner = pods.get(pod).isOwned()
                        ? ",\"ownerReferences\":[{\"apiVersion\":\"apps/v1\",\"kind\":\"ReplicaSet\",\"name\":\"r\",\"uid\":\"u\","
                                + "\"controller\":true}]"
                        : "";
                objects.add("""
                        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"p%d","namespace":"shop","labels":{"app":"%s"}%s},"spec":\
                        {"nodeName":"n%d","containers":[{"name":"main","resources":{"requests":{"cpu":"%d"}}}]},\
                        "status":{"phase":"Running"}}""".formatted(
                                pod,
                                pods.get(pod).isLimited() ? "web" : "db",
                                owner,
                                at[pod],
                                pods.get(pod).cpu()));
            }
            objects.add("""
                    {"kind":"PlacementPolicy","apiVersion":"evenkeel.io/v1alpha1","metadata":{"name":"web","namespace":"shop"},"spec":\
                    {"selector":{"matchLabels":{"app":"web"}},"rules":[{"topologyKey":"%s","maxPods":%d}]}}""".formatted(isOverZones ? "topology.kubernetes.io/zone" : "kubernetes.io/hostname", maxPods));
            return """
                    {"name":"x","config":{"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",\
                    "profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"PlacementPolicy"}]}}}]},"objects":[%s]}""".formatted(String.join(",", objects));
        }
    }

    @Test
    void policiesAreKeptByTheFewestMoves() throws IOException {
        SplittableRandom random = new SplittableRandom(7);
        List<Naive> clusters = IntStream.range(0, CLUSTERS)
                .mapToObj(_ -> Naive.drawn(random.split()))
                .toList();
        Path file = Files.write(
                folder.resolve("scenarios.jsonl"),
                clusters.stream().map(Naive::scenario).toList());

        Typed typed =
                Typed.evenkeel("rebalance", "plan", "--goal", "policies", "-o", "json", "--scenario", file.toString());

        assertThat(typed.err()).isEmpty();
        List<String> plans = typed.out().lines().toList();
        assertThat(plans).hasSize(CLUSTERS);
        assertThat(plans).anyMatch(plan -> plan.contains("\"before\":4,\"after\":0"));
        for (int i = 0; i < CLUSTERS; i++) {
            Naive naive = clusters.get(i);
            JsonObject plan = JsonParser.parseString(plans.get(i)).getAsJsonObject();
            int[] after = naive.at().clone();
            for (JsonElement move : plan.getAsJsonArray("moves")) {
                after[number(move, "pod", "shop/p")] = number(move, "to", "n");
            }
            String where = "cluster " + i + ": " + plan;
            JsonObject violations = plan.getAsJsonObject("violations");
            assertThat(naive.isLegal(after)).as(where).isTrue();
            assertThat(violations.get("before").getAsInt()).as(where).isEqualTo(naive.against(naive.at()));
            assertThat(violations.get("after").getAsInt()).as(where).isEqualTo(naive.against(after));
            assertThat(plan.get("optimal").getAsBoolean()).as(where).isTrue();
            assertThat(new Naive.Best(naive.against(after), naive.moves(after)))
                    .as(where)
                    .isEqualTo(naive.best());
        }
    }

    private static int number(JsonElement move, String field, String before) {
        return Integer.parseInt(move.getAsJsonObject().get(field).getAsString().substring(before.length()));
    }
}
