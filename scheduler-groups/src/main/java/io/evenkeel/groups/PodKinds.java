package io.evenkeel.groups;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.engine.decision.Likeness;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The pods of a group by kind: pods of a kind can take each other's places, as no filter can tell them apart. Where a plugin
 * filters of which nobody knows what it looks at, each pod is a kind of its own.
 */
final class PodKinds {

    /** Pods that can take each other's places, in the order of the group. */
    record Kind(int number, List<PodInfo> pods) {
        PodInfo first() {
            return pods.getFirst();
        }

        int size() {
            return pods.size();
        }
    }

    private record Key(Likeness likeness, String onlyItself) {}

    private PodKinds() {}

    /** The pods must have been asked about before: then all selectors that tell them apart are known. */
    static List<Kind> of(List<PodInfo> pods, ClusterView cluster, boolean likeAreAlike) {
        Map<Key, Kind> kinds = new LinkedHashMap<>();
        for (PodInfo pod : pods) {
            Key key = new Key(
                    Likeness.of(pod, cluster), likeAreAlike ? "" : pod.pod().key());
            kinds.computeIfAbsent(key, _ -> new Kind(kinds.size(), new ArrayList<>()))
                    .pods()
                    .add(pod);
        }
        return List.copyOf(kinds.values());
    }
}
