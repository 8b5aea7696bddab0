package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.change.Hint;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.framework.run.PluginFault;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A plugin of a profile together with the pods that it keeps waiting: unschedulable ones, and those that it gates. */
final class WakeUpListener {
    private final String profile;
    private final String plugin;
    private final List<WakeUp> wakeUps;
    private final Set<ChangeKind> kinds = EnumSet.noneOf(ChangeKind.class);
    final Set<QueueEntry> waiting = new LinkedHashSet<>();
    /** Pods turned away and not tried since, wherever in the queue they are. */
    int rejected;

    WakeUpListener(String profile, String plugin, List<WakeUp> wakeUps) {
        this.profile = profile;
        this.plugin = plugin;
        this.wakeUps = wakeUps;
        wakeUps.forEach(wakeUp -> kinds.addAll(wakeUp.kinds()));
    }

    static WakeUpListener of(String profile, WakeUpPlugin plugin) {
        return new WakeUpListener(profile, plugin.name(), wakeUpsOf(plugin));
    }

    private static List<WakeUp> wakeUpsOf(WakeUpPlugin plugin) {
        try {
            return List.copyOf(plugin.wakeUps());
        } catch (Throwable thrown) {
            throw new ConfigurationException("plugin " + plugin.name() + " does not say what may help its pods: "
                    + PluginFault.of(thrown).getMessage());
        }
    }

    /** Of a plugin of which nothing is known: every change may help. None does where it is the scheduler itself. */
    static WakeUpListener ofUnknown(String profile, String plugin) {
        if (plugin.isEmpty()) {
            return new WakeUpListener(profile, plugin, List.of());
        }
        return new WakeUpListener(profile, plugin, List.of(new WakeUp(EnumSet.allOf(ChangeKind.class), Hint.ALWAYS)));
    }

    String profile() {
        return profile;
    }

    String plugin() {
        return plugin;
    }

    boolean listensTo(ClusterChange change) {
        return change.isAnyOf(kinds);
    }

    /** A hint that fails counts as yes: better an attempt in vain than a pod that sleeps. */
    boolean mayHelp(PodInfo pod, ClusterChange change) {
        for (WakeUp wakeUp : wakeUps) {
            if (change.isAnyOf(wakeUp.kinds()) && saysYes(wakeUp.hint(), pod, change)) {
                return true;
            }
        }
        return false;
    }

    private static boolean saysYes(Hint hint, PodInfo pod, ClusterChange change) {
        try {
            return hint.mayHelp(pod, change);
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return true;
        }
    }
}
