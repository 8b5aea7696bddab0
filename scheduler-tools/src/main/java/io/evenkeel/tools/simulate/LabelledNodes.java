package io.evenkeel.tools.simulate;

import io.evenkeel.model.Node;
import io.evenkeel.problem.UserProblem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The nodes with a label, as a user names them.
 *
 * @param label the label's key in full
 */
public record LabelledNodes(String label, String value, List<Node> nodes) {
    private static final int MOST_NAMED = 8;
    private static final Map<String, String> USUAL = Map.of(
            "zone", "topology.kubernetes.io/zone",
            "region", "topology.kubernetes.io/region",
            "node", Node.HOSTNAME);

    /**
     * The nodes that have the label.
     *
     * @param option that names it
     * @param key the label's, or zone, region or node for the usual ones
     * @throws UserProblem if there is none
     */
    public static LabelledNodes find(Collection<Node> all, String option, String key, String value) {
        String label = label(all, key);
        List<Node> found =
                all.stream().filter(node -> node.labels().has(label, value)).toList();
        if (found.isEmpty()) {
            throw new UserProblem(option + " " + key + "=" + value + ": no node has the label " + label + "=" + value
                    + known(all, label));
        }
        return new LabelledNodes(label, value, found);
    }

    /**
     * The nodes by each value of the label.
     *
     * @throws UserProblem if no node has it
     */
    public static List<LabelledNodes> each(Collection<Node> all, String option, String key) {
        String label = label(all, key);
        Map<String, List<Node>> byValue = new TreeMap<>();
        all.stream()
                .filter(node -> node.labels().has(label))
                .forEach(node -> byValue.computeIfAbsent(node.labels().getOrDefault(label, ""), _ -> new ArrayList<>())
                        .add(node));
        if (byValue.isEmpty()) {
            throw new UserProblem(option + " " + key + ": no node has the label " + label);
        }
        return byValue.entrySet().stream()
                .map(entry -> new LabelledNodes(label, entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String label(Collection<Node> all, String key) {
        return all.stream().anyMatch(node -> node.labels().has(key)) ? key : USUAL.getOrDefault(key, key);
    }

    private static Set<String> values(Collection<Node> all, String label) {
        return all.stream()
                .filter(node -> node.labels().has(label))
                .map(node -> node.labels().getOrDefault(label, ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String known(Collection<Node> all, String label) {
        Set<String> values = values(all, label);
        return values.isEmpty()
                ? ", and none has any of that key"
                : "; there are " + values.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + (values.size() > MOST_NAMED ? " and " + (values.size() - MOST_NAMED) + " more" : "");
    }

    /** As {@code label=value}. */
    public String title() {
        return label + "=" + value;
    }
}
