package io.evenkeel.app.replay;

import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The next smaller changes than some: one of them left out, or a number of theirs one less. */
final class Smaller {
    private Smaller() {}

    static List<List<Object>> than(List<Object> changes) {
        List<List<Object>> smaller = new ArrayList<>();
        for (int i = 0; i < changes.size(); i++) {
            if (changes.size() > 1) {
                List<Object> without = new ArrayList<>(changes);
                without.remove(i);
                smaller.add(without);
            }
            Map<String, Object> change = JsonEdits.map(changes.get(i));
            if (change.containsKey("patch")) {
                List<Object> operations = JsonEdits.list(change, "patch");
                for (int j = 0; j < operations.size(); j++) {
                    List<Object> less = new ArrayList<>(operations);
                    Map<String, Object> operation = less(JsonEdits.map(operations.get(j)));
                    if (!operation.isEmpty()) {
                        less.set(j, operation);
                        smaller.add(with(changes, i, less));
                    }
                }
            }
        }
        return smaller;
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
        if (path.endsWith("/maxSkew")) {
            less.put("value", (Long) operation.get("value") - 1);
        } else if (path.endsWith("/minDomains") && operation.containsKey("value")) {
            less.put("value", (Long) operation.get("value") + 1);
        } else if (path.startsWith("/status/allocatable/")) {
            Quantity amount = Quantity.parse((String) operation.get("value"));
            Quantity next =
                    path.endsWith("/cpu") ? Quantity.ofMilli(amount.milliValue() - 1) : Quantity.of(amount.value() - 1);
            less.put("value", next.toString());
        } else {
            return Map.of();
        }
        return less;
    }
}
