package io.evenkeel.tools.simulate;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The objects of a cluster by kind and key, in the order in which an API server lists them. Without pods that have
 * finished. O(log n) for each.
 */
final class ClusterPicture {
    private final Map<String, TreeMap<String, KubernetesObject>> byKind = new TreeMap<>();

    ClusterPicture(Collection<? extends KubernetesObject> objects) {
        objects.forEach(this::put);
    }

    ClusterPicture copy() {
        ClusterPicture copy = new ClusterPicture(List.of());
        byKind.forEach((kind, objects) -> copy.byKind.put(kind, new TreeMap<>(objects)));
        return copy;
    }

    /** Takes an object in, in the place of one of its kind and name. */
    void put(KubernetesObject object) {
        if (object instanceof Pod pod && pod.status().isFinished()) {
            return;
        }
        byKind.computeIfAbsent(object.kindName(), _ -> new TreeMap<>())
                .put(object.meta().key(), object);
    }

    void remove(KubernetesObject object) {
        Optional.ofNullable(byKind.get(object.kindName()))
                .ifPresent(objects -> objects.remove(object.meta().key()));
    }

    Optional<KubernetesObject> find(String kind, String key) {
        return Optional.ofNullable(byKind.get(kind)).map(objects -> objects.get(key));
    }

    List<KubernetesObject> all(String kind) {
        return List.copyOf(byKind.getOrDefault(kind, new TreeMap<>()).values());
    }

    <T extends KubernetesObject> List<T> all(String kind, Class<T> type) {
        return all(kind).stream().filter(type::isInstance).map(type::cast).toList();
    }

    List<KubernetesObject> all() {
        List<KubernetesObject> all = new ArrayList<>();
        byKind.values().forEach(objects -> all.addAll(objects.values()));
        return all;
    }

    List<Node> nodes() {
        return all("Node", Node.class);
    }

    List<Pod> pods() {
        return all("Pod", Pod.class);
    }
}
