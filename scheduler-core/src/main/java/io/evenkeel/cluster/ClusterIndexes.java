package io.evenkeel.cluster;

import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * All indexes of a cluster in the order in which they were registered, each of which may read those before it. So they
 * are told in this order of what comes, and in reverse order of pods that go.
 */
final class ClusterIndexes {
    private ClusterIndex[] all = {};

    void add(ClusterIndex index) {
        all = Arrays.copyOf(all, all.length + 1);
        all[all.length - 1] = index;
    }

    void podPlaced(int row) {
        for (ClusterIndex index : all) {
            index.podPlaced(row);
        }
    }

    void podRemoved(int row) {
        for (int i = all.length - 1; i >= 0; i--) {
            all[i].podRemoved(row);
        }
    }

    void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        for (ClusterIndex index : all) {
            index.nodeChanged(node, before, after);
        }
    }

    void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        for (ClusterIndex index : all) {
            index.objectChanged(before, after);
        }
    }

    List<ClusterIndex> all() {
        return List.of(all);
    }
}
