package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.Placements.Placement;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.problem.UserProblem;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Checks the outcome of a run against the pods' own words: capacity, taints, node affinity, hard spread, required affinity and
 * anti-affinity, volumes.
 * Pods only ever come, so what held for each pod when it was placed still holds when all are.
 */
final class PlacementCheck {
    private PlacementCheck() {}

    /** Throws {@link UserProblem} with the first thing that is wrong. */
    static void check(List<KubernetesObject> objects, List<Pod> pods, List<String> nodeNames) {
        Placements placements = Placements.of(objects, pods, nodeNames);
        CapacityCheck.check(placements);
        NodeCheck.check(placements);
        checkSpread(placements);
        checkAntiAffinity(placements);
        checkAffinity(placements);
        VolumeCheck.check(objects, placements);
    }

    private static void checkSpread(Placements placements) {
        Map<TopologySpreadConstraint, Placement> hard = new HashMap<>();
        for (Placement placement : placements.all()) {
            for (TopologySpreadConstraint constraint : placement.pod().spec().topologySpread()) {
                if (constraint.isHard()) {
                    hard.putIfAbsent(constraint, placement);
                }
            }
        }
        hard.forEach((constraint, placement) -> {
            var counts = placements
                    .countByDomain(
                            constraint.labelSelector(),
                            constraint.topologyKey(),
                            node -> NodeCheck.counts(constraint, placement.pod(), node))
                    .values();
            int skew = Collections.max(counts) - Collections.min(counts);
            if (skew > constraint.maxSkew()) {
                throw new UserProblem("the pods like " + placement.pod().key() + " have skew " + skew + " over "
                        + constraint.topologyKey() + ", more than maxSkew " + constraint.maxSkew());
            }
        });
    }

    private static void checkAntiAffinity(Placements placements) {
        Map<PodAffinityTerm, Map<String, Integer>> countsByTerm = new HashMap<>();
        for (Placement placement : placements.all()) {
            for (PodAffinityTerm term : placement.pod().spec().podAffinity().requiredAntiAffinity()) {
                if (others(placement, term, placements, countsByTerm) > 0) {
                    throw new UserProblem("pod "
                            + placement.pod().key() + " shares " + term.topologyKey() + "="
                            + placement.domain(term.topologyKey()) + " with a pod that its anti-affinity excludes");
                }
            }
        }
    }

    /** The first pod of an app may go anywhere; at the end of a run it may be alone only if there is no other. */
    private static void checkAffinity(Placements placements) {
        Map<PodAffinityTerm, Map<String, Integer>> countsByTerm = new HashMap<>();
        for (Placement placement : placements.all()) {
            for (PodAffinityTerm term : placement.pod().spec().podAffinity().requiredAffinity()) {
                if (others(placement, term, placements, countsByTerm) <= 0
                        && total(countsByTerm.getOrDefault(term, Map.of())) > 1) {
                    throw new UserProblem("pod " + placement.pod().key() + " is alone in " + term.topologyKey() + "="
                            + placement.domain(term.topologyKey()) + " though its affinity requires company");
                }
            }
        }
    }

    /** The number of other pods that the term matches in its domain. */
    private static int others(
            Placement placement,
            PodAffinityTerm term,
            Placements placements,
            Map<PodAffinityTerm, Map<String, Integer>> countsByTerm) {
        Map<String, Integer> counts = countsByTerm.computeIfAbsent(
                term, key -> placements.countByDomain(key.labelSelector(), key.topologyKey()));
        int self = term.labelSelector().matches(placement.pod().labels()) ? 1 : 0;
        return counts.getOrDefault(placement.domain(term.topologyKey()), 0) - self;
    }

    private static int total(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
}
