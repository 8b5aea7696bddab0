package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.CommandResult;
import java.time.Duration;
import java.util.Optional;

/** The outcome of a job's step. */
public sealed interface Outcome {

    /** The command has been carried out as far as it ever will be. */
    record Done(CommandResult result) implements Outcome {}

    /** The pod is bound; PostBind is still to run. */
    record Bound(CommandResult.Bound result, Runnable postBind) implements Outcome {}

    /** A command that has no answer has been carried out. */
    record Silent() implements Outcome {}

    record Folded() implements Outcome {}

    /** The plugins are done; the call is next. */
    record Prepared() implements Outcome {}

    /** To be tried again, after a while that the server may have named. */
    record TryAgain(Optional<Duration> retryAfter, String message) implements Outcome {}

    /** A command that has no answer was not carried out. */
    record Dropped(DispatcherObserver.Drop why, String message) implements Outcome {}
}
