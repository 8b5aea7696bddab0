package io.evenkeel.app.policy;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.plugins.placementpolicy.reading.AwaitedRule;
import io.evenkeel.plugins.placementpolicy.reading.ReadablePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a pod sees of a domain that its policy has it wait for.
 *
 * @param obstacle why no node there would take it, in a word; empty where one would
 * @param isInTheWay whether the pod waits for this domain: others would take it, had this one more pods
 */
record Sight(Place place, Duration patience, String obstacle, boolean isInTheWay) {

    /**
     * Of all domains that a pod may be waiting for; none of a pod that is rejected outright, which says nothing of domains.
     *
     * @param isWaiting whether this pod waits for a node, and is not only like those that might
     */
    static List<Sight> of(ReadablePolicy policy, PodInfo pod, Diagnosis diagnosis, boolean isWaiting) {
        List<Sight> sights = new ArrayList<>();
        if (diagnosis.preFilter().isEmpty()) {
            Obstacles obstacles = new Obstacles(diagnosis);
            policy.awaitedRules(pod).forEach(rule -> sights.addAll(of(rule, obstacles, isWaiting)));
        }
        return sights;
    }

    private static List<Sight> of(AwaitedRule rule, Obstacles obstacles, boolean isWaiting) {
        int enough = fewestThatTakesIt(rule, obstacles) + 1 - rule.maxSkew();
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

    /** Where no domain takes the pod, it is not this rule that keeps it waiting. */
    private static int fewestThatTakesIt(AwaitedRule rule, Obstacles obstacles) {
        return rule.domains().stream()
                .filter(domain -> obstacles.in(domain.nodes()).isEmpty())
                .mapToInt(AwaitedRule.Domain::pods)
                .min()
                .orElse(Integer.MIN_VALUE / 2);
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
