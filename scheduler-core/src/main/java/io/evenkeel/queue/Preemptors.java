package io.evenkeel.queue;

/** The pods of the queue that may fit somewhere soon, and those for which others go meanwhile. */
public final class Preemptors {
    private final KeptRooms rooms;

    Preemptors(KeptRooms rooms) {
        this.rooms = rooms;
    }

    /** Extenders are asked about the pod: others leave it the room that it is nominated to as if it waited. */
    public void isAskedAbout(Attempt attempt) {
        rooms.keep(attempt.entry());
    }

    /** Their answer is there, and the pod decided before any other. */
    public void isAnswered(Attempt attempt) {
        rooms.leave(attempt.entry());
    }

    /**
     * The status of a pod whose attempt has ended will name this node, although news of the pod that are older may not;
     * empty for none.
     */
    public void nominate(Attempt attempt, String node, long now) {
        QueueEntry entry = attempt.entry();
        String kept = rooms.keptFor(entry);
        attempt.nominate(node);
        if (entry.isKnown) {
            rooms.changed(entry, entry.pod(), kept, now);
        }
    }
}
