package io.evenkeel.tools.simulate;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.UserProblem;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * All nodes with a label, and what runs there, are gone. Pods that something owns are made again.
 *
 * @param key the label's, or zone, region or node for the usual ones
 */
record Lost(String key, String value) implements ClusterChange {
    private static final int MOST_NAMED = 8;
    private static final Map<String, String> USUAL = Map.of(
            "zone", "topology.kubernetes.io/zone",
            "region", "topology.kubernetes.io/region",
            "node", "kubernetes.io/hostname");

    @Override
    public void apply(ChangedCluster cluster) {
        List<Node> nodes = cluster.picture().nodes();
        String label = nodes.stream().anyMatch(node -> node.labels().has(key)) ? key : USUAL.getOrDefault(key, key);
        List<Node> lost =
                nodes.stream().filter(node -> node.labels().has(label, value)).toList();
        if (lost.isEmpty()) {
            throw new UserProblem("--lose " + key + "=" + value + ": no node has the label " + label + "=" + value
                    + known(nodes, label));
        }
        Set<String> names = new HashSet<>();
        for (Node node : lost) {
            names.add(node.name());
            cluster.picture().remove(node);
            cluster.picture().find("CSINode", node.name()).ifPresent(cluster.picture()::remove);
        }
        int pods = 0;
        for (Pod pod : cluster.picture().pods()) {
            if (names.contains(pod.spec().nodeName())) {
                pods++;
                if (Owners.isOfItsNode(pod)) {
                    cluster.picture().remove(pod);
                } else {
                    cluster.goesToComeAgain(pod);
                }
            }
        }
        cluster.changed(lost.size() + (lost.size() == 1 ? " node" : " nodes") + " with " + label + "=" + value
                + " lost, and the " + pods + " pods there");
    }

    private static String known(List<Node> nodes, String label) {
        Set<String> values = new TreeSet<>();
        nodes.stream()
                .filter(node -> node.labels().has(label))
                .forEach(node -> values.add(node.labels().getOrDefault(label, "")));
        return values.isEmpty()
                ? ", and none has any of that key"
                : "; there are " + values.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
                        + (values.size() > MOST_NAMED ? " and " + (values.size() - MOST_NAMED) + " more" : "");
    }
}
