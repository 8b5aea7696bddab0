package io.evenkeel.cluster;

import java.util.List;

/**
 * Assertion mode: recounts from the records of nodes, pods and namespaces everything that {@link ClusterState} keeps,
 * and tells what differs.
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
        AuditFacts facts = AuditFacts.of(cluster);
        new NodeRowAudit(cluster, differences).run();
        new PodRowAudit(cluster, differences).run();
        new NodeColumnAudit(cluster, facts, differences).run();
        new FacetAudit(cluster, differences).run();
        new SelectorAudit(cluster, facts, differences).run();
        new LabelClassAudit(cluster, differences).run();
        new TopologyAudit(cluster, facts, differences).run();
        new DomainCounterAudit(cluster, facts, differences).run();
        new CarriedTermAudit(cluster, facts, differences).run();
        new ClaimAudit(cluster, facts, differences).run();
        for (Derived derived : cluster.derived()) {
            String difference = derived.differenceFromRecount();
            differences.require(difference.isEmpty(), () -> difference);
        }
        return differences.lines();
    }
}
