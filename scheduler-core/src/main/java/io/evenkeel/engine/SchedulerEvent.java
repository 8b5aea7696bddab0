package io.evenkeel.engine;

import java.util.function.Consumer;

/** An event, result or question that comes to the scheduler through its mailbox. */
public sealed interface SchedulerEvent permits ClusterEvent, Relist, CommandResult, SchedulerEvent.Inquiry {

    /**
     * A question by another thread, answered between two pods.
     *
     * @param question must not keep what it is given, and leaves it as it is
     */
    record Inquiry(Consumer<Scheduler> question) implements SchedulerEvent {}
}
