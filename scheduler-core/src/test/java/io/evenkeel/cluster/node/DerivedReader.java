package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import java.util.List;
import java.util.function.IntUnaryOperator;

/**
 * One who looks at a mask, a column or groups that are derived from a number of each node: a mask has the nodes whose
 * number is odd.
 *
 * @param seenAt what is seen at a row
 * @param expectedOf what is to be seen at a node of this number; 0 where there is no node
 */
record DerivedReader(Derived derived, IntUnaryOperator seenAt, IntUnaryOperator expectedOf) {

    static DerivedReader of(DerivedMask mask) {
        return new DerivedReader(mask, node -> mask.current().contains(node) ? 1 : 0, number -> number % 2);
    }

    static DerivedReader of(DerivedColumn column) {
        return new DerivedReader(column, node -> column.current()[node], number -> number);
    }

    static DerivedReader of(DerivedGroups groups) {
        return new DerivedReader(groups, node -> seenAt(groups.current(), node), number -> number + 1);
    }

    /** One more than the number of the node's group; less than 0 where it is in two. */
    private static int seenAt(List<NodeSetView> groups, int node) {
        int seen = 0;
        for (int number = 0; number < groups.size(); number++) {
            if (groups.get(number).contains(node)) {
                seen = seen == 0 ? number + 1 : -1;
            }
        }
        return seen;
    }
}
