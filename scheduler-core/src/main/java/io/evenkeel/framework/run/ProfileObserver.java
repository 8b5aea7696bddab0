package io.evenkeel.framework.run;

import io.evenkeel.api.Plugin;
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
}
