package io.evenkeel.app.replay;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.kind.Kinds;
import java.util.List;
import java.util.Map;

/** A cluster, and pods to be placed in it one after the other. */
record Scenario(
        String name,
        SchedulerConfiguration configuration,
        Map<String, Boolean> featureGates,
        List<KubernetesObject> objects,
        List<Pod> pods) {

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
