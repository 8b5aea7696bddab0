package io.evenkeel.whatif;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The profiles by which pods are judged: pods of other schedulers as the first would.
 *
 * @param names of all profiles
 * @param usual the name of the profile that judges pods of other schedulers
 */
public record JudgingProfiles(Set<String> names, String usual) {
    public static JudgingProfiles of(SchedulerConfiguration configuration) {
        return new JudgingProfiles(
                configuration.profiles().stream().map(Profile::schedulerName).collect(Collectors.toUnmodifiableSet()),
                configuration.profiles().getFirst().schedulerName());
    }

    /** Whether pods that name this scheduler are judged by a profile of their own. */
    public boolean know(String schedulerName) {
        return names.contains(schedulerName);
    }

    /** The pod with the name of the profile that judges it. */
    public Pod judged(Pod pod) {
        return know(pod.spec().schedulerName())
                ? pod
                : PodBuilder.from(pod).schedulerName(usual).build();
    }
}
