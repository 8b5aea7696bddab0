package io.evenkeel.tools.why.api;

import io.evenkeel.cluster.index.BrokenIndex;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * The log of faults, of a plugin or of Evenkeel, by which an answer failed or lacks a part. The log has each fault once with its
 * stack trace, and then once a minute with a count: users may repeat their questions at will.
 */
final class FailedQuestions {
    private static final Logger log = LoggerFactory.getLogger(FailedQuestions.class);
    private static final long BETWEEN_LINES = Duration.ofMinutes(1).toNanos();
    private static final int MOST_KNOWN = 100;

    private final LongSupplier clock;
    private final Map<List<StackTraceElement>, Told> known = new HashMap<>();

    private record Told(long when, int since) {}

    FailedQuestions(LongSupplier clock) {
        this.clock = clock;
    }

    /** There is no answer. */
    void failed(String pod, Throwable fault) {
        tell(log.atError().setMessage("Question about a pod failed"), pod, fault);
    }

    /** The answer goes on without what the plugin would have said. */
    void partly(String pod, Throwable fault) {
        tell(log.atError().setMessage("A plugin failed as a question was answered"), pod, fault);
    }

    private void tell(LoggingEventBuilder line, String pod, Throwable fault) {
        List<StackTraceElement> place = List.of(fault.getStackTrace());
        long now = clock.getAsLong();
        Optional<Told> before = Optional.ofNullable(known.get(place));
        if (before.filter(told -> now - told.when() < BETWEEN_LINES).isPresent()) {
            known.put(place, new Told(before.get().when(), before.get().since() + 1));
            return;
        }
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        known.put(place, new Told(now, 0));
        LoggingEventBuilder ofPod = line.addKeyValue("pod", pod);
        if (before.isEmpty()) {
            ofPod.setCause(fault).log();
        } else {
            ofPod.addKeyValue("why", fault)
                    .addKeyValue("times", before.get().since() + 1)
                    .log();
        }
    }

    /**
     * Whether what is counted of the cluster may be wrong after that: an index was told of a change and others were not, or
     * the memory was over in the midst of one. What a plugin throws where it is only asked leaves it as it was.
     */
    static boolean breaksCopy(Throwable fault) {
        return fault instanceof BrokenIndex
                || (fault instanceof VirtualMachineError && !(fault instanceof StackOverflowError))
                || Arrays.stream(fault.getSuppressed()).anyMatch(FailedQuestions::breaksCopy)
                || Optional.ofNullable(fault.getCause())
                        .filter(FailedQuestions::breaksCopy)
                        .isPresent();
    }
}
