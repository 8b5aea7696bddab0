package io.evenkeel.framework.run;

import io.evenkeel.api.Status;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Pod;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Calls of a profile's plugins. What one throws, or answering null, ends nothing but is its error, and is told of.
 *
 * @param faults told of each pod and fault; Bind and PreBind have theirs on whichever thread binds
 */
record PluginCalls(BiConsumer<Pod, RuntimeException> faults) {
    static final PluginCalls UNTOLD = new PluginCalls((_, _) -> {});

    /** Returns the plugin's answer, or an error where it throws. */
    Status ask(Pod pod, Supplier<Status> plugin) {
        return ask(pod, plugin, error -> error);
    }

    /** Asks a plugin for an answer that is more than a status. */
    <A> A ask(Pod pod, Supplier<A> plugin, Function<Status, A> asAnswer) {
        try {
            return Objects.requireNonNull(plugin.get(), "the plugin has answered null");
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            faulted(pod, fault);
            return asAnswer.apply(Status.error(fault));
        }
    }

    /** The same, of a plugin that answers nothing. */
    void run(Pod pod, Runnable plugin) {
        try {
            plugin.run();
        } catch (Throwable thrown) {
            faulted(pod, PluginFault.of(thrown));
        }
    }

    /** A fault that was caught elsewhere. */
    void faulted(Pod pod, RuntimeException fault) {
        faults.accept(pod, fault);
    }
}
