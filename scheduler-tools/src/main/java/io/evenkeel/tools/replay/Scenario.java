package io.evenkeel.tools.replay;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kinds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A cluster, and pods to be placed in it one after the other, or in groups.
 *
 * @param level whose answers are meant, where the scenario says so
 * @param preempts whether it is asked for which others a pod would take the place of
 */
record Scenario(
        String name,
        SchedulerConfiguration configuration,
        Optional<CompatibilityLevel> level,
        Map<String, Boolean> featureGates,
        List<KubernetesObject> objects,
        List<Pod> pods,
        boolean preempts,
        Optional<ScenarioGroups> groups) {
    private static final Set<String> PREEMPTING = Set.of("DefaultPreemption", "DynamicResources");
    private static final Set<String> RESERVING_VOLUMES = Set.of("VolumeBinding");
    private static final Set<String> RESERVING_DEVICES = Set.of("DynamicResources");

    /**
     * The configuration without plugins that would make room for pods, where the scenario does not ask for them; and without
     * reservations of volumes and devices: what the objects say of volumes, devices and claims holds for each of the pods. Pods of
     * groups share devices out among them.
     */
    SchedulerConfiguration asked() {
        return configuration.toBuilder()
                .profiles(configuration.profiles().stream().map(this::asked).toList())
                .build();
    }

    private Profile asked(Profile profile) {
        Profile without = profile.withoutAt(ExtensionPoint.RESERVE, RESERVING_VOLUMES);
        without = groups.isPresent() ? without : without.withoutAt(ExtensionPoint.RESERVE, RESERVING_DEVICES);
        return preempts ? without : without.withoutAt(ExtensionPoint.POST_FILTER, PREEMPTING);
    }

    /**
     * Whether objects were passed over that are of these kinds: which kinds plugins bring is known once they are made,
     * by the configuration, which may come after the objects.
     */
    boolean hasUnread(Kinds kinds) {
        return objects.stream()
                .anyMatch(object ->
                        object instanceof UnreadObject unread && kinds.names().contains(unread.kind()));
    }
}
