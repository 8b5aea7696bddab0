package io.evenkeel.app.why;

import io.evenkeel.engine.why.Answer;
import io.evenkeel.engine.why.Placement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is said of a pod.
 *
 * @param scenario that the pod is of; empty where it is of none
 * @param pod as {@code namespace/name}
 * @param alike other pods of which the same is said
 * @param remarks what is to be known beside the answer, a sentence each
 * @param queued what the scheduler's queue knows of it; empty where no queue was asked
 */
public record PodReport(
        String scenario,
        String pod,
        List<String> alike,
        List<String> remarks,
        State state,
        Optional<QueuedPod> queued) {

    /** Where the pod is, or why it is nowhere. */
    public sealed interface State {

        /** It fits nowhere. */
        record Waits(String message, Answer answer) implements State {}

        /** It would go there now, and has not yet had its turn. */
        record Fits(String node) implements State {}

        /** A plugin does not let it into the queue. */
        record Held(String plugin, String why) implements State {}

        /** It is on a node. */
        record InPlace(Placement placement) implements State {}
    }

    /** The same with what the queue knows. */
    public PodReport inQueue(QueuedPod there) {
        return new PodReport(scenario, pod, alike, remarks, state, Optional.of(there));
    }

    /** The same with another remark. */
    public PodReport remarking(String remark) {
        List<String> more = new ArrayList<>(remarks);
        more.add(remark);
        return new PodReport(scenario, pod, alike, List.copyOf(more), state, queued);
    }

    /** Of a pod that waits in a scenario. */
    public static PodReport waiting(String scenario, String message, Answer answer) {
        return new PodReport(
                scenario, answer.pod().key(), List.of(), List.of(), new State.Waits(message, answer), Optional.empty());
    }
}
