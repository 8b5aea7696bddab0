package io.evenkeel.engine.why;

import io.evenkeel.framework.run.Objection;
import java.util.Comparator;
import java.util.List;

/**
 * A node and all that is in the pod's way there.
 *
 * @param lacks of each thing in the way what its plugin names first of what might help, or why it is in the way where it names none
 * @param distance how far the plugins say that it is from a node that would do; comparable where the objections are the same
 */
public record NearNode(String name, List<Objection> objections, List<String> lacks, double distance) {
    static final Comparator<NearNode> ORDER = Comparator.<NearNode>comparingInt(
                    node -> node.objections().size())
            .thenComparingDouble(NearNode::distance)
            .thenComparing(NearNode::name);
}
