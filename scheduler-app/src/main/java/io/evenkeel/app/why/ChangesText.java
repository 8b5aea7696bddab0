package io.evenkeel.app.why;

import io.evenkeel.framework.change.ChangeKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Kinds of change in a sentence for people, what happens to the same together, and to what the same happens.
 *
 * <pre>
 *   NodeAdd NodeUpdateNodeLabel      a node is added or has other labels
 *   apps/ReplicaSetAdd ServiceAdd    a ReplicaSet or a Service is added
 * </pre>
 */
final class ChangesText {
    private ChangesText() {}

    static String of(List<ChangeKind> changes) {
        Map<String, List<String>> happenings = new LinkedHashMap<>();
        changes.forEach(change -> happenings
                .computeIfAbsent(change.subject(), _ -> new ArrayList<>())
                .add(change.happening()));
        Map<List<String>, List<String>> subjects = new LinkedHashMap<>();
        happenings.forEach((subject, all) ->
                subjects.computeIfAbsent(all, _ -> new ArrayList<>()).add(subject));
        return subjects.entrySet().stream()
                .map(same -> or(same.getValue()) + " " + or(same.getKey()))
                .collect(Collectors.joining("; "));
    }

    private static String or(List<String> some) {
        int last = some.size() - 1;
        return last == 0 ? some.getFirst() : String.join(", ", some.subList(0, last)) + " or " + some.get(last);
    }
}
