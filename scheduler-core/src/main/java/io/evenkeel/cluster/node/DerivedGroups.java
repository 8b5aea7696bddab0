package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntUnaryOperator;

/**
 * The nodes by a number that is worked out from nothing but the node, a set for each number: brought up to date, when it
 * is asked for, at the nodes that changed since. Each node that is present is in one set. A change of a node costs a step
 * for each number, so there should be a handful. Where much has changed, blocks of 64 nodes are looked at first.
 */
public final class DerivedGroups implements Derived {
    /** The number of nodes that are not there, or of blocks whose nodes differ. */
    public static final int NONE = -1;

    private static final int FEW = 4;

    /** A look at a node takes so many times as long as one at a block. */
    private static final int BLOCKS_A_NODE = 4;

    private final NodeTable nodes;
    private final ChangeLog log;
    private final IntUnaryOperator numberOf;
    private final IntUnaryOperator numberOfAll;
    private final NodeSet mixedBlocks = new NodeSet();
    private final List<NodeSet> groups = new ArrayList<>();
    private final List<NodeSetView> readable = Collections.unmodifiableList(groups);
    private final IntConsumer evaluateAgain = this::evaluate;
    private final IntConsumer evaluateInMixed = this::evaluateInMixed;
    private long readTo = -1;

    DerivedGroups(NodeTable nodes, ChangeLog log, IntUnaryOperator numberOf, IntUnaryOperator numberOfAll) {
        this.nodes = nodes;
        this.log = log;
        this.numberOf = numberOf;
        this.numberOfAll = numberOfAll;
    }

    /** The sets by number; to be read only until the cluster changes. */
    @Override
    public List<NodeSetView> current() {
        if (readTo != log.position()) {
            boolean isKnown = log.reaches(readTo, nodes.count());
            if (isKnown && log.countSince(readTo) <= FEW + blocks() / BLOCKS_A_NODE) {
                log.forEachSince(readTo, evaluateAgain);
            } else {
                catchUp(isKnown);
            }
            readTo = log.position();
        }
        return readable;
    }

    private int blocks() {
        return (nodes.end() + 63) >> 6;
    }

    private void catchUp(boolean isKnown) {
        mixedBlocks.clear();
        for (int block = 0; block < blocks(); block++) {
            int number = numberOfAll.applyAsInt(block);
            if (number == NONE) {
                mixedBlocks.add(block);
            }
            if (number != NONE || !isKnown) {
                regroup(block, number);
            }
        }
        if (mixedBlocks.first() < 0) {
            return;
        }
        if (isKnown) {
            log.forEachSince(readTo, evaluateInMixed);
            return;
        }
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            if (mixedBlocks.contains(node >> 6)) {
                group(numberOf.applyAsInt(node)).add(node);
            }
        }
    }

    private void evaluateInMixed(int node) {
        if (mixedBlocks.contains(node >> 6)) {
            evaluate(node);
        }
    }

    /** Puts the nodes that are there into one group, or none. */
    private void regroup(int block, int number) {
        for (int other = 0; other < groups.size(); other++) {
            groups.get(other).setWord(block, 0);
        }
        if (number != NONE) {
            group(number).setWord(block, nodes.present().word(block));
        }
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
