package io.evenkeel.framework.run;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.ExtensionPoint;
import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.cycle.Status;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The timing switch that a profile's runners share: whether they measure at all, and whether plugins are timed in this
 * cycle. Plugins' exceptions, caught where they happen, are reported through it too.
 */
final class ProfileProbe {
    static final ProfileProbe NONE = new ProfileProbe(ProfileObserver.NONE);

    final ProfileObserver observer;
    final boolean active;
    private final BiConsumer<Pod, RuntimeException> faults;
    private volatile boolean timed;

    ProfileProbe(ProfileObserver observer) {
        this(observer, (_, _) -> {});
    }

    ProfileProbe(ProfileObserver observer, BiConsumer<Pod, RuntimeException> faults) {
        this.observer = observer;
        this.faults = faults;
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

    void faulted(Pod pod, RuntimeException fault) {
        faults.accept(pod, fault);
    }

    /** What a plugin says, or an error where it throws. */
    Status caught(PodInfo pod, Supplier<Status> plugin) {
        return caught(pod, plugin, error -> error);
    }

    /** The same, of a plugin whose answer is more than a status. */
    <A> A caught(PodInfo pod, Supplier<A> plugin, Function<Status, A> asAnswer) {
        try {
            return Objects.requireNonNull(plugin.get(), "the plugin has answered null");
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            faulted(pod.pod(), fault);
            return asAnswer.apply(Status.error(fault));
        }
    }

    PointProbe at(ExtensionPoint point, List<? extends Plugin> plugins) {
        return new PointProbe(this, point, plugins);
    }
}
