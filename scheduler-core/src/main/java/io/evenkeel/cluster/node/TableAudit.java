package io.evenkeel.cluster.node;

import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.cluster.shape.ResourceNames;

/** Audits the tables of nodes and pods: their rows, links and columns. */
public final class TableAudit {
    private TableAudit() {}

    public static void run(
            NodeTable nodes, PodTable pods, ResourceNames resources, AuditFacts facts, Differences differences) {
        new NodeRowAudit(nodes, pods, differences).run();
        new PodRowAudit(nodes, pods, facts, differences).run();
        new NodeColumnAudit(nodes, resources, facts, differences).run();
    }
}
