package io.evenkeel.tools.replay;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The pods of one scenario of the corpora in the cluster of another, of any two themes, so that some of everything is in their
 * way: with the claims, volumes and classes that the pods speak of or without, and with nodes that have lost labels.
 */
final class RandomScenarios {
    private static final List<String> THEMES = List.of(
            "seeds",
            "spread-hard",
            "node-affinity",
            "pod-affinity",
            "taints",
            "resources",
            "ports",
            "preemption",
            "volumes",
            "volumes",
            "mixed");
    private static final Set<String> STORAGE = Set.of(
            "StorageClass",
            "CSIDriver",
            "CSINode",
            "CSIStorageCapacity",
            "VolumeAttachment",
            "PersistentVolume",
            "PersistentVolumeClaim");

    private final List<List<Map<String, Object>>> themes = new ArrayList<>();
    private final Random random;

    RandomScenarios(long seed) throws IOException {
        random = new Random(seed);
        for (String theme : THEMES) {
            List<Map<String, Object>> all = new ArrayList<>();
            for (String line : Corpora.lines(theme)) {
                all.add(JsonTree.object(line));
            }
            themes.add(all);
        }
    }

    String next(int number) throws IOException {
        Map<String, Object> cluster = any();
        Map<String, Object> pods = any();
        Map<String, Object> scenario = new TreeMap<>(JsonTree.object(JsonTree.text(cluster)));
        scenario.remove("expected");
        scenario.put("name", "random/" + number);
        scenario.put("pods", JsonEdits.list(JsonTree.object(JsonTree.text(pods)), "pods"));
        scenario.put("preempt", random.nextInt(4) == 0);
        List<Object> objects = JsonEdits.list(scenario, "objects");
        if (random.nextInt(3) > 0) {
            bringStorage(objects, JsonEdits.list(pods, "objects"));
        }
        if (random.nextInt(3) == 0) {
            limitStorage(objects);
        }
        if (random.nextInt(3) == 0) {
            objects.stream().map(JsonEdits::map).filter(RandomScenarios::isNode).forEach(this::loseLabels);
        }
        if (random.nextInt(8) == 0) {
            objects.stream().map(JsonEdits::map).filter(RandomScenarios::isNode).forEach(this::cordon);
        }
        if (random.nextInt(16) == 0) {
            claimDevices(JsonEdits.map(JsonEdits.list(scenario, "pods").getFirst()));
        }
        return JsonTree.text(scenario);
    }

    private Map<String, Object> any() {
        List<Map<String, Object>> theme = themes.get(random.nextInt(themes.size()));
        return theme.get(random.nextInt(theme.size()));
    }

    /** In place of the cluster's own, with a gap now and then. */
    private void bringStorage(List<Object> objects, List<Object> others) {
        objects.removeIf(object -> isStorage(JsonEdits.map(object)));
        int gaps = random.nextInt(3);
        for (Object other : others) {
            if (isStorage(JsonEdits.map(other)) && (gaps == 0 || random.nextInt(12) > 0)) {
                objects.add(other);
            }
        }
    }

    /** Drivers say where there is room, and some nodes have a volume attached of which no pod is known. */
    private void limitStorage(List<Object> objects) {
        List<Object> more = new ArrayList<>();
        for (Object each : objects) {
            Map<String, Object> object = JsonEdits.map(each);
            String name = (String) JsonEdits.map(object.get("metadata")).get("name");
            switch ((String) object.get("kind")) {
                case "CSIDriver" -> object.put("spec", new TreeMap<>(Map.of("storageCapacity", random.nextBoolean())));
                case "StorageClass" -> more.add(capacity(name));
                case "PersistentVolume" -> {
                    if (random.nextInt(3) == 0) {
                        more.add(attachment(name));
                    }
                }
                default -> {}
            }
        }
        objects.addAll(more);
    }

    private Object capacity(String storageClass) {
        Map<String, Object> zone = Map.of("topology.kubernetes.io/zone", "zone-" + random.nextInt(3));
        return new TreeMap<>(Map.of(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "CSIStorageCapacity",
                "metadata",
                Map.of("name", "room-" + storageClass, "namespace", "default"),
                "storageClassName",
                storageClass,
                "nodeTopology",
                Map.of("matchLabels", zone),
                "capacity",
                (1 + random.nextInt(8)) + "Gi"));
    }

    private Object attachment(String volume) {
        return new TreeMap<>(Map.of(
                "apiVersion",
                "storage.k8s.io/v1",
                "kind",
                "VolumeAttachment",
                "metadata",
                Map.of("name", "of-" + volume),
                "spec",
                Map.of(
                        "attacher",
                        "csi.example.com",
                        "nodeName",
                        "node-00" + random.nextInt(6),
                        "source",
                        Map.of("persistentVolumeName", volume))));
    }

    private static boolean isStorage(Map<String, Object> object) {
        return STORAGE.contains(object.get("kind"));
    }

    private static boolean isNode(Map<String, Object> object) {
        return object.get("kind").equals("Node");
    }

    /** A node without any may not have the field either. */
    private void loseLabels(Map<String, Object> node) {
        Map<String, Object> metadata = JsonEdits.map(node.get("metadata"));
        if (metadata.containsKey("labels")) {
            Map<String, Object> labels = JsonEdits.map(metadata.get("labels"));
            labels.keySet().removeIf(_ -> random.nextInt(3) == 0);
            if (labels.isEmpty()) {
                metadata.remove("labels");
            }
        }
    }

    /** Most of them: of a few, the others would do. The node controller has been there already, or comes yet. */
    private void cordon(Map<String, Object> node) {
        if (random.nextInt(4) > 0) {
            Map<String, Object> spec = JsonEdits.map(node.computeIfAbsent("spec", _ -> new TreeMap<>()));
            spec.put("unschedulable", true);
            if (random.nextBoolean()) {
                List<Object> taints = new ArrayList<>(List.of(
                        new TreeMap<>(Map.of("key", "node.kubernetes.io/unschedulable", "effect", "NoSchedule"))));
                if (spec.containsKey("taints")) {
                    taints.addAll(random.nextInt(2), JsonEdits.list(spec, "taints"));
                }
                spec.put("taints", taints);
            }
        }
    }

    private static void claimDevices(Map<String, Object> pod) {
        Map<String, Object> claim = new LinkedHashMap<>(Map.of("name", "gpu", "resourceClaimName", "gpu"));
        JsonEdits.map(pod.get("spec")).put("resourceClaims", new ArrayList<>(List.of(claim)));
    }
}
