package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.Outcome;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Tells the engine, the metrics and the log what became of commands. */
final class OutcomeDelivery {
    private static final Logger log = LoggerFactory.getLogger(OutcomeDelivery.class);

    private static final Duration A_LINE = Duration.ofMinutes(1);

    private final Consumer<CommandResult> results;
    private final DispatcherObserver observer;
    private final LogThrottle givenUp;

    OutcomeDelivery(Consumer<CommandResult> results, DispatcherObserver observer, LongSupplier nanos) {
        this.results = results;
        this.observer = observer;
        this.givenUp = new LogThrottle(A_LINE, nanos);
    }

    void ended(Job job, Outcome outcome, Duration took) {
        if (job.step() == Job.Step.CALL) {
            observer.called(job.kind(), isSuccess(outcome), took);
        }
    }

    void deliver(Job job, Outcome outcome) {
        switch (outcome) {
            case Outcome.Done(CommandResult result) -> results.accept(result);
            case Outcome.Bound(CommandResult.Bound result, Runnable postBind) -> {
                results.accept(result);
                try {
                    postBind.run();
                } catch (RuntimeException unexpected) {
                    log.atError()
                            .setMessage("PostBind failed")
                            .addKeyValue("pod", result.pod().key())
                            .setCause(unexpected)
                            .log();
                }
            }
            case Outcome.Dropped(Drop why, String message)
            when why == Drop.REFUSED || why == Drop.EXHAUSTED -> tellGivenUp(job, message);
            case Outcome.Dropped _, Outcome.Silent _, Outcome.Folded _, Outcome.Prepared _ -> {}
            case Outcome.TryAgain(var _, String message) ->
                line(log.atDebug(), "Write failed, retrying", job, message).log();
        }
    }

    /** A server or webhook that refuses everything is one thing to tell, not as many as there are pods. */
    private void tellGivenUp(Job job, String why) {
        line(log.atDebug(), "Giving up a write", job, why).log();
        givenUp.count(writes -> line(log.atWarn(), "Write failed, giving up", job, why)
                .addKeyValue("writes", writes)
                .log());
    }

    private static LoggingEventBuilder line(LoggingEventBuilder level, String what, Job job, String why) {
        return level.setMessage(what)
                .addKeyValue("write", job.kind())
                .addKeyValue("about", job.work().key())
                .addKeyValue("why", why);
    }

    private static boolean isSuccess(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Done(CommandResult result) ->
                result instanceof CommandResult.Found
                        || result instanceof CommandResult.Evicted
                        || result instanceof CommandResult.Written;
            case Outcome.Bound _, Outcome.Silent _, Outcome.Folded _, Outcome.Prepared _ -> true;
            case Outcome.TryAgain _, Outcome.Dropped _ -> false;
        };
    }

    /** Answers a command that comes when nothing is started any more. */
    void refuse(Command.AtServer late) {
        String message = "the scheduler is shutting down";
        switch (late) {
            case Command.Bind(var pod, var node, var _) ->
                results.accept(new CommandResult.NotBound(pod, node, CommandResult.BindFailure.FAILED, message));
            case Command.Lookup(var pod) -> results.accept(new CommandResult.LookupFailed(pod, message));
            case Command.Evict(var pod, var _, var _) ->
                results.accept(new CommandResult.NotEvicted(pod, CommandResult.EvictionFailure.FAILED, message));
            case Command.WriteObject(var pod, var _) ->
                results.accept(new CommandResult.NotWritten(pod, CommandResult.WriteFailure.FAILED, message));
            case Command.PatchStatus _, Command.PatchGroup _, Command.RecordEvent _, Command.RecordGroupEvent _ ->
                observer.dropped(CommandKind.of(late), Drop.CLOSED);
        }
    }

    void refuseEvent() {
        observer.dropped(CommandKind.RECORD_EVENT, Drop.CLOSED);
    }
}
