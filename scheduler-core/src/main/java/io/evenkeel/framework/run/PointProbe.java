package io.evenkeel.framework.run;

import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.framework.run.ProfileObserver.PluginObserver;
import io.evenkeel.framework.run.ProfileObserver.PointObserver;
import java.util.List;

/**
 * Measures one extension point of a profile. The end of one plugin is the beginning of the next, so a plugin costs one
 * look at the clock, and only in cycles that are timed; without an observer everything costs one test of a flag.
 */
final class PointProbe {
    private final ProfileProbe profile;
    private final boolean active;
    private final PointObserver point;
    private final PluginObserver[] plugins;

    PointProbe(ProfileProbe profile, ExtensionPoint point, List<? extends Plugin> plugins) {
        this.profile = profile;
        this.active = profile.active;
        this.point = profile.observer.at(point);
        this.plugins = plugins.stream()
                .map(plugin -> profile.observer.of(plugin.name(), point))
                .toArray(PluginObserver[]::new);
    }

    boolean isActive() {
        return active;
    }

    /** The time, to be handed on. */
    long begin() {
        return active ? profile.observer.nanoTime() : 0;
    }

    /** A plugin, by its place in the order, has run since the time given; returns the time where it looked. */
    long ran(int plugin, Status.Code result, long since) {
        if (!active) {
            return 0;
        }
        if (result != Status.Code.SKIP) {
            plugins[plugin].evaluated();
        }
        if (!profile.isTimed()) {
            return since;
        }
        long now = profile.observer.nanoTime();
        plugins[plugin].ran(result, now - since);
        return now;
    }

    void end(Status.Code result, long began) {
        if (active) {
            point.ran(result, profile.observer.nanoTime() - began);
        }
    }
}
