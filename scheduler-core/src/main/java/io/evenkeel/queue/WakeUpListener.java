package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.change.Hint;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.framework.run.PluginFault;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A plugin of a profile together with the pods that it keeps waiting: unschedulable ones, and those that it gates. */
final class WakeUpListener {
    private final String profile;
    private final String plugin;
    private final List<WakeUp> wakeUps;
    private final boolean wakesAlways;
    private final Set<ChangeKind> kinds = new HashSet<>();
    final Set<QueueEntry> waiting = new LinkedHashSet<>();
    /** Pods turned away and not tried since, wherever in the queue they are. */
    int rejected;

    private WakeUpListener(String profile, String plugin, List<WakeUp> wakeUps, boolean wakesAlways) {
        this.profile = profile;
        this.plugin = plugin;
        this.wakeUps = wakeUps;
        this.wakesAlways = wakesAlways;
        wakeUps.forEach(wakeUp -> kinds.addAll(wakeUp.kinds()));
    }

    static WakeUpListener of(String profile, WakeUpPlugin plugin) {
        return new WakeUpListener(profile, plugin.name(), wakeUpsOf(plugin), false);
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
        return new WakeUpListener(profile, plugin, List.of(), !plugin.isEmpty());
    }

    String profile() {
        return profile;
    }

    String plugin() {
        return plugin;
    }

    boolean listensTo(ClusterChange change) {
        return wakesAlways || change.isAnyOf(kinds);
    }

    /** A hint that fails counts as yes: better an attempt in vain than a pod that sleeps. */
    boolean mayHelp(PodInfo pod, ClusterChange change) {
        for (WakeUp wakeUp : wakeUps) {
            if (change.isAnyOf(wakeUp.kinds()) && saysYes(wakeUp.hint(), pod, change)) {
                return true;
            }
        }
        return wakesAlways;
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
