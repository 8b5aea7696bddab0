package io.evenkeel.policies.scaledown;

import io.evenkeel.policies.scaledown.Mark.Writer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;
import java.util.stream.Collectors;

/**
 * Ranks a ReplicaSet's pods by the cost of their deletion. The pods of a domain are numbered, and by its number a pod costs what
 * {@link Shares} say; who has which number matters little, so that pods keep theirs:
 *
 * <pre>{@code
 *                     zone a         zone b
 *                     -1 -2 -3       -1 -2 -3 -4
 * a's -1 is deleted      -2 -3                       two pods, 1 and 2 are to be had
 * the last fills up      -2 -1                       one write
 * }</pre>
 *
 * <p>Pods that are not ready go first whatever they cost, and so have the last numbers; one that never was ready has none. A pod
 * that bears a cost of another writer's is counted for the number nearest to it.
 */
final class Ranking {
    private static final Comparator<Candidate> OLDEST_FIRST = Comparator.comparing((Candidate pod) -> !pod.isReady())
            .thenComparing(pod -> pod.since().isEmpty() ? "~" : pod.since())
            .thenComparing(Candidate::name);

    private Ranking() {}

    /**
     * @param domain empty where its node has none
     * @param since when it was started, as text that sorts by time
     */
    record Candidate(String name, String domain, boolean isReady, String since, Mark mark) {}

    /** By name; of the pods that are to have a cost of ours. */
    static Map<String, Integer> costs(Collection<Candidate> pods, Shares shares) {
        Map<String, Integer> costs = new HashMap<>();
        pods.stream()
                .collect(Collectors.groupingBy(Candidate::domain))
                .forEach((domain, its) -> rank(
                        its, number -> domain.isEmpty() ? Shares.FIRST_TO_GO : shares.cost(domain, number), costs));
        return costs;
    }

    private static void rank(List<Candidate> pods, IntUnaryOperator cost, Map<String, Integer> costs) {
        List<Candidate> ours = pods.stream()
                .filter(pod -> pod.mark().writer() != Writer.ANOTHER)
                .filter(pod -> pod.isReady() || pod.mark().isOurs())
                .sorted(OLDEST_FIRST)
                .toList();
        int ready = (int) ours.stream().filter(Candidate::isReady).count();
        List<Integer> open = open(ours.size(), pods, cost);
        assign(ours.subList(0, ready), open.subList(0, ready), costs);
        assign(ours.subList(ready, ours.size()), open.subList(ready, open.size()), costs);
    }

    /** The costs of the first so many numbers that no pod of another writer's has. */
    private static List<Integer> open(int count, List<Candidate> pods, IntUnaryOperator cost) {
        Deque<Integer> others = pods.stream()
                .map(Candidate::mark)
                .filter(Mark::isAnothers)
                .map(Mark::cost)
                .sorted(Comparator.reverseOrder())
                .collect(Collectors.toCollection(ArrayDeque::new));
        List<Integer> open = new ArrayList<>();
        for (int number = 1; open.size() < count; number++) {
            int next = cost.applyAsInt(number);
            if (!others.isEmpty() && others.getFirst() >= next) {
                others.removeFirst();
            } else {
                open.add(next);
            }
        }
        return open;
    }

    private static void assign(List<Candidate> pods, List<Integer> open, Map<String, Integer> costs) {
        TreeMap<Integer, Integer> left = new TreeMap<>(Comparator.reverseOrder());
        open.forEach(cost -> left.merge(cost, 1, Integer::sum));
        List<Candidate> changing = new ArrayList<>();
        for (Candidate pod : pods) {
            if (pod.mark().isOurs() && left.containsKey(pod.mark().cost())) {
                costs.put(pod.name(), pod.mark().cost());
                takeOne(left, pod.mark().cost());
            } else {
                changing.add(pod);
            }
        }
        for (Candidate pod : changing) {
            int highest = left.firstKey();
            costs.put(pod.name(), highest);
            takeOne(left, highest);
        }
    }

    private static void takeOne(Map<Integer, Integer> left, int cost) {
        left.computeIfPresent(cost, (_, many) -> many == 1 ? null : many - 1);
    }
}
