package io.evenkeel.tools.why;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** The profiles by which pods are judged: pods of other schedulers as the first would. */
public final class JudgingProfiles {
    private final Set<String> names = new HashSet<>();
    private final String usual;

    /** The profiles of a configuration. */
    public JudgingProfiles(SchedulerConfiguration configuration) {
        configuration.profiles().stream().map(Profile::schedulerName).forEach(names::add);
        usual = configuration.profiles().getFirst().schedulerName();
    }

    /** Whether pods that name this scheduler are judged by a profile of their own. */
    public boolean know(String schedulerName) {
        return names.contains(schedulerName);
    }

    /** The names of all profiles. */
    public Set<String> names() {
        return Collections.unmodifiableSet(names);
    }

    /** The name of the profile that judges pods of other schedulers. */
    public String usual() {
        return usual;
    }

    /** The pod with the name of the profile that judges it. */
    public Pod judged(Pod pod) {
        return know(pod.spec().schedulerName())
                ? pod
                : PodBuilder.from(pod).schedulerName(usual).build();
    }
}
