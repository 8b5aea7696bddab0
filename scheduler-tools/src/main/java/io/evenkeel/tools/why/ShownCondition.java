package io.evenkeel.tools.why;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.PodReport.State;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cluster's word on a pod that waits, by its condition PodScheduled. If it differs from the answer, both are
 * told, and why they may differ.
 *
 * @param nodes how many there are
 * @param needsExtenders whether extenders have a say in where it goes
 * @param ofSomeShards why the condition is not of all nodes, where several engines share them
 */
record ShownCondition(Pod pod, int nodes, Judgement judgement, boolean needsExtenders, Optional<String> ofSomeShards) {
    private static final String GATED = "SchedulingGated";
    private static final String ERROR = "SchedulerError";
    private static final Pattern OF_FILTERS = Pattern.compile("0/(\\d+) nodes are available: .*", Pattern.DOTALL);

    /** The scheduler's words when it turned the pod away last; empty where none has. */
    Optional<String> refusal() {
        return condition()
                .filter(condition -> !condition.reason().equals(GATED))
                .map(PodCondition::message);
    }

    private Optional<PodCondition> condition() {
        return pod.status().scheduled().filter(condition -> condition.status().equals("False"));
    }

    /** Whether this is what the condition says, which may tell of preemption too. */
    boolean agreesWith(String message) {
        return refusal()
                .filter(shown -> message.isEmpty() || !shown.startsWith(message))
                .isEmpty();
    }

    /** The same, with regard to what the condition says. */
    State beside(State judged) {
        return judged instanceof State.Fits(var node)
                ? refusal()
                        .<State>map(shown -> new State.Retried(node, shown, because()))
                        .orElse(judged)
                : judged;
    }

    /** Says what the condition shows, where the pod waits for another reason. */
    Optional<String> remark(State judged) {
        if (judged.reason().isEmpty()) {
            return Optional.empty();
        }
        if (!agreesWith(judged.reason().get())) {
            return refusal().map(shown -> "its condition says: " + shown + after(shown, because()));
        }
        boolean isOfGates = condition()
                .filter(condition -> condition.reason().equals(GATED))
                .isPresent();
        return isOfGates && pod.spec().schedulingGates().isEmpty()
                ? Optional.of("its condition is of scheduling gates, and they are gone")
                : Optional.empty();
    }

    private static String after(String shown, String because) {
        return shown.endsWith(".")
                ? " " + Character.toUpperCase(because.charAt(0)) + because.substring(1)
                : "; " + because;
    }

    private String because() {
        if (condition().filter(condition -> condition.reason().equals(ERROR)).isPresent()) {
            return "so its last attempt failed; there will be another";
        }
        if (needsExtenders) {
            return "extenders have a say in it, and are not asked here";
        }
        if (ofSomeShards.isPresent()) {
            return ofSomeShards.get();
        }
        Matcher ofFilters = OF_FILTERS.matcher(refusal().orElse(""));
        if (ofFilters.matches() && !ofFilters.group(1).equals(Integer.toString(nodes))) {
            return "that was of " + ofFilters.group(1) + (ofFilters.group(1).equals("1") ? " node" : " nodes")
                    + ", and " + nodes + (nodes == 1 ? " is" : " are") + " there now";
        }
        return judgement == Judgement.OWN
                ? State.Retried.SINCE_OR_LATE
                : "the cluster has changed since, or its scheduler goes by what cannot be seen here: its configuration,"
                        + " plugins that are asked once there is a node, extenders, pods on their way to nodes";
    }
}
