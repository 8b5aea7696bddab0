package io.evenkeel.lab.bench;

import io.evenkeel.kube.api.JsonText;
import java.util.Locale;

/** The results of groups, by how much room the nodes have. */
public record GroupResult(GroupCase groups, GroupFigures manyANode, GroupFigures oneANode) {

    /** For people; without a newline at the end. */
    public String table() {
        return String.format(
                Locale.ROOT,
                """
                workload       %s: %s
                cluster        %,d nodes, each where one of %,d racks and one of %,d rows cross
                %s
                %s
                seed           %d\
                """,
                groups.id(),
                groups.description(),
                groups.nodes(),
                groups.racks(),
                groups.rows(),
                manyANode.table("many a node"),
                oneANode.table("one a node"),
                groups.seed());
    }

    /** One JSON object on one line. */
    public String json() {
        return JsonText.object(json -> {
            json.writeStringField("workload", groups.id());
            json.writeNumberField("nodes", groups.nodes());
            json.writeNumberField("pods", groups.pods());
            manyANode.write(json, "");
            oneANode.write(json, "one_a_node_");
            json.writeNumberField("seed", groups.seed());
        });
    }
}
