package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.dispatch.plan.DispatcherView;
import io.evenkeel.kube.dispatch.plan.Unfinished;
import io.evenkeel.kube.event.EventSink;
import java.time.Duration;

/** A taker of the engine's commands. */
public sealed interface CommandSink extends EventSink, AutoCloseable permits Dispatcher, DryRun {

    /** Takes the command and returns at once. Each Bind and each Lookup gets exactly one result, later, until closed. */
    void submit(Command.AtServer command);

    /**
     * Waits until all that was taken is carried out and answered, for as long as there is time; for what only tells of
     * pods, conditions and events, for no more than a few seconds beyond the last binding. To be called while the lease is
     * still held.
     *
     * @return whether nothing is left
     */
    boolean drain(Duration time) throws InterruptedException;

    /** The commands not carried out yet. */
    Unfinished unfinished();

    /** For how long there has been something to carry out that nothing holds back, and nothing was begun. */
    Duration overdue();

    DispatcherView view();

    /** Starts nothing more. What is left is not answered; a Bind that is submitted from now on is, with FAILED. */
    @Override
    void close();
}
