package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.node.NodeSet;
import java.util.Arrays;

/** Some nodes: a list while they are few, as of one host name, else a set, as of a zone. */
final class NodeGroup {
    private static final int FEW = 16;

    private int[] few = {-1};
    private int size;
    private NodeSet many = new NodeSet();

    boolean isEmpty() {
        return size == 0;
    }

    private boolean isSet() {
        return size > FEW;
    }

    void add(int node) {
        if (size == FEW) {
            Arrays.stream(few).forEach(many::add);
        }
        if (size >= FEW) {
            many.add(node);
        } else {
            if (size == few.length) {
                few = Arrays.copyOf(few, Math.min(FEW, size * 2));
            }
            few[size] = node;
        }
        size++;
    }

    void remove(int node) {
        if (isSet()) {
            many.remove(node);
            size--;
            if (!isSet()) {
                size = 0;
                NodeSet rest = many;
                many = new NodeSet();
                for (int each = rest.first(); each >= 0; each = rest.next(each + 1)) {
                    few[size++] = each;
                }
            }
            return;
        }
        int at = 0;
        while (few[at] != node) {
            at++;
        }
        few[at] = few[--size];
    }

    void addTo(NodeSet nodes) {
        if (isSet()) {
            nodes.addAll(many);
            return;
        }
        for (int i = 0; i < size; i++) {
            nodes.add(few[i]);
        }
    }
}
