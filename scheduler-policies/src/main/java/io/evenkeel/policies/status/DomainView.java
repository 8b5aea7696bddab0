package io.evenkeel.policies.status;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.policies.PlacementPolicyPlugin;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.ReadablePolicy.AwaitedRule;
import io.evenkeel.policies.status.DomainMemory.Place;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * A pod's view of a domain that its policy has it wait for.
 *
 * @param obstacle why no node there would take it, in a word
 * @param takesIt whether one would
 * @param isInTheWay whether the pod waits for this domain: others would take it, had this one more pods
 */
record DomainView(Place place, Duration patience, String obstacle, boolean takesIt, boolean isInTheWay) {

    /**
     * Of all domains that a pod may be waiting for. One that is rejected outright, or that no domain would take, waits for something
     * else, and says nothing of domains.
     *
     * @param pod which waits for a node, or is looked at as if it did
     */
    static List<DomainView> of(ReadablePolicy policy, PodInfo pod, Diagnosis diagnosis, boolean isWaiting) {
        if (diagnosis.preFilter().isPresent()) {
            return List.of();
        }
        Obstacles obstacles = new Obstacles(diagnosis);
        return policy.awaitedRules(pod).stream()
                .flatMap(rule -> of(rule, obstacles, isWaiting).stream())
                .toList();
    }

    private static List<DomainView> of(AwaitedRule rule, Obstacles obstacles, boolean isWaiting) {
        List<AwaitedRule.Domain> domains = rule.domains();
        List<Optional<String>> inTheWay =
                domains.stream().map(domain -> obstacles.in(domain.nodes())).toList();
        OptionalInt fewest = IntStream.range(0, domains.size())
                .filter(i -> inTheWay.get(i).isEmpty())
                .map(i -> domains.get(i).pods())
                .min();
        if (fewest.isEmpty()) {
            return List.of();
        }
        int enough = fewest.getAsInt() + 1 - rule.maxSkew();
        return IntStream.range(0, domains.size())
                .mapToObj(i -> new DomainView(
                        new Place(rule.topologyKey(), domains.get(i).name()),
                        rule.patience(),
                        inTheWay.get(i).orElse(""),
                        inTheWay.get(i).isEmpty(),
                        isWaiting
                                && domains.get(i).pods() < enough
                                && inTheWay.get(i).isPresent()))
                .toList();
    }

    /** Whether a relaxed domain stays so: a pod would have to wait for it, or none of the pods finds a node there. */
    boolean isToBeRelaxed() {
        return isInTheWay || !takesIt;
    }

    /** The domain as two pods see it: it is in the way if it is in the way of either, and takes pods if it takes either. */
    DomainView and(DomainView other) {
        DomainView telling = isInTheWay || (!takesIt && !other.isInTheWay) ? this : other;
        return new DomainView(
                place, patience, telling.obstacle, takesIt || other.takesIt, isInTheWay || other.isInTheWay);
    }

    /** Why nodes would not take a pod even without any policy, in a word. */
    private record Obstacles(Diagnosis diagnosis) {
        private static final Map<String, String> WORDS = Map.of(
                "NodeResourcesFit", "NoRoom",
                "TaintToleration", "Tainted",
                "NodeUnschedulable", "Cordoned");

        /** Of all these nodes what is in the way of most; empty where one would take the pod. */
        Optional<String> in(NodeSetView nodes) {
            if (nodes.isEmpty()) {
                return Optional.of("NoNodes");
            }
            Map<String, Integer> byPlugin = new TreeMap<>();
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                Optional<String> plugin = against(node);
                if (plugin.isEmpty()) {
                    return Optional.empty();
                }
                byPlugin.merge(plugin.get(), 1, Integer::sum);
            }
            return byPlugin.entrySet().stream()
                    .max(Comparator.comparingInt(Map.Entry<String, Integer>::getValue))
                    .map(most -> WORDS.getOrDefault(most.getKey(), most.getKey()));
        }

        /** One that a policy turns away has passed all plugins before, which are all others as a rule. */
        private Optional<String> against(int node) {
            if (diagnosis.excluded().contains(node)) {
                return Optional.of(String.join(",", diagnosis.narrowedBy()));
            }
            return diagnosis.rejections().stream()
                    .filter(rejection -> rejection.nodes().contains(node))
                    .map(Rejection::plugin)
                    .filter(plugin -> !plugin.equals(PlacementPolicyPlugin.NAME))
                    .findFirst();
        }
    }
}
