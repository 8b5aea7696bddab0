package io.evenkeel.engine.group;

import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.shape.PodResources;
import io.evenkeel.cluster.shape.ResourceNames;
import java.util.List;

/**
 * How full a domain is with pods of a group in place, from 0 to 100: NodeResourcesFit's MostAllocated over all of its nodes
 * taken together, so that a group goes where it leaves whole domains for others. Which nodes of the domain they are on makes
 * no difference, so it is known before they are placed.
 */
final class DomainScore {
    private static final int HIGHEST = 100;

    private DomainScore() {}

    /** Scores with these pods beside the ones that are there. */
    static int of(NodeTable table, NodeSetView nodes, List<PodResources> pods) {
        long cpu = 0;
        long memory = 0;
        for (PodResources pod : pods) {
            cpu += pod.nonZeroCpu();
            memory += pod.nonZeroMemory();
        }
        long cpuOffered = 0;
        long memoryOffered = 0;
        for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
            cpu += table.nonZeroCpu(node);
            memory += table.nonZeroMemory(node);
            cpuOffered += table.allocatable(ResourceNames.CPU, node);
            memoryOffered += table.allocatable(ResourceNames.MEMORY, node);
        }
        int resources = (cpuOffered > 0 ? 1 : 0) + (memoryOffered > 0 ? 1 : 0);
        return resources == 0 ? 0 : (share(cpu, cpuOffered) + share(memory, memoryOffered)) / resources;
    }

    private static int share(long taken, long offered) {
        return offered == 0
                ? 0
                : (int) Math.min(
                        HIGHEST,
                        Math.multiplyHigh(taken, HIGHEST) == 0
                                ? taken * HIGHEST / offered
                                : taken / Math.max(1, offered / HIGHEST));
    }

    /** How many there are beside the most that any domain takes. */
    static int ofCount(int count, int most) {
        return most == 0 ? 0 : (int) ((long) count * HIGHEST / most);
    }
}
