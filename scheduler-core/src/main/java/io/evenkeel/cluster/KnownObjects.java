package io.evenkeel.cluster;

import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The objects that the cluster's state is made of, as they were last put: to tell what a change changed, and what a new
 * listing no longer contains.
 */
public final class KnownObjects {
    private final ClusterView cluster;

    public KnownObjects(ClusterView cluster) {
        this.cluster = cluster;
    }

    /** The object of the same kind and name. */
    public Optional<KubernetesObject> like(KubernetesObject object) {
        return switch (object) {
            case Node node -> node(node.name()).map(found -> found);
            case Pod pod -> pod(pod.key()).map(found -> found);
            default -> cluster.objects().like(object);
        };
    }

    public Optional<Node> node(String name) {
        int id = cluster.nodes().findPresent(name);
        return id < 0 ? Optional.empty() : Optional.of(cluster.nodes().node(id));
    }

    /** A pod in place, be it assumed. */
    public Optional<Pod> pod(String key) {
        int row = cluster.pods().find(key);
        return row == PodTable.NONE
                ? Optional.empty()
                : Optional.of(cluster.pods().pod(row));
    }

    /** All objects of a kind, by the name of the kind. */
    public List<KubernetesObject> all(String kind) {
        return switch (kind) {
            case "Node" -> nodes();
            case "Pod" -> List.copyOf(cluster.placedPods());
            default -> cluster.objects().all(kind);
        };
    }

    private List<KubernetesObject> nodes() {
        List<KubernetesObject> all = new ArrayList<>();
        for (int id = 0; id < cluster.nodes().end(); id++) {
            if (cluster.nodes().isPresent(id)) {
                all.add(cluster.nodes().node(id));
            }
        }
        return all;
    }
}
