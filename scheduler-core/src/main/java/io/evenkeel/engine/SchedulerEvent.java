package io.evenkeel.engine;

import io.evenkeel.engine.decision.Answer;
import io.evenkeel.model.Pod;
import java.util.function.Consumer;

/** An event, result or question that comes to the scheduler through its mailbox. */
public sealed interface SchedulerEvent
        permits ClusterEvent,
                Relist,
                CommandResult,
                SchedulerEvent.UnreadablePod,
                SchedulerEvent.ExtendersAnswered,
                SchedulerEvent.Inquiry {

    /**
     * A pod came or changed that cannot be read. What was known of it stays as it is.
     *
     * @param pod nothing of it but its metadata, its scheduler's name and its node are true
     * @param reason names the pod, the field and what is wrong with it
     */
    record UnreadablePod(Pod pod, String reason) implements SchedulerEvent {}

    /** The extenders have answered about the pod that they were last asked about. */
    record ExtendersAnswered(Pod pod, Answer answer) implements SchedulerEvent {}

    /**
     * A question by another thread, answered between two pods.
     *
     * @param question must not keep what it is given, and leaves it as it is
     */
    record Inquiry(Consumer<Scheduler> question) implements SchedulerEvent {}
}
