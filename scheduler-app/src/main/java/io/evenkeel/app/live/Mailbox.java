package io.evenkeel.app.live;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Machine.Slots;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The queue of events for the engine's thread, in the order in which they came.
 *
 * <p>A watch that brings news waits while the mailbox is full, so that the server is slowed down rather than the memory
 * filled. Results of commands and inquiries never wait: there are no more of them than were asked for.
 */
final class Mailbox {
    private static final int MOST_NEWS = 65_536;

    private record Letter(SchedulerEvent event, boolean isNews) {}

    private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
    private final Slots room;
    private volatile boolean closed;

    Mailbox(Machine machine) {
        this(machine.room(MOST_NEWS));
    }

    Mailbox(Slots room) {
        this.room = room;
    }

    /** For watches; waits for room. */
    public void news(SchedulerEvent event) {
        room.enter();
        if (!closed) {
            letters.add(new Letter(event, true));
        }
    }

    /** Releases the watches that wait for room, and drops what comes from now on: the engine takes nothing any more. */
    void close() {
        closed = true;
        room.open();
    }

    /** For results and inquiries; never waits. */
    public void post(SchedulerEvent event) {
        letters.add(new Letter(event, false));
    }

    public int size() {
        return letters.size();
    }

    public boolean isEmpty() {
        return letters.isEmpty();
    }

    /** Takes the events that are there, waiting for the first this long at most. */
    void take(List<SchedulerEvent> out, int most, long waitNanos) throws InterruptedException {
        Letter first = waitNanos > 0 ? letters.poll(waitNanos, TimeUnit.NANOSECONDS) : letters.poll();
        for (Letter letter = first; letter != null; letter = out.size() < most ? letters.poll() : null) {
            out.add(letter.event());
            if (letter.isNews()) {
                room.leave();
            }
        }
    }
}
