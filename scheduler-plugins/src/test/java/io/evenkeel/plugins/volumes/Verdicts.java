package io.evenkeel.plugins.volumes;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.cycle.Diagnosis.Rejection;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** What a plugin says of each node to a pod, from PreFilter on: for all nodes at once, and for each, and both the same. */
public final class Verdicts {
    private Verdicts() {}

    public static <P extends PreFilterPlugin & BatchFilterPlugin> Map<String, Status> of(
            ClusterState cluster, P plugin, Pod pod) {
        return with(cluster, pod, info -> {
            CycleState state = new CycleState();
            return switch (plugin.preFilter(state, info)) {
                case PreFilterResult.Skip _ -> ofEach(cluster.view(), _ -> Status.SUCCESS);
                case PreFilterResult.Rejected(Status status) -> ofEach(cluster.view(), _ -> status);
                default -> ofBoth(cluster.view(), plugin, state, info);
            };
        });
    }

    /** The one status, where there is one node. */
    public static <P extends PreFilterPlugin & BatchFilterPlugin> Status ofOnly(
            ClusterState cluster, P plugin, Pod pod) {
        Map<String, Status> all = of(cluster, plugin, pod);
        assertThat(all).hasSize(1);
        return all.values().iterator().next();
    }

    private static Map<String, Status> ofBoth(
            ClusterView view, BatchFilterPlugin plugin, CycleState state, PodInfo pod) {
        Map<String, Status> each = ofEach(view, node -> plugin.filter(state, pod, view.nodeInfo(node)));
        Map<String, Status> all = new TreeMap<>();
        NodeSet candidates = view.nodes().present().copy();
        Rejections rejections = Rejections.create().rejections();
        plugin.filterAll(state, pod, candidates, rejections);
        ids(candidates).forEach(node -> all.put(view.nodes().name(node), Status.SUCCESS));
        for (Rejection rejection : rejections.copy()) {
            ids(rejection.nodes())
                    .forEach(node -> all.merge(view.nodes().name(node), rejection.status(), (first, more) -> {
                        throw new AssertionError("told of twice: " + first + ", " + more);
                    }));
        }
        assertThat(all).as("%s to %s", plugin.name(), pod.pod()).isEqualTo(each);
        return all;
    }

    private static Map<String, Status> ofEach(ClusterView view, Function<Integer, Status> verdict) {
        Map<String, Status> statuses = new TreeMap<>();
        ids(view.nodes().present()).forEach(node -> statuses.put(view.nodes().name(node), verdict.apply(node)));
        return statuses;
    }

    public static List<Integer> ids(NodeSetView nodes) {
        List<Integer> ids = new ArrayList<>();
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            ids.add(node);
        }
        return ids;
    }

    public static <T> T with(ClusterState cluster, Pod pod, Function<PodInfo, T> act) {
        PodInfo info = cluster.admit(pod);
        try {
            return act.apply(info);
        } finally {
            cluster.dismiss(info);
        }
    }
}
