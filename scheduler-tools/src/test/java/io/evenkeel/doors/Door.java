package io.evenkeel.doors;

import io.evenkeel.model.Annotations;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A field that its writer can make large: a list, a map or a text of any kind that is read, wherever it stands. Doors are found
 * in the tables that objects are read by, so that a new field is one by itself.
 *
 * @param path from the object to the field
 * @param choice which of the words, or of the fields that exclude each other, its elements have
 * @param keyOfNodes what its elements have for keys: the one that each node has, or each another that no node has
 */
record Door(Kind<?> kind, List<Field<?>> path, int choice, boolean keyOfNodes) {
    private static final int CHOICES = 2;
    private static final String KEY_OF_NODES = "kubernetes.io/hostname";

    /** What readers pass over the rest of a message without, where it is no constant of theirs. */
    private static final Map<String, String> WORDS = Map.of(
            "Pod.status.conditions.type", "PodScheduled",
            "PodGroup.status.conditions.type", "PodGroupInitiallyScheduled");

    static List<Door> all() {
        return Kinds.IN_TREE.all().stream().flatMap(kind -> of(kind).stream()).toList();
    }

    static List<Door> of(Kind<?> kind) {
        List<Door> doors = new ArrayList<>();
        find(kind, kind.table(), List.of(), doors);
        return doors;
    }

    private static void find(Kind<?> kind, Message<?> message, List<Field<?>> path, List<Door> found) {
        for (Field<?> field : message.fields()) {
            List<Field<?>> to = Stream.concat(path.stream(), Stream.of(field)).toList();
            if (isMany(field) || isMap(field)) {
                IntStream.range(0, choices(field)).forEach(choice -> found.add(new Door(kind, to, choice, false)));
                if (field.message().stream()
                        .flatMap(one -> one.fields().stream())
                        .anyMatch(Door::isKey)) {
                    found.add(new Door(kind, to, 0, true));
                }
            } else if (isText(field)) {
                found.add(new Door(kind, to, 0, false));
            }
            field.message().ifPresent(nested -> find(kind, nested, to, found));
        }
    }

    /** Two where elements have words or sources of which one is chosen. */
    private static int choices(Field<?> field) {
        return field.message()
                        .filter(element -> element.inlinedFields().size() > 1
                                || element.fields().stream()
                                        .anyMatch(one -> one.constants().size() > 1))
                        .isPresent()
                ? CHOICES
                : 1;
    }

    private static boolean isMany(Field<?> field) {
        return field.typeName().startsWith("repeated ");
    }

    private static boolean isMap(Field<?> field) {
        return field.typeName().startsWith("map of ");
    }

    private static boolean isText(Field<?> field) {
        return field.typeName().equals("string") && field.constants().isEmpty();
    }

    private static boolean isKey(Field<?> field) {
        return field.name().equals("key")
                || field.name().endsWith("Key")
                || field.name().endsWith("Keys");
    }

    String name() {
        return kind.name() + "." + path.stream().map(Field::name).collect(Collectors.joining("."))
                + (choice == 0 ? "" : " (" + choice + ")") + (keyOfNodes ? " (by host name)" : "");
    }

    /** Whether each element has a key by which nodes are told apart. */
    boolean hasTopologyKeys() {
        return path.getLast().message().stream()
                .flatMap(element -> element.fields().stream())
                .flatMap(field -> Stream.concat(
                        Stream.of(field), field.message().stream().flatMap(nested -> nested.fields().stream())))
                .anyMatch(field -> field.name().equals("topologyKey"));
    }

    /** A pod may wait, or be in place. */
    boolean isOfPods() {
        return kind.equals(Kinds.POD);
    }

    /**
     * An object in JSON that has the field as large as that, with nothing in it that another object has.
     *
     * @param node of a pod that is in place
     */
    String object(String unique, int characters, Optional<String> node) {
        return version(unique, unique, characters, node);
    }

    /** An object of that name that has the field as large as that, with nothing in it that another or another version has. */
    String version(String name, String unique, int characters, Optional<String> node) {
        Map<String, Object> object = least(kind, name, node);
        new Filling(unique).fill(object, kind.name(), 0, characters);
        return Json.write(object);
    }

