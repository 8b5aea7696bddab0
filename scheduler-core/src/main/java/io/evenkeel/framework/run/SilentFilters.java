package io.evenkeel.framework.run;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.FilterPlugin;
import io.evenkeel.framework.cycle.CycleState;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.cycle.Status;
import java.util.List;

/**
 * Finds the plugins that took nodes out of the candidates and did not say why, where a pod fits nowhere: its user would
 * not read what is in its way, and none of their changes would wake it.
 */
final class SilentFilters {
    private SilentFilters() {}

    /**
     * Rejects in the name of each plugin what it is silent about.
     *
     * @param unexplained the nodes of which nobody has said why not
     * @param filters those that were asked, who are asked once more about these
     */
    static void reject(
            NodeSet unexplained, Rejections.Writer said, List<FilterPlugin> filters, CycleState state, PodInfo pod) {
        for (int i = 0; i < filters.size() && unexplained.first() >= 0; i++) {
            if (filters.get(i) instanceof BatchFilterPlugin batch) {
                said.from(batch.name());
                said.rejections().reject(unexplained, takenOut(batch, unexplained, state, pod), silent(batch));
            }
        }
    }

    private static NodeSet takenOut(BatchFilterPlugin filter, NodeSetView unexplained, CycleState state, PodInfo pod) {
        NodeSet passing = unexplained.copy();
        Rejections.Writer explained = Rejections.create();
        try {
            filter.filterAll(state, pod, passing, explained.rejections());
        } catch (Throwable thrown) {
            throw PluginFailure.of(filter, "Filter", thrown);
        }
        NodeSet silently = unexplained.copy();
        silently.removeAll(passing);
        explained.takeOut(silently);
        return silently;
    }

    private static Status silent(BatchFilterPlugin filter) {
        return Status.unschedulable("node(s) were taken out by plugin " + filter.name() + ", which did not say why");
    }
}
