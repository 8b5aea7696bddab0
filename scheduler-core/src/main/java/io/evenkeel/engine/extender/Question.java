package io.evenkeel.engine.extender;

import io.evenkeel.engine.decision.Candidates;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A question to the extenders: which of these nodes suit the pod, and how well.
 *
 * @param pod as it was then
 * @param startedAt when the attempt began, in nanoseconds
 * @param isSecond whether it was asked because by the answer to the one before only other nodes were left
 */
public record Question(Attempt attempt, Pod pod, Candidates.Some candidates, long startedAt, boolean isSecond) {

    public List<Node> nodes() {
        return candidates.nodes();
    }

    /** Whether it is about the node alone that the pod was nominated to. */
    public boolean isAboutNominated() {
        return candidates.isNominated();
    }

    /**
     * The names of nodes about which nothing more is asked, where none of them is left. A nominated node that did not do
     * alone is asked about once more with the others, as in the reference.
     */
    public Set<String> done() {
        return isAboutNominated() ? Set.of() : nodes().stream().map(Node::name).collect(Collectors.toUnmodifiableSet());
    }

    /** Whether the pod has changed since in what extenders may go by, as far as that is known here. */
    public boolean isOutdated() {
        Pod now = attempt.pod();
        return !now.spec().equals(pod.spec()) || !now.labels().equals(pod.labels());
    }
}
