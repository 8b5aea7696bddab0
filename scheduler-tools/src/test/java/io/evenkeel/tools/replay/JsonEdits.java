package io.evenkeel.tools.replay;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Makes the changes of a remedy to the JSON of a scenario as any program would that knows RFC 6902 and nothing of Evenkeel. */
final class JsonEdits {
    private final Map<String, Object> scenario;

    private JsonEdits(Map<String, Object> scenario) {
        this.scenario = scenario;
    }

    static Map<String, Object> applied(String scenario, List<Object> changes) throws IOException {
        Map<String, Object> copy = JsonTree.object(scenario);
        JsonEdits edits = new JsonEdits(copy);
        // what is put into the scenario is changed there by what comes after
        for (Object change : list(JsonTree.object(JsonTree.text(Map.of("changes", changes))), "changes")) {
            edits.apply(map(change));
        }
        return copy;
    }

    private void apply(Map<String, Object> change) {
        if (change.containsKey("add")) {
            list(scenario, "objects").add(change.get("add"));
        } else if (change.containsKey("remove")) {
            String name = (String) change.get("remove");
            if (!list(scenario, "objects").removeIf(object -> isNamed(map(object), name, ""))) {
                throw new IllegalArgumentException("there is no " + name);
            }
        } else {
            Map<String, Object> object = find((String) change.get("object"));
            for (Object operation : list(change, "patch")) {
                patch(object, map(operation));
            }
        }
    }

    private Map<String, Object> find(String name) {
        for (Object object : list(scenario, "objects").reversed()) {
            if (isNamed(map(object), name, "")) {
                return map(object);
            }
        }
        for (Object pod : list(scenario, "pods")) {
            if (isNamed(map(pod), name, "Pod")) {
                return map(pod);
            }
        }
        throw new IllegalArgumentException("there is no " + name);
    }

    private static boolean isNamed(Map<String, Object> object, String name, String kind) {
        Map<String, Object> metadata = map(object.get("metadata"));
        Object itsKind = object.getOrDefault("kind", kind);
        String key = itsKind.equals("Node") || itsKind.equals("ClusterPlacementPolicy")
                ? "" + metadata.get("name")
                : metadata.getOrDefault("namespace", "default") + "/" + metadata.get("name");
        return name.equals(itsKind + "/" + key);
    }

    private static void patch(Object object, Map<String, Object> operation) {
        String[] path = ((String) operation.get("path")).substring(1).split("/", -1);
        Object parent = object;
        for (int i = 0; i < path.length - 1; i++) {
            parent = parent instanceof List<?> list
                    ? list.get(Integer.parseInt(path[i]))
                    : map(parent).get(unescaped(path[i]));
        }
        String last = unescaped(path[path.length - 1]);
        Object value = operation.get("value");
        boolean isMissing = !(parent instanceof List<?>) && !map(parent).containsKey(last);
        switch ((String) operation.get("op")) {
            case "add" -> {
                if (parent instanceof List<?>) {
                    List<Object> list = asList(parent);
                    list.add(last.equals("-") ? list.size() : Integer.parseInt(last), value);
                } else {
                    map(parent).put(last, value);
                }
            }
            case "replace" -> {
                require(!isMissing, last);
                if (parent instanceof List<?>) {
                    asList(parent).set(Integer.parseInt(last), value);
                } else {
                    map(parent).put(last, value);
                }
            }
            case "remove" -> {
                require(!isMissing, last);
                if (parent instanceof List<?>) {
                    asList(parent).remove(Integer.parseInt(last));
                } else {
                    map(parent).remove(last);
                }
            }
            default -> throw new IllegalArgumentException("unknown operation in " + operation);
        }
    }

    private static void require(boolean isThere, String member) {
        if (!isThere) {
            throw new IllegalArgumentException("there is no " + member + " to replace or remove");
        }
    }

    private static String unescaped(String part) {
        return part.replace("~1", "/").replace("~0", "~");
    }

    static List<Object> list(Map<String, Object> object, String field) {
        return asList(object.get(field));
    }

    @SuppressWarnings("unchecked")
    private static List<Object> asList(Object tree) {
        return (List<Object>) tree;
    }

    @SuppressWarnings("unchecked")
    static Map<String, Object> map(Object tree) {
        return (Map<String, Object>) tree;
    }
}
