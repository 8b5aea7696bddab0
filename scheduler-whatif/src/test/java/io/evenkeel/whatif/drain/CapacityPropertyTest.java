package io.evenkeel.whatif.drain;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.drain.Capacity.Headroom;
import io.evenkeel.whatif.drain.Capacity.Loss;
import io.evenkeel.whatif.drain.NaiveDrains.ANode;
import io.evenkeel.whatif.drain.NaiveDrains.APod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Small clusters that lose nodes or get more pods: wherever the scheduler puts one pod after the other, what is said is one of the ways
 * in which that can end. A pod waits where no node fits, and else does not.
 */
class CapacityPropertyTest {
    private static final int CLUSTERS = 400;

    /** More than there is room for in any of the clusters. */
    private static final int MOST = 25;

    private int waited;
    private int placed;
    private int lacks;

    /** How it ends for pods that come one after the other. */
    private record End(List<String> waiting, Set<String> firstLacks, NaiveDrains.State state) {}

    @Test
    void whatALossLeavesIsOneOfTheWaysThatItCanEnd() {
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Random random = new Random(seed);
            NaiveDrains naive = drawn(random);
            ClusterSnapshot cluster = DrawnClusters.snapshot(naive);
            Set<Integer> lost = lost(naive, random);

            Loss loss = Capacity.lose(cluster, names(naive, lost));

            List<String> waiting =
                    loss.waiting().stream().map(each -> each.pod().name()).toList();
            assertThat(afterLoss(naive, lost)).as("seed %d: %s", seed, loss).anySatisfy(end -> {
                assertThat(end.waiting()).isEqualTo(waiting);
                assertThat(end.firstLacks()).containsAll(loss.runsOut().stream().toList());
                assertThat(loss.runsOut().isPresent()).isEqualTo(!end.waiting().isEmpty());
            });
            assertThat(loss.placed() + waiting.size())
                    .isEqualTo(leaving(naive, lost).size());
            assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
            waited += waiting.isEmpty() ? 0 : 1;
            placed += loss.placed();
        }
        assertThat(waited).as("losses after which pods wait").isGreaterThan(CLUSTERS / 5);
        assertThat(placed).as("pods placed again").isGreaterThan(CLUSTERS / 2);
    }

    @Test
    void headroomIsOneOfTheNumbersThatItCanBe() {
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Random random = new Random(seed);
            NaiveDrains naive = drawn(random);
            ClusterSnapshot cluster = DrawnClusters.snapshot(naive);
            Set<Integer> lost = lost(naive, random);
            if (naive.pods.isEmpty()) {
                continue;
            }
            Pod template = cluster.pods().getFirst();
            int app = naive.pods.getFirst().app();

            Headroom now = Capacity.headroom(cluster, template, MOST);
            Headroom without = Capacity.headroomWithout(cluster, names(naive, lost), template, MOST);

            IntStream.range(0, MOST).forEach(i -> naive.pods.add(new APod("more" + i, app)));
            naive.places = Arrays.copyOf(naive.places, naive.pods.size());
            Arrays.fill(naive.places, naive.places.length - MOST, naive.places.length, -1);
            check("seed " + seed, now, List.of(naive.new State()), naive);
            check(
                    "seed " + seed + " without " + lost,
                    without,
                    afterLoss(naive, lost).stream().map(End::state).toList(),
                    naive);
        }
        assertThat(lacks).as("that run out of a resource").isGreaterThan(CLUSTERS / 5);
    }

    private void check(String what, Headroom said, Collection<NaiveDrains.State> from, NaiveDrains naive) {
        List<Integer> more = IntStream.range(naive.pods.size() - MOST, naive.pods.size())
                .boxed()
                .toList();
        assertThat(from.stream().flatMap(state -> ends(naive, state, more, true).stream()))
                .as("%s: %s", what, said)
                .anySatisfy(end -> {
                    assertThat(MOST - end.waiting().size()).isEqualTo(said.pods());
                    assertThat(end.firstLacks()).contains(said.runsOut().orElseThrow());
                });
        lacks += said.runsOut().orElseThrow().startsWith("Insufficient") ? 1 : 0;
    }

    private static NaiveDrains drawn(Random random) {
        NaiveDrains naive = DrawnClusters.drawn(random);
        naive.nodes.removeIf(ANode::isOfSurge);
        return naive;
    }

    /** Some nodes, never all. */
    private static Set<Integer> lost(NaiveDrains naive, Random random) {
        int kept = random.nextInt(naive.nodes.size());
        return IntStream.range(0, naive.nodes.size())
                .filter(node -> node != kept && random.nextInt(3) > 0)
                .boxed()
                .collect(Collectors.toSet());
    }

    private static List<String> names(NaiveDrains naive, Set<Integer> nodes) {
        return nodes.stream().map(node -> naive.nodes.get(node).name()).toList();
    }

    private static List<Integer> leaving(NaiveDrains naive, Set<Integer> lost) {
        return IntStream.range(0, naive.pods.size())
                .filter(pod -> lost.contains(naive.places[pod]))
                .boxed()
                .sorted(Comparator.comparingInt(
                        (Integer pod) -> -naive.pods.get(pod).app()))
                .toList();
    }

    private static Collection<End> afterLoss(NaiveDrains naive, Set<Integer> lost) {
        NaiveDrains.State state = naive.new State();
        leaving(naive, lost).forEach(pod -> state.at[pod] = -1);
        lost.forEach(node -> state.removed[node] = true);
        return ends(naive, state, leaving(naive, lost), false);
    }

    private static Collection<End> ends(
            NaiveDrains naive, NaiveDrains.State from, List<Integer> pods, boolean untilOneWaits) {
        Map<String, End> ends = new HashMap<>();
        ends(naive, new End(List.of(), Set.of(), from), pods, untilOneWaits, new HashSet<>(), ends);
        return ends.values();
    }

    private static void ends(
            NaiveDrains naive,
            End so,
            List<Integer> pods,
            boolean untilOneWaits,
            Set<String> tried,
            Map<String, End> ends) {
        String key = pods.size() + so.state().key() + so.waiting() + so.firstLacks();
        if (pods.isEmpty()) {
            ends.put(key, so);
        } else if (tried.add(key)) {
            int pod = pods.getFirst();
            List<Integer> rest = pods.subList(1, pods.size());
            List<Integer> fitting = IntStream.range(0, naive.nodes.size())
                    .filter(node -> so.state().fits(pod, node))
                    .boxed()
                    .toList();
            for (int node : fitting) {
                NaiveDrains.State next = naive.new State(so.state());
                next.at[pod] = node;
                ends(naive, new End(so.waiting(), so.firstLacks(), next), rest, untilOneWaits, tried, ends);
            }
            if (fitting.isEmpty()) {
                List<String> waiting = new ArrayList<>(so.waiting());
                (untilOneWaits ? pods : List.of(pod))
                        .forEach(each -> waiting.add(naive.pods.get(each).name()));
                Set<String> lacks = so.waiting().isEmpty() ? lacks(naive, so.state(), pod) : so.firstLacks();
                ends(
                        naive,
                        new End(waiting, lacks, so.state()),
                        untilOneWaits ? List.of() : rest,
                        untilOneWaits,
                        tried,
                        ends);
            }
        }
    }

    /** What most nodes lack, the resource first; several where as many do. */
    private static Set<String> lacks(NaiveDrains naive, NaiveDrains.State state, int pod) {
        Map<String, Long> refusals = IntStream.range(0, naive.nodes.size())
                .filter(node -> !state.removed[node])
                .mapToObj(node -> state.refusal(pod, node))
                .collect(Collectors.groupingBy(why -> why, Collectors.counting()));
        if (refusals.containsKey("Insufficient cpu")) {
            return Set.of("Insufficient cpu");
        }
        long most = refusals.values().stream().mapToLong(count -> count).max().orElse(0);
        return refusals.keySet().stream()
                .filter(why -> refusals.get(why) == most)
                .collect(Collectors.toSet());
    }
}
