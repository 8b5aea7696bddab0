package io.evenkeel.cluster;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.Service;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.WorkloadOwner;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The objects that the cluster's state is made of, as they were last put: to tell what a change changed, and what a new
 * listing no longer contains. Namespaces come back with their labels only.
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
            case Namespace namespace -> namespace(namespace.meta().name()).map(found -> found);
            case Service service ->
                cluster.workloads().service(service.meta().key()).map(found -> found);
            case WorkloadOwner owner ->
                cluster.workloads().owner(owner.kind(), owner.meta().key()).map(found -> found);
            case PriorityClass _, UnreadObject _ -> Optional.empty();
        };
    }

    public Optional<Node> node(String name) {
        int id = cluster.nodes().find(name);
        return id >= 0 && cluster.nodes().isPresent(id)
                ? Optional.of(cluster.nodes().node(id))
                : Optional.empty();
    }

    /** A pod in place, be it assumed. */
    public Optional<Pod> pod(String key) {
        int row = cluster.pods().find(key);
        return row == PodTable.NONE
                ? Optional.empty()
                : Optional.of(cluster.pods().pod(row));
    }

    private Optional<Namespace> namespace(String name) {
        return cluster.namespaces()
                .labelsOf(name)
                .map(labels -> new Namespace(ObjectMeta.named("", name).withLabels(labels)));
    }

    /** All objects of a kind, by the name of the kind. */
    public List<KubernetesObject> all(String kind) {
        List<KubernetesObject> all = new ArrayList<>();
        switch (kind) {
            case "Node" -> addNodes(all);
            case "Pod" -> all.addAll(cluster.placedPods());
            case "Namespace" ->
                cluster.namespaces().names().forEach(name -> namespace(name).ifPresent(all::add));
            case "Service" -> all.addAll(cluster.workloads().services());
            default ->
                cluster.workloads().owners().stream()
                        .filter(owner -> owner.kindName().equals(kind))
                        .forEach(all::add);
        }
        return all;
    }

    /** All that is neither node nor pod. */
    List<KubernetesObject> others() {
        List<KubernetesObject> others = new ArrayList<>(all("Namespace"));
        others.addAll(cluster.workloads().services());
        others.addAll(cluster.workloads().owners());
        return others;
    }

    private void addNodes(List<KubernetesObject> all) {
        for (int id = 0; id < cluster.nodes().end(); id++) {
            if (cluster.nodes().isPresent(id)) {
                all.add(cluster.nodes().node(id));
            }
        }
    }
}
