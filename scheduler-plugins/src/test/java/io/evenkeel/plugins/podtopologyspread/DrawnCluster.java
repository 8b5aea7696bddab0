package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.PluginArgs.PodTopologySpreadArgs;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.NodeScores;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster drawn in a line: {@code "a: n1[foo foo] n2[] | b: n3[bar]"} has zones a and b, and pods by their label
 * {@code app}. Nodes after {@code -:} have no zone.
 */
final class DrawnCluster {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String HOSTNAME = "kubernetes.io/hostname";
    private static final Pattern NODE = Pattern.compile("(\\w+)\\[([^]]*)]");
    private static final Pattern APP = Pattern.compile("\\w+");

    final ClusterState state = new ClusterState();
    private final PodTopologySpread plugin;
    private int pods;

    private DrawnCluster(PodTopologySpreadArgs args) {
        plugin = new PodTopologySpread(new TreeContext(state.view(), Optional.of(args)));
    }

    static DrawnCluster of(String drawing) {
        return of(drawing, PodTopologySpreadArgs.defaults());
    }

    static DrawnCluster of(String drawing, PodTopologySpreadArgs args) {
        DrawnCluster cluster = new DrawnCluster(args);
        for (String zone : drawing.isEmpty() ? new String[0] : drawing.split("\\|")) {
            String name = zone.substring(0, zone.indexOf(':')).strip();
            Matcher node = NODE.matcher(zone);
            while (node.find()) {
                NodeBuilder builder = NodeBuilder.node(node.group(1)).hostname(node.group(1));
                cluster.state.putNode(
                        name.equals("-") ? builder.build() : builder.zone(name).build());
                Matcher app = APP.matcher(node.group(2));
                while (app.find()) {
                    cluster.put(PodBuilder.pod("p" + cluster.pods).label("app", app.group()), node.group(1));
                }
            }
        }
        return cluster;
    }

    void put(PodBuilder pod, String node) {
        state.putPod(pod.nodeName(node).build());
        pods++;
    }

    /** Nodes by name, each with the reason it is turned away for, or "fits". */
    Map<String, String> filter(Pod pod) {
        Map<String, String> verdicts = new TreeMap<>();
        PodInfo info = state.admit(pod);
        CycleState cycle = new CycleState();
        boolean skipped = plugin.preFilter(cycle, info).equals(PreFilterResult.SKIP);
        NodeSet candidates = state.view().nodes().present().copy();
        if (!skipped) {
            plugin.filterAll(cycle, info, candidates, Rejections.create().rejections());
        }
        NodeSetView present = state.view().nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            Status status = skipped
                    ? Status.SUCCESS
                    : plugin.filter(cycle, info, state.view().nodeInfo(node));
            if (status.isSuccess() != candidates.contains(node)) {
                throw new AssertionError("one by one and all at once disagree on "
                        + state.view().nodes().name(node));
            }
            verdicts.put(
                    state.view().nodes().name(node),
                    status.isSuccess() ? "fits" : status.code() + " " + status.message());
        }
        state.dismiss(info);
        return verdicts;
    }

    /** Scores of these nodes by name, as if only they were feasible; empty where the plugin skips. */
    Map<String, Integer> score(Pod pod, NodeSet feasible) {
        Map<String, Integer> byName = new TreeMap<>();
        PodInfo info = state.admit(pod);
        CycleState cycle = new CycleState();
        plugin.preFilter(cycle, info);
        if (!plugin.preScore(cycle, info, state.view().nodeInfos(feasible)).isSkip()) {
            NodeScores scores = new NodeScores();
            plugin.scoreAll(cycle, info, feasible, scores);
            long[] added = new long[state.view().nodes().end()];
            scores.addTo(added, 1, added.length);
            for (int node = feasible.first(); node >= 0; node = feasible.next(node + 1)) {
                if (added[node] != scores.of(node)) {
                    throw new AssertionError("a node is in two classes, or in none: "
                            + state.view().nodes().name(node));
                }
                byName.put(state.view().nodes().name(node), scores.of(node));
            }
        }
        state.dismiss(info);
        return byName;
    }

    Map<String, Integer> score(Pod pod) {
        return score(pod, state.view().nodes().present().copy());
    }
}
