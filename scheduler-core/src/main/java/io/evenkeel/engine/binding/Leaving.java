package io.evenkeel.engine.binding;

import java.util.LinkedHashSet;
import java.util.Set;

/** A pod that is to go, and for whom. */
final class Leaving {

    /** The step that is being waited for. */
    enum Stage {
        /** Its binding, to end: a pod that turns out to be on no node need not go. */
        BINDING,
        /** The answer to the command that evicts it. */
        ANSWER,
        /** The watch, to show that it is being deleted, or gone. */
        WATCH
    }

    private final Eviction eviction;
    private final Set<Preemption> preemptions = new LinkedHashSet<>();
    private Stage stage = Stage.BINDING;
    private long deadline = Long.MAX_VALUE;
    private boolean seen;

    /** @param eviction the first that it is to go for; others may join */
    Leaving(Eviction eviction) {
        this.eviction = eviction;
    }

    Eviction eviction() {
        return eviction;
    }

    String uid() {
        return eviction.victim().meta().uid();
    }

    Set<Preemption> preemptions() {
        return preemptions;
    }

    Stage stage() {
        return stage;
    }

    /** When the watch is thought to show it no more. */
    long deadline() {
        return deadline;
    }

    /** Whether the watch has shown it leaving before the answer came. */
    boolean wasSeen() {
        return seen;
    }

    void saw() {
        seen = true;
    }

    void enter(Stage next, long until) {
        stage = next;
        deadline = until;
    }
}
