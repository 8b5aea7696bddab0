package io.evenkeel.queue;

/** Takes pods out of the queue to be placed. */
final class TakeOffs {
    private final KnownEntries entries;
    private final QueueStates states;
    private final SleepingPods sleeping;

    TakeOffs(KnownEntries entries, QueueStates states, SleepingPods sleeping) {
        this.entries = entries;
        this.states = states;
        this.sleeping = sleeping;
    }

    Attempt take(QueueEntry entry, long now) {
        states.takeOff(entry, now);
        entries.showNomination(entry);
        sleeping.clearRejection(entry);
        entry.attempts++;
        Attempt attempt = new Attempt(entry);
        entry.flushed = false;
        return attempt;
    }
}
