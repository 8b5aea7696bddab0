package io.evenkeel.cluster.shape;

import io.evenkeel.model.Pod;
import io.evenkeel.model.value.Quantity;
import java.util.Map;

/** The amounts that pods take of a node, by resource name; see {@link PodResourcesReader}. */
public final class PodRequests {
    private PodRequests() {}

    public static Map<String, Quantity> of(Pod pod) {
        return PodResourcesReader.requests(pod);
    }

    /** Whether the pod takes less of something than it did. */
    public static boolean isScaledDown(Pod before, Pod after) {
        if (readsTheSame(before, after)) {
            return false;
        }
        Map<String, Quantity> now = of(after);
        return of(before).entrySet().stream()
                .anyMatch(entry -> entry.getValue().compareTo(now.getOrDefault(entry.getKey(), Quantity.ZERO)) > 0);
    }

    /** Most updates of a pod touch none of this, and need no sums to be made. */
    private static boolean readsTheSame(Pod before, Pod after) {
        return before.spec().containers().equals(after.spec().containers())
                && before.spec().initContainers().equals(after.spec().initContainers())
                && before.spec().podRequests().equals(after.spec().podRequests())
                && before.spec().overhead().equals(after.spec().overhead())
                && before.status().resizeInfeasible() == after.status().resizeInfeasible()
                && before.status().containers().equals(after.status().containers())
                && before.status().allocatedResources().equals(after.status().allocatedResources())
                && before.status().actualRequests().equals(after.status().actualRequests());
    }
}
