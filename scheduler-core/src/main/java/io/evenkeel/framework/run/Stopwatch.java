package io.evenkeel.framework.run;

import io.evenkeel.api.Status.Code;

/**
 * A stopwatch at one extension point of a profile, for metrics. The engine itself does not know the time: it asks for a
 * moment and hands it back. So a stopwatch keeps nothing of what it times, and threads may share it: PreBind, Bind and
 * PostBind are timed by whichever thread runs them, all else by the engine's.
 *
 * <pre>
 *   long began = stopwatch.start();
 *   long at = began;
 *   for each plugin i: at = stopwatch.lap(i, what it said, at);
 *   stopwatch.stop(what they said together, began);
 * </pre>
 *
 * The end of one plugin is the beginning of the next, so a plugin costs one look at the clock, and none in cycles in which
 * plugins are not timed.
 */
public interface Stopwatch {
    /** Measures nothing. */
    Stopwatch NONE = new Stopwatch() {
        @Override
        public long start() {
            return 0;
        }

        @Override
        public long lap(int plugin, Code result, long since) {
            return since;
        }

        @Override
        public void stop(Code result, long since) {}
    };

    /** The moment at which the point begins. */
    long start();

    /** A plugin, by its place in the order, has been asked since the moment given; returns that at which the next one is. */
    long lap(int plugin, Code result, long since);

    /** All that had to be asked have been, since the moment given. */
    void stop(Code result, long since);
}
