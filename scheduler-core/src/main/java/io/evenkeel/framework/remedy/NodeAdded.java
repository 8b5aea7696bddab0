package io.evenkeel.framework.remedy;

import io.evenkeel.model.Node;

/**
 * One more node, without pods.
 *
 * @param like the node that it is like
 * @param where what distinguishes it from that, as "in topology.kubernetes.io/zone=c"; empty where nothing does
 */
public record NodeAdded(Node node, String like, String where) implements Change {
    @Override
    public Kind kind() {
        return Kind.NODE;
    }

    @Override
    public String text() {
        return "one more node like " + like + (where.isEmpty() ? "" : " " + where);
    }
}
