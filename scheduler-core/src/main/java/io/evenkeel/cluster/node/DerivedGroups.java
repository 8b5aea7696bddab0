package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * The nodes by a number that is worked out from nothing but the node, a set for each number: brought up to date, when it
 * is asked for, at the nodes that changed since. Each node that is present is in one set. A change of a node costs a step
 * for each number, so there should be a handful.
 */
public final class DerivedGroups implements Derived {
    private static final int NONE = -1;

    private final NodeTable nodes;
    private final ChangeLog log;
    private final IntUnaryOperator numberOf;
    private final List<NodeSet> groups = new ArrayList<>();
    private final List<NodeSetView> readable = Collections.unmodifiableList(groups);
    private long readTo = -1;

    DerivedGroups(NodeTable nodes, ChangeLog log, IntUnaryOperator numberOf) {
        this.nodes = nodes;
        this.log = log;
        this.numberOf = numberOf;
    }

    /** The sets by number; to be read only until the cluster changes. */
    public List<NodeSetView> current() {
        if (readTo != log.position()) {
            if (log.reaches(readTo, nodes.count())) {
                log.forEachSince(readTo, this::evaluate);
            } else {
                groups.forEach(NodeSet::clear);
                for (int node = nodes.present().first();
                        node >= 0;
                        node = nodes.present().next(node + 1)) {
                    group(numberOf.applyAsInt(node)).add(node);
                }
            }
            readTo = log.position();
        }
        return readable;
    }

    /** Most changes leave a node in the group that it is in. */
    private void evaluate(int node) {
        int now = nodes.isPresent(node) ? numberOf.applyAsInt(node) : NONE;
        if (now != NONE && now < groups.size() && groups.get(now).contains(node)) {
            return;
        }
        for (int number = 0; number < groups.size(); number++) {
            groups.get(number).remove(node);
        }
        if (now != NONE) {
            group(now).add(node);
        }
    }

    private NodeSet group(int number) {
        while (number >= groups.size()) {
            groups.add(new NodeSet(nodes.end()));
        }
        return groups.get(number);
    }

    @Override
    public String differenceFromRecount() {
        List<NodeSetView> kept = current();
        for (int node = 0; node < nodes.end(); node++) {
            int recounted = nodes.isPresent(node) ? numberOf.applyAsInt(node) : NONE;
            for (int number = 0; number < Math.max(kept.size(), recounted + 1); number++) {
                if (group(number).contains(node) != (number == recounted)) {
                    return "group " + number + " kept " + group(number) + ", node " + nodes.name(node)
                            + " recounted into " + recounted;
                }
            }
        }
        return "";
    }

    @Override
    public String description(IntFunction<String> nameOf) {
        return "groups " + current().stream().filter(group -> !group.isEmpty()).toList();
    }
}
