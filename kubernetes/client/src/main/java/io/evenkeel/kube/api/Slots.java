package io.evenkeel.kube.api;

import java.util.concurrent.Semaphore;

/** Places that threads take, and wait for where there are none. */
public interface Slots {

    /** Takes a place, as soon as there is one. */
    void enter();

    /** Gives a place back. */
    void leave();

    /** From now on there is always a place. */
    void open();

    /** So many places, for the threads of one process. */
    static Slots of(int places) {
        Semaphore free = new Semaphore(places);
        return new Slots() {
            private static final int FOR_ALL = 1 << 30;

            @Override
            public void enter() {
                free.acquireUninterruptibly();
            }

            @Override
            public void leave() {
                free.release();
            }

            @Override
            public void open() {
                free.release(FOR_ALL);
            }
        };
    }
}
