package io.evenkeel.lab.bench;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import java.util.ArrayList;
import java.util.List;

/** The nodes that the crowd waits for: a few of a pool for others alone, a few that are cordoned. */
final class CrowdCluster {
    static final int CPUS = 64;
    static final String POOL = "example.com/pool";
    static final String DEDICATED = "dedicated";

    private static final int NODES_PER_DEDICATED = 20;
    private static final int NODES_PER_CORDONED = 50;

    private CrowdCluster() {}

    /** The first of each zone is an ordinary one. */
    static List<Node> nodes(BenchCase benchCase) {
        List<Node> nodes = new ArrayList<>();
        for (KubernetesObject object : WorkloadCluster.objects(benchCase)) {
            if (object instanceof Node node) {
                int index = nodes.size();
                nodes.add(index < benchCase.zones() ? node : special(node, index));
            }
        }
        return nodes;
    }

    private static Node special(Node node, int index) {
        if (index % NODES_PER_DEDICATED == 0) {
            return NodeBuilder.from(node)
                    .label(POOL, DEDICATED)
                    .taint(POOL, DEDICATED, TaintEffect.NO_SCHEDULE)
                    .build();
        }
        return index % NODES_PER_CORDONED == 1
                ? NodeBuilder.from(node).unschedulable(true).build()
                : node;
    }
}
