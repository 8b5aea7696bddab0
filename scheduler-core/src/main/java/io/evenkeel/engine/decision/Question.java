package io.evenkeel.engine.decision;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.engine.decision.Answer.ExtenderAdvice;
import io.evenkeel.engine.decision.Progress.NodeAdvice;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** A question to the extenders about a pod. */
public sealed interface Question {

    /** The extenders' answers so far, when it was asked. */
    Progress progress();

    /** The pod as it was then. */
    Pod pod();

    enum Subject {
        /** Where the pod goes. */
        NODES,
        /** Who goes for it. */
        VICTIMS
    }

    Subject about();

    int nodeCount();

    default Attempt attempt() {
        return progress().attempt();
    }

    /** Whether the pod has changed since in what extenders may go by, as far as that is known here. */
    default boolean isOutdated() {
        Pod now = attempt().pod();
        return !now.spec().equals(pod().spec()) || !now.labels().equals(pod().labels());
    }

    /**
     * Which of these nodes suit the pod, and how well.
     *
     * @param isSecond whether it was asked because by the answer to the one before only other nodes were left
     */
    record OfNodes(Progress progress, Pod pod, Candidates.Some candidates, boolean isSecond) implements Question {

        public List<Node> nodes() {
            return candidates.nodes();
        }

        @Override
        public Subject about() {
            return Subject.NODES;
        }

        @Override
        public int nodeCount() {
            return nodes().size();
        }

        /** Whether it is about the node alone that the pod was nominated to. */
        public boolean isAboutNominated() {
            return candidates.isNominated();
        }

        public Progress answered(ExtenderAdvice advice) {
            return progress.with(new NodeAdvice(done(), advice, !isSecond));
        }

        /** A nominated node that did not do alone is asked about once more with the others, as in the reference. */
        private Set<String> done() {
            return isAboutNominated()
                    ? Set.of()
                    : nodes().stream().map(Node::name).collect(Collectors.toUnmodifiableSet());
        }
    }

    /** From which of these nodes who goes for the pod. */
    record OfVictims(Progress progress, Pod pod, List<PreemptionCandidate> candidates) implements Question {

        @Override
        public Subject about() {
            return Subject.VICTIMS;
        }

        @Override
        public int nodeCount() {
            return candidates.size();
        }

        /** Returns the progress by the answer; where the cluster has moved on they are asked once more. */
        public Progress answered(List<PreemptionCandidate> left) {
            return progress.with(new VictimAdvice.Given(candidates, left, !progress.hasVictimAdvice()));
        }
    }

    /** The choice that a profile's filters leave to extenders. */
    sealed interface Candidates {

        /** The pod fits nowhere, whatever extenders say. */
        record None(Decision.Unschedulable decision) implements Candidates {}

        /**
         * Nodes on which the pod may go, at least one.
         *
         * @param isNominated whether it is the node that the pod was nominated to, which is tried alone first
         */
        record Some(List<Node> nodes, boolean isNominated) implements Candidates {}
    }
}
