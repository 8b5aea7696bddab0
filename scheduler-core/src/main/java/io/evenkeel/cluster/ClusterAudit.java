package io.evenkeel.cluster;

import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.TableAudit;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodRequests;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts again, from the records of nodes, pods and namespaces, everything that {@link ClusterState} keeps, and tells what
 * differs. Each index audits itself, those of plugins included.
 *
 * <p>The recount is as naive as can be and shares nothing with what it checks but the pure functions that say whether one
 * selector matches one pod or one requirement one node. It costs nodes and pods times everything that is kept: half a
 * millisecond for ten nodes, seconds for 5,000 nodes with 50,000 pods and 500 selector groups.
 */
public final class ClusterAudit {
    private ClusterAudit() {}

    /** One line for each difference, with both sides; empty where all is well. */
    public static List<String> differences(ClusterView cluster) {
        Differences differences = new Differences();
        AuditFacts facts = factsOf(cluster);
        TableAudit.run(
                cluster.nodes(),
                cluster.pods(),
                cluster.resources(),
                PodRequests.at(cluster.featureGates()),
                facts,
                differences);
        cluster.shapes().audit(shapesOf(cluster.pods()), differences);
        cluster.indexes().forEach(index -> index.audit(facts, differences));
        return differences.lines();
    }

    private static IdentityHashMap<Pod, Facet<PodShape>> shapesOf(PodTable pods) {
        IdentityHashMap<Pod, Facet<PodShape>> shapes = new IdentityHashMap<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                shapes.put(pods.pod(row), pods.shape(row));
            }
        }
        return shapes;
    }

    static AuditFacts factsOf(ClusterView cluster) {
        NodeTable nodes = cluster.nodes();
        Map<Integer, Node> present = new LinkedHashMap<>();
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            present.put(node, nodes.node(node));
        }
        PodTable pods = cluster.pods();
        List<AuditFacts.PlacedPod> placed = new ArrayList<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                Pod pod = pods.pod(row);
                int node = pods.isAssumed(row)
                        ? pods.node(row)
                        : nodes.find(pod.spec().nodeName());
                placed.add(new AuditFacts.PlacedPod(pod, node));
            }
        }
        return new AuditFacts(present, placed, node -> node < nodes.end() ? nodes.name(node) : "");
    }
}