    /** Others that make the object count: a pod with a claim of its own, and what they name. */
    Map<Kind<?>, String> others(String unique) {
        return Stream.of(Kinds.STORAGE_CLASS, Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.POD)
                .filter(other -> !other.equals(kind))
                .collect(Collectors.toMap(
                        other -> other,
                        other -> Json.write(least(other, unique, Optional.empty())),
                        (one, _) -> one,
                        LinkedHashMap::new));
    }

    /** The least that an object must have, and what makes it count for the pod of the same name. */
    private Map<String, Object> least(Kind<?> of, String name, Optional<String> node) {
        Map<String, Object> labels = map("app", name);
        if (kind.equals(Kinds.COSCHEDULING_POD_GROUP)) {
            labels.put("scheduling.x-k8s.io/pod-group", name);
        }
        Map<String, Object> meta = map("name", name, "uid", "uid-" + name, "resourceVersion", "1", "labels", labels);
        if (of.namespaced()) {
            meta.put("namespace", "door");
        }
        Map<String, Object> object = map("apiVersion", of.apiVersion(), "kind", of.objectKind(), "metadata", meta);
        Map<String, Object> matching = map("matchLabels", map("app", name));
        Object storage = map("storage", "1");
        switch (of.name()) {
            case "Pod" -> object.put("spec", pod(name, node));
            case "Node" -> object.put("status", map("allocatable", map("cpu", "64", "memory", "256Gi", "pods", "250")));
            case "Service", "ReplicationController" -> object.put("spec", map("selector", map("app", name)));
            case "ReplicaSet", "StatefulSet", "PodDisruptionBudget" -> object.put("spec", map("selector", matching));
            case "PersistentVolumeClaim" ->
                object.put(
                        "spec",
                        map(
                                "storageClassName",
                                name,
                                "accessModes",
                                list("ReadWriteOnce"),
                                "resources",
                                map("requests", storage)));
            case "PersistentVolume" ->
                object.put(
                        "spec",
                        map(
                                "storageClassName",
                                name,
                                "capacity",
                                storage,
                                "accessModes",
                                list("ReadWriteOnce"),
                                "csi",
                                map("driver", name, "volumeHandle", name)));
            case "StorageClass" -> {
                object.put("provisioner", name);
                object.put("volumeBindingMode", "WaitForFirstConsumer");
            }
            case "CSIStorageCapacity" -> {
                object.put("storageClassName", name);
                object.put("capacity", "1Gi");
            }
            case "PriorityClass" -> object.put("value", 1);
            case "PlacementPolicy", "ClusterPlacementPolicy" ->
                object.put(
                        "spec",
                        map(
                                "selector",
                                matching,
                                "rules",
                                list(map("topologyKey", "topology.kubernetes.io/zone", "maxSkew", 1))));
            default -> {}
        }
        return object;
    }

    private Map<String, Object> pod(String name, Optional<String> node) {
        Map<String, Object> spec = map(
                "containers",
                list(map(
                        "name",
                        "main",
                        "image",
                        "registry.example/door:1",
                        "resources",
                        map("requests", map("cpu", "10m")))));
        if (!isOfPods()) {
            spec.put("volumes", list(map("name", "data", "persistentVolumeClaim", map("claimName", name))));
        }
        if (kind.equals(Kinds.POD_GROUP)) {
            spec.put("schedulingGroup", map("podGroupName", name));
        }
        node.ifPresent(one -> spec.put("nodeName", one));
        return spec;
    }

    private static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    private static List<Object> list(Object... elements) {
        return new ArrayList<>(List.of(elements));
    }

    /** Makes values for one object. */
    private final class Filling {
        private final String unique;
        private int made;

        Filling(String unique) {
            this.unique = unique;
        }

        @SuppressWarnings("unchecked") // objects are what this or the door has made
        void fill(Map<String, Object> message, String place, int depth, int characters) {
            Field<?> field = path.get(depth);
            String here = place + "." + field.name();
            if (depth == path.size() - 1) {
                message.put(field.name(), large(field, here, characters));
                return;
            }
            Message<?> nested = field.message().orElseThrow();
            Map<String, Object> within;
            if (isMany(field)) {
                within = element(nested, here);
                message.put(field.name(), list(within));
            } else if (isMap(field)) {
                within = element(nested, here);
                message.put(field.name(), map("door.example/" + next(), within));
            } else {
                within = (Map<String, Object>) message.computeIfAbsent(
                        field.name(), _ -> depth == 0 ? new LinkedHashMap<>() : element(nested, here));
            }
            fill(within, here, depth + 1, characters);
        }

