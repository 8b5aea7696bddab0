package io.evenkeel.engine.decision;

import io.evenkeel.api.PreemptionCandidate;
import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.engine.decision.Question.Progress.NodeAdvice;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /**
     * The answers of extenders in an attempt so far. For example, of a pod that they turn away from the nodes where it fits, and
     * for which they let another go:
     *
     * <pre>
     *              nodeAdvice        victimAdvice
     *   begun      -                 needed
     *   of nodes   none of n1 n2     needed
     *   of victims none of n1 n2     a goes from n3
     * </pre>
     *
     * @param startedAt when the attempt began, in nanoseconds
     * @param isAnew whether the pod had changed by the time of an answer, and was asked about again
     */
    record Progress(
            Attempt attempt,
            long startedAt,
            boolean isAnew,
            Optional<NodeAdvice> nodeAdvice,
            VictimAdvice victimAdvice) {

        /** Of an attempt that has begun. */
        public static Progress begun(Attempt attempt, long startedAt, boolean isAnew, VictimAdvice victimAdvice) {
            return new Progress(attempt, startedAt, isAnew, Optional.empty(), victimAdvice);
        }

        public Progress with(NodeAdvice given) {
            return new Progress(attempt, startedAt, isAnew, Optional.of(given), victimAdvice);
        }

        public Progress with(VictimAdvice given) {
            return new Progress(attempt, startedAt, isAnew, nodeAdvice, given);
        }

        /** Whether they can be asked who goes, whatever a plugin wants: they have a say, and were not asked twice. */
        public boolean mayAskOfVictims() {
            return switch (victimAdvice) {
                case VictimAdvice.Needed _ -> true;
                case VictimAdvice.Given given -> given.mayAskAgain();
                case VictimAdvice.NotNeeded _, VictimAdvice.Failed _ -> false;
            };
        }

        /** Whether they have been asked already who goes. */
        public boolean hasVictimAdvice() {
            return victimAdvice instanceof VictimAdvice.Given;
        }

        /**
         * The answer of extenders about the nodes that they were asked about.
         *
         * @param done the names of nodes about which nothing more is asked; none where it was the nominated one alone
         * @param mayAskAgain where not, the pod fits nowhere if none of these is left
         */
        public record NodeAdvice(Set<String> done, ExtenderAdvice advice, boolean mayAskAgain) {
            public NodeAdvice {
                done = Set.copyOf(done);
            }
        }
    }

    /** An answer of the extenders. */
    sealed interface Answer {

        /** To {@link Question.OfNodes}. */
        record Advised(ExtenderAdvice advice) implements Answer {}

        /** To {@link Question.OfVictims}: what they leave of the candidates. */
        record VictimsChosen(List<PreemptionCandidate> left) implements Answer {}

        /**
         * To any: one failed that may not be ignored.
         *
         * @param message for the pod's user
         */
        record Failed(String message) implements Answer {}

        /**
         * The answer of extenders about the nodes that they were asked about, by name.
         *
         * @param left those on which the pod may go
         * @param turnedAway why it may not go on others; not all of these need to have a reason, and some may be none of those
         *     that were asked about
         * @param scores what is added to nodes' totals; nothing where there was not more than one to choose
         */
        record ExtenderAdvice(Set<String> left, Map<String, Status> turnedAway, Map<String, Long> scores) {
            public ExtenderAdvice {
                left = Set.copyOf(left);
                turnedAway = Map.copyOf(turnedAway);
                scores = Map.copyOf(scores);
            }
        }
    }
}
