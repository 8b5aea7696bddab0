package io.evenkeel.lab.bench;

import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.queue.QueueObserver;
import java.util.Set;

/** Counts what the scheduler does. */
final class Tallying implements SchedulerObserver, QueueObserver {
    private static final String ASLEEP = "unschedulable";

    /** The events besides changes of the cluster that move pods. */
    private static final Set<String> NO_CHANGES = Set.of(
            "UnschedulablePodAdd",
            "ScheduleAttemptFailure",
            "BackoffComplete",
            "PopFromBackoffQ",
            "UnschedulableTimeout",
            "ForceActivate");

    private long hints;
    private long wakeUps;
    private long placed;
    private long rejected;

    Tally tally() {
        return new Tally(hints, wakeUps, placed, rejected);
    }

    @Override
    public QueueObserver queue() {
        return this;
    }

    @Override
    public void hintRan(String plugin, String event, boolean queued, long nanos) {
        hints++;
    }

    @Override
    public void incoming(String queue, String event) {
        if (!queue.equals(ASLEEP) && !NO_CHANGES.contains(event)) {
            wakeUps++;
        }
    }

    @Override
    public void attempted(String profile, AttemptResult result, long nanos) {
        if (result == AttemptResult.SCHEDULED) {
            placed++;
        } else {
            rejected++;
        }
    }
}
