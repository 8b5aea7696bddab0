package io.evenkeel.app.simulate;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.HashSet;
import java.util.Set;

/** The profiles by which pods are judged: pods of other schedulers as the first would. */
final class Judges {
    private final Set<String> names = new HashSet<>();
    private final String usual;

    Judges(SchedulerConfiguration configuration) {
        configuration.profiles().stream().map(Profile::schedulerName).forEach(names::add);
        usual = configuration.profiles().getFirst().schedulerName();
    }

    /** The pod with the name of the profile that judges it. */
    Pod judged(Pod pod) {
        return names.contains(pod.spec().schedulerName())
                ? pod
                : PodBuilder.from(pod).schedulerName(usual).build();
    }
}
