package io.evenkeel.cluster;

import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Clusters as drawings: {@code "a: n1[web web] n2[]", "b: n3[db]"} is two zones, three nodes, and pods {@code p0},
 * {@code p1} and {@code p2} in the namespace {@code default} with the label {@code app} as written. A zone {@code -} is a
 * node without the label.
 */
public final class ClusterDrawing {
    public static final Topology.Key ZONES = new Topology.Key("topology.kubernetes.io/zone", false);
    private static final Pattern NODE = Pattern.compile("(\\w+)\\[([^]]*)]");

    private ClusterDrawing() {}

    public static ClusterState cluster(String... zones) {
        ClusterState cluster = new ClusterState();
        int pods = 0;
        for (String line : zones) {
            String zone = line.substring(0, line.indexOf(':'));
            for (MatchResult node : NODE.matcher(line).results().toList()) {
                NodeBuilder builder = NodeBuilder.node(node.group(1)).allocatable("cpu", "4", "pods", "110");
                cluster.put((zone.equals("-") ? builder : builder.zone(zone)).build());
                for (String app : node.group(2).split(" ", -1)) {
                    if (!app.isEmpty()) {
                        cluster.put(
                                app("p" + pods++, app).nodeName(node.group(1)).build());
                    }
                }
            }
        }
        return cluster;
    }

    public static PodBuilder app(String name, String app) {
        return PodBuilder.pod(name).label("app", app).container("cpu", "100m");
    }

    /** As in {@code "a=2 b=0"}: the domains that count. */
    public static String draw(DomainCounter counter) {
        Map<String, Integer> sums = new TreeMap<>();
        for (int domain = 0; domain < counter.topology().end(); domain++) {
            if (counter.isCounted(domain)) {
                sums.put(counter.topology().value(domain), counter.sumOf(domain));
            }
        }
        return text(sums);
    }

    /** As in {@code "n1=2 n3=1"}: the nodes with a count. */
    public static String draw(SparseCounts counts, ClusterState cluster) {
        Map<String, Integer> byNode = new TreeMap<>();
        counts.forEachNode(node -> byNode.put(cluster.view().nodes().name(node), counts.get(node)));
        return text(byNode);
    }

    /** As in {@code "n1 n3"}. */
    public static String draw(NodeSetView nodes, ClusterState cluster) {
        StringBuilder names = new StringBuilder();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            names.append(names.isEmpty() ? "" : " ")
                    .append(cluster.view().nodes().name(node));
        }
        return names.toString();
    }

    private static String text(Map<String, Integer> counts) {
        return String.join(
                " ",
                counts.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue())
                        .toList());
    }
}
