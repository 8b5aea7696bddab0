package io.evenkeel.engine.group.turn;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.PodTopologySpreadArgs;
import io.evenkeel.engine.decision.NodeVerdicts;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.TopologySpreadConstraint;

/**
 * Whether pods of a group can be in each other's way at all. Those that are alike and have one hard rule, as a spread over zones,
 * can be placed in any order that is legal, and come out as many; so each goes where it scores best. Two rules can contradict
 * each other, and so can one for pods that are not alike.
 */
final class Prospects {
    private Prospects() {}

    /** Whether a pod like this may have anything to look ahead for, whatever the others of its group are. */
    public static boolean areAny(PodInfo pod, SchedulingProfile profile) {
        return hardRules(pod, profile) > 0;
    }

    /** The same, where it is known whether all of them are alike. */
    public static boolean areMixed(PodInfo pod, boolean alike, SchedulingProfile profile) {
        int rules = hardRules(pod, profile);
        return alike ? rules > 1 : rules > 0;
    }

    /** How many rules about where others are keep the pod off nodes. */
    private static int hardRules(PodInfo pod, SchedulingProfile profile) {
        PodAffinity affinity = pod.shape().affinity().value().affinity();
        int own = (int) pod.shape().spread().value().constraints().stream()
                .filter(TopologySpreadConstraint::isHard)
                .count();
        return own
                + (pod.shape().spread().value().constraints().isEmpty() ? byDefault(profile) : 0)
                + affinity.requiredAffinity().size()
                + affinity.requiredAntiAffinity().size();
    }

    private static int byDefault(SchedulingProfile profile) {
        return profile.argsOf(NodeVerdicts.SPREAD)
                .filter(PodTopologySpreadArgs.class::isInstance)
                .map(args -> (int) ((PodTopologySpreadArgs) args)
                        .defaultConstraints().stream()
                                .filter(TopologySpreadConstraint::isHard)
                                .count())
                .orElse(0);
    }
}
