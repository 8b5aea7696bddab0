package io.evenkeel.framework.run;

import io.evenkeel.api.Status;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.model.Pod;
import java.util.List;
import java.util.Optional;

/** Asks a profile's plugins who is placed together with whom. Mostly there are none, and each pod is placed by itself. */
public final class GroupRunner {
    private final List<GroupPlugin> plugins;
    private final PluginCalls calls;

    public record Membership(GroupKey group, GroupPlugin plugin) {}

    GroupRunner(List<GroupPlugin> plugins, PluginCalls calls) {
        this.plugins = plugins;
        this.calls = calls;
    }

    public boolean isEmpty() {
        return plugins.isEmpty();
    }

    /** The group of the pod. A plugin that fails knows none. */
    public Optional<GroupKey> groupOf(Pod pod) {
        return plugins.isEmpty() ? Optional.empty() : membershipOf(pod).map(Membership::group);
    }

    /** The same, with the plugin that says so. */
    public Optional<Membership> membershipOf(Pod pod) {
        if (GroupPlugin.isAlone(pod)) {
            return Optional.empty();
        }
        for (GroupPlugin plugin : plugins) {
            Optional<GroupKey> group = calls.ask(pod, () -> plugin.groupOf(pod), _ -> Optional.empty());
            if (group.isPresent()) {
                return Optional.of(new Membership(group.get(), plugin));
            }
        }
        return Optional.empty();
    }

    /** Whether what keeps the pod out of the queue may be that others of its group are missing. A plugin that fails does not say so. */
    public boolean waitsForOthers(Membership membership, Pod gated) {
        return calls.ask(gated, () -> membership.plugin().waitsForOthers(gated), _ -> false);
    }

    /** Whether it may be in a gang. Of a plugin that fails nobody knows that it is not. */
    public boolean mayBeInGang(Pod pod) {
        Optional<Membership> membership = plugins.isEmpty() ? Optional.empty() : membershipOf(pod);
        return membership.isPresent()
                && calls.ask(pod, () -> membership.get().plugin().mayBeInGang(pod), _ -> true);
    }

    /** The terms of its group, as they are now; empty where each pod is placed by itself after all. */
    public Optional<GroupTerms> termsFor(Membership membership, Pod waiting) {
        try {
            return membership.plugin().termsFor(waiting);
        } catch (Throwable thrown) {
            RuntimeException fault = PluginFault.of(thrown);
            PluginFailure failure = new PluginFailure(
                    membership.plugin().name(), "Group", Status.error(fault).message());
            failure.initCause(thrown);
            throw failure;
        }
    }
}