        private Object large(Field<?> field, String place, int characters) {
            if (isMap(field)) {
                Map<String, Object> map = new LinkedHashMap<>();
                if (field.name().equals("annotations")) {
                    Annotations.ALL.forEach(key -> map.put(key, text(characters / Annotations.ALL.size())));
                    return map;
                }
                for (int size = 0; size < characters; size += unique.length() + 32) {
                    map.put("door.example/" + next(), mapValue(field, place));
                }
                return map;
            }
            if (isMany(field)) {
                List<Object> list = new ArrayList<>();
                for (int size = 0; size < characters; ) {
                    Object one = one(field, place);
                    list.add(one);
                    size += Json.write(one).length() + 1;
                }
                return list;
            }
            return text(characters);
        }

        private String text(int characters) {
            return next() + "x".repeat(Math.max(0, characters - unique.length() - 8));
        }

        private Map<String, Object> element(Message<?> message, String place) {
            Map<String, Object> element = new LinkedHashMap<>();
            List<Field<?>> sources = message.inlinedFields();
            for (Field<?> field : message.fields()) {
                if (!sources.contains(field) || sources.indexOf(field) == choice % sources.size()) {
                    element.put(field.name(), some(field, place + "." + field.name()));
                }
            }
            return element;
        }

        private Object some(Field<?> field, String place) {
            if (isMap(field)) {
                return map("door.example/" + next(), mapValue(field, place));
            }
            return isMany(field) ? list(one(field, place)) : one(field, place);
        }

        private Object one(Field<?> field, String place) {
            if (field.message().isPresent()) {
                return element(field.message().get(), place);
            }
            if (WORDS.containsKey(place)) {
                return WORDS.get(place);
            }
            List<String> words = field.constants().stream()
                    .sorted(Comparator.comparing((String word) -> !word.equals("In"))
                            .thenComparing(Comparator.naturalOrder()))
                    .toList();
            if (!words.isEmpty()) {
                return words.get(choice % words.size());
            }
            return switch (field.typeName().replace("repeated ", "")) {
                case "int32", "int64" -> 1 + made++ % 50;
                case "bool" -> true;
                case "Quantity" -> "1";
                case "IntOrString" -> "25%";
                case "Time" -> "2026-01-01T00:00:00Z";
                case "string" -> isKey(field) ? key() : next();
                case "message" -> map(next(), next()); // of a driver, which alone knows its fields
                default -> throw new IllegalStateException(place + ": " + field.typeName());
            };
        }

        private String key() {
            return keyOfNodes ? KEY_OF_NODES : "door.example/" + next();
        }

        private Object mapValue(Field<?> field, String place) {
            if (field.message().isPresent()) {
                return element(field.message().get(), place);
            }
            return switch (field.typeName()) {
                case "map of Quantity" -> "1";
                case "map of Time" -> "2026-01-01T00:00:00Z";
                default -> next();
            };
        }

        private String next() {
            return unique + "-" + made++;
        }
    }

    /** Maps, lists, texts without anything to escape, numbers and truths. */
    private static final class Json {
        private final StringBuilder out = new StringBuilder();

        static String write(Object value) {
            Json json = new Json();
            json.append(value);
            return json.out.toString();
        }

        private void append(Object value) {
            switch (value) {
                case Map<?, ?> map -> {
                    String separator = "{";
                    for (Map.Entry<?, ?> entry : map.entrySet()) {
                        out.append(separator).append('"').append(entry.getKey()).append("\":");
                        append(entry.getValue());
                        separator = ",";
                    }
                    out.append(map.isEmpty() ? "{}" : "}");
                }
                case List<?> list -> {
                    String separator = "[";
                    for (Object element : list) {
                        out.append(separator);
                        append(element);
                        separator = ",";
                    }
                    out.append(list.isEmpty() ? "[]" : "]");
                }
                case String text -> out.append('"').append(text).append('"');
                default -> out.append(value);
            }
        }
    }
}
