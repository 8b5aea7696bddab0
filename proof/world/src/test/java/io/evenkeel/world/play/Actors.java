package io.evenkeel.world.play;

import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Threads of which one runs at a time: the one that was resumed last, until it pauses or ends. So they are as good as one
 * thread, and what they do is decided by who resumes them.
 */
public final class Actors {
    private final Semaphore resting = new Semaphore(0);
    private @Nullable Actor running;

    /** A thread that has to be resumed after it was started, and whenever it has paused. */
    public final class Actor {
        private final Thread thread;
        private final Semaphore turn = new Semaphore(0);
        private boolean ended;
        private @Nullable Throwable fault;

        private Actor(String name, Runnable work) {
            thread = Thread.ofVirtual().name(name).unstarted(() -> {
                turn.acquireUninterruptibly();
                try {
                    work.run();
                } catch (RuntimeException | Error uncaught) {
                    fault = uncaught;
                } finally {
                    ended = true;
                    resting.release();
                }
            });
        }

        public Thread thread() {
            return thread;
        }

        public boolean isStarted() {
            return thread.getState() != Thread.State.NEW;
        }

        public boolean hasEnded() {
            return ended;
        }

        /** Lets it go on until it pauses or ends. */
        public void resume() {
            if (ended) {
                return;
            }
            if (running != null) {
                throw new IllegalStateException(running.thread + " runs");
            }
            running = this;
            turn.release();
            resting.acquireUninterruptibly();
            running = null;
            if (fault != null) {
                throw new IllegalStateException("uncaught in " + thread.getName(), fault);
            }
        }

        private void pause() {
            resting.release();
            turn.acquireUninterruptibly();
        }
    }

    public Actor create(String name, Runnable work) {
        return new Actor(name, work);
    }

    /** The actor whose thread this is. */
    public Actor current() {
        if (running == null) {
            throw new IllegalStateException("no actor runs");
        }
        return running;
    }

    /** Ends the turn of the thread that calls this; returns when it is resumed. */
    public void pause() {
        current().pause();
    }
}
