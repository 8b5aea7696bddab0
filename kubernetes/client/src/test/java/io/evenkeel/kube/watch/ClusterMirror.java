package io.evenkeel.kube.watch;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What a cluster holds by the events of its watches, to be compared with what it holds. */
final class ClusterMirror {
    private static final ObjectReader READER = new ObjectReader();

    private final Map<String, KubernetesObject> objects = new TreeMap<>();
    private final Map<String, Set<String>> relists = new HashMap<>();
    private final Map<String, List<SchedulerEvent>> events = new TreeMap<>();

    synchronized void take(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put put -> {
                KubernetesObject object = put.object();
                objects.put(key(object), object);
                relists.getOrDefault(object.kindName(), new HashSet<>()).add(key(object));
                note(object.kindName(), event);
            }
            case ClusterEvent.Removed removed -> {
                objects.remove(key(removed.object()));
                // of what is gone each encoding reads the metadata only
                note(removed.object().kindName(), event);
            }
            case Relist.Began began -> {
                relists.put(began.kind(), new HashSet<>());
                note(began.kind(), event);
            }
            case Relist.Ended ended -> {
                Set<String> seen = relists.remove(ended.kind());
                objects.keySet().removeIf(key -> key.startsWith(ended.kind() + " ") && !seen.contains(key));
                note(ended.kind(), event);
            }
            default -> throw new AssertionError(event);
        }
    }

    private void note(String kind, SchedulerEvent event) {
        events.computeIfAbsent(kind, _ -> new ArrayList<>()).add(event);
    }

    synchronized Map<String, KubernetesObject> objects() {
        return new TreeMap<>(objects);
    }

    /** The keys of what is not the same in both. */
    synchronized Set<String> differencesTo(Map<String, KubernetesObject> content) {
        Set<String> different = new TreeSet<>(content.keySet());
        different.addAll(objects.keySet());
        different.removeIf(key -> Objects.equals(content.get(key), objects.get(key)));
        return different;
    }

    /** All events so far, by kind: between kinds there is no order. */
    synchronized Map<String, List<SchedulerEvent>> events() {
        Map<String, List<SchedulerEvent>> copy = new TreeMap<>();
        events.forEach((kind, all) -> copy.put(kind, List.copyOf(all)));
        return copy;
    }

    /** What the watches should come to. */
    static Map<String, KubernetesObject> contentOf(HollowCluster cluster) {
        Map<String, KubernetesObject> content = new TreeMap<>();
        for (Kind<?> kind : Kinds.IN_TREE.all()) {
            for (String json : cluster.objects().list(resource(kind), "")) {
                KubernetesObject object = READER.only(kind).read(json);
                if (!(object instanceof Pod pod) || !pod.status().isFinished()) {
                    content.put(key(object), object);
                }
            }
        }
        return content;
    }

    private static ResourceType resource(Kind<?> kind) {
        return ResourceTable.ofKind(kind.apiVersion(), kind.objectKind()).orElseThrow();
    }

    private static String key(KubernetesObject object) {
        return object.kindName() + " " + object.meta().key();
    }
}
