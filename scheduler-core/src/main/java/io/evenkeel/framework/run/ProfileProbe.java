package io.evenkeel.framework.run;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.Plugin;
import java.util.List;

/**
 * The timing switch that a profile's runners share: whether they measure at all, and whether plugins are timed in this
 * cycle.
 */
final class ProfileProbe {
    static final ProfileProbe NONE = new ProfileProbe(ProfileObserver.NONE);

    final ProfileObserver observer;
    final boolean active;
    private volatile boolean timed;

    ProfileProbe(ProfileObserver observer) {
        this.observer = observer;
        this.active = observer.isInterested();
    }

    void beginCycle() {
        if (active) {
            timed = observer.timesThisCycle();
        }
    }

    boolean isTimed() {
        return timed;
    }

    PointProbe at(ExtensionPoint point, List<? extends Plugin> plugins) {
        return new PointProbe(this, point, plugins);
    }
}
