package io.evenkeel.app.kube.dispatch;

import io.evenkeel.app.kube.event.EventSink;
import io.evenkeel.engine.Command;
import java.time.Duration;

/** Where the engine's commands go. */
public sealed interface CommandSink extends EventSink, AutoCloseable permits Dispatcher, DryRun {

    /** Takes the command and returns at once. Each Bind and each Look gets exactly one result, later. */
    void submit(Command command);

    /**
     * Takes nothing more and carries out what was taken, bindings first, for as long as there is time. To be called
     * while the lease is still held; a Bind that is submitted from now on is answered with FAILED.
     */
    Undone drain(Duration time);

    DispatcherView view();

    /** Starts nothing more. What is left is not answered. */
    @Override
    void close();
}
