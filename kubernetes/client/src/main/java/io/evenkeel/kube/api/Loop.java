package io.evenkeel.kube.api;

/** Work that comes in turns, one after the other. What waits for work here is a thread of its own, or a simulation. */
public interface Loop {

    /**
     * Waits for something to do, and does it.
     *
     * @param longestWait nanoseconds; 0 for no waiting at all
     * @return false where the loop has ended and is not to be called again
     */
    boolean turn(long longestWait);

    /** Nanoseconds until there is something to do if nothing else happens. */
    long nanosUntilNext();
}
