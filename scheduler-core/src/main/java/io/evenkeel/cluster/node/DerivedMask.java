package io.evenkeel.cluster.node;

import io.evenkeel.cluster.node.Derivations.Derived;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;

/**
 * The nodes that pass a test which reads nothing but the node and what runs on it: brought up to date, when it is asked
 * for, at the nodes that changed since.
 *
 * <pre>{@code
 *                              nodes that pass   read to   log
 *                              {0, 1, 2}         4         position 4
 * a pod fills node 1           {0, 1, 2}         4         ... 1, position 5
 * current()                    {0, 2}            5         the test ran once, for node 1
 * }</pre>
 */
public final class DerivedMask implements Derived {
    private final NodeTable nodes;
    private final ChangeLog log;
    private final IntPredicate test;
    private final NodeSet passing = new NodeSet();
    private final IntConsumer evaluateAgain = this::evaluate;
    private int passingCount;
    private long readTo = -1;

    DerivedMask(NodeTable nodes, ChangeLog log, IntPredicate test) {
        this.nodes = nodes;
        this.log = log;
        this.test = test;
    }

    /** Whether all nodes pass, which is known without a look at them. */
    public boolean passesAll() {
        current();
        return passingCount == nodes.count();
    }

    /** To be read only until the cluster changes. */
    @Override
    public NodeSetView current() {
        if (readTo != log.position()) {
            if (log.reaches(readTo, nodes.count())) {
                log.forEachSince(readTo, evaluateAgain);
            } else {
                passing.clear();
                passingCount = 0;
                for (int node = nodes.present().first();
                        node >= 0;
                        node = nodes.present().next(node + 1)) {
                    evaluate(node);
                }
            }
            readTo = log.position();
        }
        return passing;
    }

    private void evaluate(int node) {
        boolean passes = nodes.isPresent(node) && test.test(node);
        if (passes != passing.contains(node)) {
            passing.set(node, passes);
            passingCount += passes ? 1 : -1;
        }
    }

    @Override
    public String differenceFromRecount() {
        NodeSetView kept = current();
        NodeSet recounted = new NodeSet();
        for (int node = 0; node < nodes.end(); node++) {
            recounted.set(node, nodes.isPresent(node) && test.test(node));
        }
        return kept.equals(recounted) && passingCount == recounted.size()
                ? ""
                : "mask kept " + kept + ", recounted " + recounted;
    }

    @Override
    public String description(IntFunction<String> nameOf) {
        return "mask " + current();
    }
}
