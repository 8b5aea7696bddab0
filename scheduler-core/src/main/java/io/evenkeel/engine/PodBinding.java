package io.evenkeel.engine;

import io.evenkeel.framework.run.BindingSteps;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;

/** A pod on its way to its node: decided, counted there, and not yet known to be bound. */
public final class PodBinding {

    /** The step that is being waited for. */
    public enum Stage {
        /** The permits of all plugins that ask for time. */
        PERMIT,
        /** The answer to the command that writes what the pod needs before it is bound. */
        WRITE,
        /** The watch, to show what was to come of that. */
        AWAIT,
        /** The answer to the bind command. */
        ANSWER,
        /** The watch, to show the pod on its node. */
        WATCH,
        /** The answer to the look-up command, which tells what became of the pod. */
        LOOKUP,
        /** Time to pass until the next look-up, as the server could not be asked. */
        NEXT_LOOKUP
    }

    private final Attempt attempt;
    private final Pod pod;
    private final String node;
    private final BindingSteps steps;
    private final long startedAt;
    private Stage stage = Stage.ANSWER;
    private long deadline = Long.MAX_VALUE;
    private String trouble = "";
    private boolean seenOnNode;
    private boolean bound;

    /** @param startedAt when the attempt began, in nanoseconds */
    PodBinding(Attempt attempt, String node, BindingSteps steps, long startedAt) {
        this.attempt = attempt;
        this.pod = attempt.pod();
        this.node = node;
        this.steps = steps;
        this.startedAt = startedAt;
    }

    Attempt attempt() {
        return attempt;
    }

    /** The pod as it was decided on. */
    Pod pod() {
        return pod;
    }

    String node() {
        return node;
    }

    BindingSteps steps() {
        return steps;
    }

    long startedAt() {
        return startedAt;
    }

    Stage stage() {
        return stage;
    }

    /** Why it is not clear whether the pod was bound; empty where it is. */
    String trouble() {
        return trouble;
    }

    /** Whether the watch has shown the pod on its node already. */
    boolean seenOnNode() {
        return seenOnNode;
    }

    /** Whether the server has said that the pod is bound; its attempt has ended then. */
    boolean isBound() {
        return bound;
    }

    boolean isOverdue(long now) {
        return now - deadline >= 0 && deadline != Long.MAX_VALUE;
    }

    void enter(Stage next, long until) {
        stage = next;
        deadline = until;
    }

    void inTrouble(String what) {
        trouble = what;
    }

    void wasSeenOnNode() {
        seenOnNode = true;
    }

    void wasBound() {
        bound = true;
    }
}
