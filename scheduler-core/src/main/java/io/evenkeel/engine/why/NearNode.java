package io.evenkeel.engine.why;

import io.evenkeel.framework.run.Objection;
import java.util.Comparator;
import java.util.List;

/**
 * A node and all that is in the pod's way there.
 *
 * @param lacks what the plugins in the way name first of what might help
 * @param distance how far the plugins say that it is from a node that would do; comparable where the objections are the same
 */
public record NearNode(String name, List<Objection> objections, List<String> lacks, double distance) {
    static final Comparator<NearNode> ORDER = Comparator.<NearNode>comparingInt(
                    node -> node.objections().size())
            .thenComparingDouble(NearNode::distance)
            .thenComparing(NearNode::name);
}
