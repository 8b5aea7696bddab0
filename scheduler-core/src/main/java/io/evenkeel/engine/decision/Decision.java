package io.evenkeel.engine.decision;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/** The outcome of one scheduling cycle for its pod. */
public sealed interface Decision {

    /** The pod goes to this node. To be acted upon before the next pod is decided. */
    record Placed(PodInfo pod, int node) implements Decision {}

    /**
     * Filters let no node pass.
     *
     * @param nominatedNode where it may fit soon, for its status: empty leaves that as it is, an empty name takes it away
     * @param victims pods that are to go from there for it
     * @param candidates what extenders are to be asked about before it is known who goes; empty where they need not be
     * @param writes of objects, so that it fits soon
     * @param chosenBy the plugin that chose them; empty where there are none
     * @param crowdedOut whether room that is left for nominated pods kept it from some node
     */
    record Unschedulable(
            Diagnosis diagnosis,
            Optional<String> nominatedNode,
            List<Pod> victims,
            List<PreemptionCandidate> candidates,
            List<ObjectPatch> writes,
            String chosenBy,
            boolean crowdedOut)
            implements Decision {

        /** The same, with something more for its user to read. */
        public Unschedulable withRemark(String remark) {
            return new Unschedulable(
                    diagnosis.withRemark(remark), nominatedNode, victims, candidates, writes, chosenBy, crowdedOut);
        }
    }
}
