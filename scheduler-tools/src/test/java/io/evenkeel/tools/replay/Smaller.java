package io.evenkeel.tools.replay;

import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The next smaller changes than some: one of them left out, one label less, or a number of theirs one less. What comes with a
 * new node is no change of its own.
 */
final class Smaller {
    private static final List<String> LIMITS = List.of("/maxSkew", "/maxPods", "/maxPercent", "/maxDomains");

    private Smaller() {}

    static List<List<Object>> than(List<Object> changes) {
        List<List<Object>> smaller = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            Map<String, Object> change = JsonEdits.map(changes.get(i));
            if (changes.size() > 1 && !isOf("CSINode", change)) {
                List<Object> without = new ArrayList<>(changes);
                without.remove(i);
                if (!without.stream().allMatch(rest -> isOf("CSINode", JsonEdits.map(rest)))) {
                    smaller.add(without);
                }
            }
            if (isOf("PersistentVolume", change)) {
                smallerVolume(changes, i).ifPresent(smaller::add);
            }
            if (change.containsKey("patch")) {
                List<Object> operations = JsonEdits.list(change, "patch");
                for (int j = 0; j < operations.size(); j++) {
                    List<Object> less = new ArrayList<>(operations);
                    Map<String, Object> operation = less(JsonEdits.map(operations.get(j)));
                    if (!operation.isEmpty()) {
                        less.set(j, operation);
                        smaller.add(with(changes, i, less));
                    }
                    if (operations.size() > 1 && isLabel(operations.get(j))) {
                        smaller.add(with(changes, i, withoutLabel(operations, j)));
                    }
                }
            }
        }
        return smaller;
    }

    private static boolean isOf(String kind, Map<String, Object> change) {
        return change.containsKey("add")
                && kind.equals(JsonEdits.map(change.get("add")).get("kind"));
    }

    /** Of a size that can be smaller; one that is some claim's already need not be of any. */
    private static Optional<List<Object>> smallerVolume(List<Object> changes, int index) {
        Map<String, Object> volume = new LinkedHashMap<>(
                JsonEdits.map(JsonEdits.map(changes.get(index)).get("add")));
        Map<String, Object> spec = new LinkedHashMap<>(JsonEdits.map(volume.get("spec")));
        if (!spec.containsKey("capacity") || spec.containsKey("claimRef")) {
            return Optional.empty();
        }
        Quantity size =
                Quantity.parse((String) JsonEdits.map(spec.get("capacity")).get("storage"));
        spec.put("capacity", Map.of("storage", Quantity.of(size.value() - 1).toString()));
        volume.put("spec", spec);
        List<Object> all = new ArrayList<>(changes);
        all.set(index, Map.of("add", volume));
        return Optional.of(all);
    }

    private static boolean isLabel(Object operation) {
        return ((String) JsonEdits.map(operation).get("path")).startsWith("/metadata/labels");
    }

    /** The first may make the field that the others are put into. */
    private static List<Object> withoutLabel(List<Object> operations, int index) {
        List<Object> less = new ArrayList<>(operations);
        Map<String, Object> operation = new LinkedHashMap<>(JsonEdits.map(operations.get(index)));
        if (operation.get("path").equals("/metadata/labels")) {
            operation.put("value", new LinkedHashMap<>());
            less.set(index, operation);
        } else {
            less.remove(index);
        }
        return less;
    }

    private static List<Object> with(List<Object> changes, int index, List<Object> operations) {
        Map<String, Object> change = new LinkedHashMap<>(JsonEdits.map(changes.get(index)));
        change.put("patch", operations);
        List<Object> all = new ArrayList<>(changes);
        all.set(index, change);
        return all;
    }

    /** Empty where it has no number. */
    private static Map<String, Object> less(Map<String, Object> operation) {
        String path = (String) operation.get("path");
        Map<String, Object> less = new LinkedHashMap<>(operation);
        if (LIMITS.stream().anyMatch(path::endsWith)) {
            less.put("value", (Long) operation.get("value") - 1);
        } else if (path.endsWith("/minDomains") && operation.containsKey("value")) {
            less.put("value", (Long) operation.get("value") + 1);
        } else if (path.startsWith("/status/allocatable/")) {
            Quantity amount = Quantity.parse((String) operation.get("value"));
            Quantity next =
                    path.endsWith("/cpu") ? Quantity.ofMilli(amount.milliValue() - 1) : Quantity.of(amount.value() - 1);
            less.put("value", next.toString());
        } else if (path.startsWith("/spec/") && path.contains("/resources/requests/")) {
            Quantity amount = Quantity.parse((String) operation.get("value"));
            Quantity more = path.endsWith("/cpu") ? Quantity.ofMilli(1) : Quantity.of(1);
            less.put("value", amount.plus(more).toString());
        } else {
            return Map.of();
        }
        return less;
    }
}
