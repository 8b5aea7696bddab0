package io.evenkeel.framework.run;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status.Code;
import io.evenkeel.model.value.NamedConstant;
import java.util.List;

/** An observer of one profile's plugins, for metrics. */
public interface ProfileObserver {
    ProfileObserver NONE = new ProfileObserver() {};

    /** A cycle begins; told on the engine's thread. */
    default void cycleBegan() {}

    /**
     * The stopwatch at a point; asked for once, when the profile is made.
     *
     * @param plugins the plugins that run there, in order
     */
    default Stopwatch at(MeasuredPoint point, List<? extends Plugin> plugins) {
        return Stopwatch.NONE;
    }

    /**
     * A step at which a profile's plugins are measured, by the name that kube-scheduler's metrics have for it. Pre-flights and
     * taking reservations back are steps of their own there, though no configuration enables plugins at them.
     */
    enum MeasuredPoint implements NamedConstant {
        PRE_ENQUEUE,
        PRE_FILTER,
        FILTER,
        POST_FILTER,
        PRE_SCORE,
        SCORE,
        RESERVE,
        UNRESERVE,
        PERMIT,
        PRE_BIND_PRE_FLIGHT,
        PRE_BIND,
        BIND,
        POST_BIND
    }

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
    interface Stopwatch {
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
}
