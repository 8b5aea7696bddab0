package io.evenkeel.framework;

import io.evenkeel.config.ExtensionPoint;
import java.util.List;

/** What a profile's runners measure by: whether at all, and whether this cycle's plugins are timed. */
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
