package io.evenkeel.framework.run;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.cycle.Status;

/**
 * An observer of one profile's plugins, for metrics. It also tells the time, which the engine itself does not know. What
 * is asked once, when the profile is made, is remembered; the rest is called for every pod.
 *
 * <p>PreBind, Bind and PostBind are told by whichever thread runs them, all else by the engine's.
 */
public interface ProfileObserver {
    ProfileObserver NONE = new ProfileObserver() {};

    /** An observer of the runs of an extension point. */
    interface PointObserver {
        void ran(Status.Code result, long nanos);
    }

    /** An observer of one plugin at one extension point. */
    interface PluginObserver {
        /** The plugin had a say. */
        void evaluated();

        /** The plugin was timed. */
        void ran(Status.Code result, long nanos);
    }

    /** Whether it wants to know anything; asked once. */
    default boolean isInterested() {
        return false;
    }

    default long nanoTime() {
        return 0;
    }

    /** Whether plugins are to be timed in the cycle that begins. */
    default boolean timesThisCycle() {
        return false;
    }

    /** Asked once. */
    default PointObserver at(ExtensionPoint point) {
        return (result, nanos) -> {};
    }

    /** Asked once. */
    default PluginObserver of(String plugin, ExtensionPoint point) {
        return new PluginObserver() {
            @Override
            public void evaluated() {}

            @Override
            public void ran(Status.Code result, long nanos) {}
        };
    }
}
