package io.evenkeel.framework.cycle;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import java.util.List;
import java.util.function.IntFunction;

/**
 * A filter's verdicts for one pod on one node after the other, as pods of that node leave and come back in thought: the cluster
 * stays as it is.
 *
 * <pre>{@code
 * a node of 4 cpus, full; the pod needs 2
 * begin(node)      true: it may fit once some are gone
 * count(a, -1)     a had 1                                 verdict() Insufficient cpu
 * count(b, -1)     b had 2                                 verdict() Success
 * count(a, 1)      a may stay                              verdict() Success
 * }</pre>
 */
public interface FilterDryRun {

    /**
     * Never objects to the pod, whichever pods come or go: for a plugin that has nothing to say about it. A group of such pods is
     * placed, and refused, as if the plugin were not there.
     */
    @SuppressWarnings("ClassInitializationDeadlock") // this interface alone makes them
    FilterDryRun PASSES = new SteadyVerdict(true, _ -> Status.SUCCESS);

    /**
     * Whether the verdicts follow from the pod's shape, the node and the pods that are there, so that they can be kept for
     * the next pod of this shape. All pods of a shape have the same then, but for those to which nothing is objected anywhere.
     */
    default boolean isLocal() {
        return false;
    }

    /**
     * Whether the verdicts are the same for all pods of the shape, namespace and labels, as long as the cluster does not
     * change.
     */
    default boolean isAlike() {
        return isLocal();
    }

    /**
     * Looks at this node from now on, with all of its pods.
     *
     * @return whether the verdict may be another once some of them are gone
     */
    boolean begin(int node);

    /** The pod of this row leaves the node, -1, or is there again, 1. */
    void count(int row, int more);

    /**
     * A pod counts on the node, too, that is nominated to it and not there; until another node is begun.
     *
     * @return false where it cannot be told so what difference that makes, and the filter itself has to be asked
     */
    boolean addNominated(PodInfo pod);

    /**
     * All of the filters look at this node from now on, where these pods count too that are nominated to it; false where one
     * cannot tell.
     */
    static boolean beginBeside(List<PodInfo> pods, int node, List<FilterDryRun> filters) {
        for (int i = 0; i < filters.size(); i++) {
            filters.get(i).begin(node);
        }
        for (int i = 0; i < pods.size(); i++) {
            PodInfo pod = pods.get(i);
            for (int j = 0; j < filters.size(); j++) {
                if (!filters.get(j).addNominated(pod)) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Takes out of these nodes those where it objects with all pods there; false where it cannot say that of all nodes at once.
     * Who can goes on passing the pod as others leave, and objects the same way until one leaves who {@link #concerns} it.
     */
    default boolean keepPassing(NodeSet nodes) {
        return false;
    }

    /**
     * Whether the verdict may be another once the pod of this row leaves its node: the same for all pods of the shape. Asked of
     * filters that can {@link #keepPassing say of all nodes at once} what they think of them.
     */
    default boolean concerns(int row) {
        return false;
    }

    /** Returns the filter's verdict on the node without the pods that have left. */
    Status verdict();

    /** Returns a run with a verdict that follows from the pod's shape and the node, whichever pods are there. */
    static FilterDryRun byNode(IntFunction<Status> verdictOn) {
        return new SteadyVerdict(true, verdictOn);
    }

    /** The same where the verdict depends on more of the pod than its shape. */
    static FilterDryRun ofPodAlone(IntFunction<Status> verdictOn) {
        return new SteadyVerdict(false, verdictOn);
    }

    /**
     * The dry runs of a profile's filters for one pod, in their order.
     *
     * @param plugins the runs' plugins, each at the same place as its run
     */
    record FilterDryRuns(List<String> plugins, List<FilterDryRun> runs) {
        public FilterDryRuns {
            plugins = List.copyOf(plugins);
            runs = List.copyOf(runs);
        }

        public int size() {
            return runs.size();
        }

        public FilterDryRun get(int place) {
            return runs.get(place);
        }

        public String plugin(int place) {
            return plugins.get(place);
        }
    }

    /** The dry run of a filter that does not look at the pods of a node. */
    final class SteadyVerdict implements FilterDryRun {
        private final boolean isLocal;
        private final IntFunction<Status> verdictOn;
        private Status verdict = Status.SUCCESS;

        SteadyVerdict(boolean isLocal, IntFunction<Status> verdictOn) {
            this.isLocal = isLocal;
            this.verdictOn = verdictOn;
        }

        @Override
        public boolean isLocal() {
            return isLocal;
        }

        @Override
        public boolean begin(int node) {
            verdict = verdictOn.apply(node);
            return false;
        }

        @Override
        public void count(int row, int more) {}

        @Override
        public boolean addNominated(PodInfo pod) {
            return true;
        }

        @Override
        public boolean keepPassing(NodeSet nodes) {
            for (int node = nodes.first(); node >= 0; node = nodes.next(node + 1)) {
                nodes.set(node, verdictOn.apply(node).isSuccess());
            }
            return true;
        }

        @Override
        public Status verdict() {
            return verdict;
        }
    }
}
