package io.evenkeel.app.policy;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.plugins.placementpolicy.reading.AwaitedRule;
import io.evenkeel.plugins.placementpolicy.reading.ReadablePolicy;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/**
 * What a pod sees of a domain that its policy has it wait for.
 *
 * @param obstacle why no node there would take it, in a word; empty where one would
 * @param isInTheWay whether the pod waits for this domain: others would take it, had this one more pods
 */
record Sight(Place place, Duration patience, String obstacle, boolean isInTheWay) {

    /**
     * Of all domains that a pod may be waiting for. One that is rejected outright, or that no domain would take, waits for something
     * else, and says nothing of domains.
     *
     * @param pod which waits for a node, or is looked at as if it did
     */
    static List<Sight> of(ReadablePolicy policy, PodInfo pod, Diagnosis diagnosis, boolean isWaiting) {
        if (diagnosis.preFilter().isPresent()) {
            return List.of();
        }
        Obstacles obstacles = new Obstacles(diagnosis);
        return policy.awaitedRules(pod).stream()
                .flatMap(rule -> of(rule, obstacles, isWaiting).stream())
                .toList();
    }

    private static List<Sight> of(AwaitedRule rule, Obstacles obstacles, boolean isWaiting) {
        OptionalInt fewest = rule.domains().stream()
                .filter(domain -> obstacles.in(domain.nodes()).isEmpty())
                .mapToInt(AwaitedRule.Domain::pods)
                .min();
        if (fewest.isEmpty()) {
            return List.of();
        }
        int enough = fewest.getAsInt() + 1 - rule.maxSkew();
        return rule.domains().stream()
                .map(domain -> {
                    String obstacle = obstacles.in(domain.nodes()).orElse("");
                    return new Sight(
                            new Place(rule.topologyKey(), domain.name()),
                            rule.patience(),
                            obstacle,
                            isWaiting && domain.pods() < enough && !obstacle.isEmpty());
                })
                .toList();
    }

    boolean isObstructed() {
        return !obstacle.isEmpty();
    }

    /** What two pods see of the same domain: it is in the way if it is in that of one of them. */
    Sight and(Sight other) {
        Sight telling = isInTheWay || (isObstructed() && !other.isInTheWay) ? this : other;
        return new Sight(place, patience, telling.obstacle, isInTheWay || other.isInTheWay);
    }
}
