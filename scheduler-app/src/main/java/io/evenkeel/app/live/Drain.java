package io.evenkeel.app.live;

import io.evenkeel.kube.dispatch.CommandSink;
import io.evenkeel.kube.dispatch.CommandSink.Unfinished;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees through what is on its way when a scheduler is to stop that takes no more pods: the bindings, what the engine makes
 * of the answers to them, and the conditions and events that tell of it.
 */
record Drain(EngineLoop engine, CommandSink commands, LongSupplier nanos) {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);

    void run(Duration grace) throws InterruptedException {
        long end = nanos.getAsLong() + grace.toNanos();
        boolean inTime = hasTakenInAll(end);
        do {
            // In this order: a command is finished already when the engine has yet to take in its answer.
            inTime = inTime && commands.drain(left(end)) && hasTakenInAll(end);
        } while (inTime && !commands.unfinished().isEmpty());
        tell(commands.unfinished());
    }

    /** Whether the engine has taken in all that has come so far, and the pod that it was at is decided. */
    private boolean hasTakenInAll(long end) throws InterruptedException {
        try {
            engine.ask(_ -> true).get(left(end).toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException late) {
            return false;
        } catch (ExecutionException | CancellationException ended) {
            return true; // and has nothing more to say
        }
    }

    private Duration left(long end) {
        return Duration.ofNanos(Math.max(0, end - nanos.getAsLong()));
    }

    private static void tell(Unfinished unfinished) {
        if (unfinished.bindings() > 0) {
            log.atWarn()
                    .setMessage("Bindings not finished within --shutdown-grace")
                    .addKeyValue("bindings", unfinished.bindings())
                    .addKeyValue("conditions", unfinished.conditions())
                    .addKeyValue("events", unfinished.events())
                    .log();
        } else if (!unfinished.isEmpty()) {
            log.atInfo()
                    .setMessage("Conditions and events left unwritten at shutdown")
                    .addKeyValue("conditions", unfinished.conditions())
                    .addKeyValue("events", unfinished.events())
                    .log();
        }
    }
}
