package io.evenkeel.queue;

/** Takes pods out of the queue to be placed. */
final class TakeOffs {
    private final KnownEntries entries;
    private final QueueStates states;
    private final SleepingPods sleeping;
    private final FairTurns turns;

    TakeOffs(KnownEntries entries, QueueStates states, SleepingPods sleeping, FairTurns turns) {
        this.entries = entries;
        this.states = states;
        this.sleeping = sleeping;
        this.turns = turns;
    }

    Attempt take(QueueEntry entry, long now) {
        turns.taken(entry.pod());
        states.takeOff(entry, now);
        entries.showNomination(entry);
        sleeping.clearRejection(entry);
        entry.attempts++;
        Attempt attempt = new Attempt(entry);
        entry.flushed = false;
        return attempt;
    }

    /** As if the pod had not been taken, but that it is in no state yet. */
    void takeBack(Attempt attempt) {
        QueueEntry entry = attempt.entry();
        states.leave(entry);
        entry.attempts--;
        entry.flushed = attempt.afterFlush();
    }
}
