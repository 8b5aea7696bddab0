package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.queue.PendingHints.Inquiry;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A plugin of a profile together with the pods that it keeps waiting: unschedulable ones, and pods that it gates. */
final class WakeUpListener {
    /**
     * In the place of a plugin: the pods that others leave room for. To plugins these are nowhere, so no hint can tell whether
     * a change lets a pod in beside them. Each change may: there are few such pods, and they are tried no faster than their
     * backoff lets them.
     */
    static final String NOMINATED_PODS = BatchTrial.NOMINATED_PODS;

    private final String profile;
    private final String plugin;
    private final List<WakeUp> wakeUps;
    private final boolean wakesAlways;
    private final Set<ChangeKind> kinds = new HashSet<>();
    private final List<PodsByInterest> files;
    final Set<QueueEntry> waiting = new LinkedHashSet<>();
    /** The pods that are asked about one by one, whatever the change. */
    final Set<QueueEntry> unfiled = new LinkedHashSet<>();
    /** Pods turned away and not tried since, wherever in the queue they are. */
    int rejected;

    private WakeUpListener(String profile, String plugin, List<WakeUp> wakeUps, boolean wakesAlways) {
        this.profile = profile;
        this.plugin = plugin;
        this.wakeUps = wakeUps;
        this.wakesAlways = wakesAlways;
        wakeUps.forEach(wakeUp -> kinds.addAll(wakeUp.kinds()));
        this.files = wakeUps.stream()
                .filter(wakeUp -> isFiled(wakeUp) || wakeUp.likeness().isPresent())
                .map(PodsByInterest::new)
                .toList();
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

    /** Listens for an unknown plugin: every change may help. None does where it is the scheduler itself. */
    static WakeUpListener ofUnknown(String profile, String plugin) {
        return new WakeUpListener(profile, plugin, List.of(), !plugin.isEmpty());
    }

    String profile() {
        return profile;
    }

    String plugin() {
        return plugin;
    }

    boolean isPlugin() {
        return !plugin.equals(NOMINATED_PODS);
    }

    boolean listensTo(ClusterChange change) {
        return wakesAlways || change.isAnyOf(kinds);
    }

    /** Whether pods are filed for it by what they wait for, and need not be asked about at once. */
    private static boolean isFiled(WakeUp wakeUp) {
        return wakeUp.interest().isPresent();
    }

    /** @param changes how many have come until now */
    void add(QueueEntry entry, long changes) {
        waiting.add(entry);
        if (isUnfiled(entry)) {
            unfiled.add(entry);
        } else {
            file(entry, changes);
        }
    }

    void remove(QueueEntry entry) {
        waiting.remove(entry);
        unfiled.remove(entry);
        unfile(entry);
    }

    void file(QueueEntry entry, long changes) {
        files.forEach(filed -> filed.add(entry, changes));
    }

    void unfile(QueueEntry entry) {
        files.forEach(filed -> filed.remove(entry));
    }

    /** Where some plugin's yes lets the pod in without backoff, none may say it later than another. */
    static boolean isUnfiled(QueueEntry entry) {
        return !entry.pendingListeners.isEmpty();
    }

    /**
     * Whether a change is to be asked about for each waiting pod at once: some wake-up that it concerns knows neither of
     * whom nor who is alike. Nor is any of the others asked later then.
     */
    boolean isAskedOneByOne(ClusterChange change) {
        boolean isAtOnce = wakesAlways;
        boolean isInGroups = !wakesAlways;
        for (WakeUp wakeUp : wakeUps) {
            if (wakeUp.concerns(change)) {
                isAtOnce |= !isFiled(wakeUp);
                isInGroups &= !isFiled(wakeUp) && wakeUp.likeness().isPresent();
            }
        }
        return isAtOnce && !isInGroups;
    }

    /** Where the pods are that a change is to be asked about at once, one of each group. */
    List<PodsByInterest> groupedAtOnce(ClusterChange change) {
        return files.stream()
                .filter(filed -> !isFiled(filed.wakeUp()) && filed.wakeUp().concerns(change))
                .toList();
    }

    /** Returns the inquiries about filed pods, one a namespace, for the change of this number, which bears these signs. */
    List<Inquiry> inquiries(ClusterChange change, Set<Sign> signs, long number) {
        List<Inquiry> inquiries = new ArrayList<>();
        for (PodsByInterest filed : files) {
            if (isFiled(filed.wakeUp()) && filed.wakeUp().concerns(change)) {
                Map<String, Inquiry> byNamespace = new LinkedHashMap<>();
                filed.find(
                        signs,
                        (namespace, file) -> byNamespace
                                .computeIfAbsent(namespace, _ -> new Inquiry(this, filed, change, namespace, number))
                                .addFile(file));
                inquiries.addAll(byNamespace.values());
            }
        }
        return inquiries;
    }

    boolean mayHelp(QueueEntry entry, ClusterChange change) {
        for (WakeUp wakeUp : wakeUps) {
            if (wakeUp.concerns(change) && saysYes(wakeUp, entry, change)) {
                return true;
            }
        }
        return wakesAlways;
    }

    /** A hint that fails counts as yes: better an attempt in vain than a pod that sleeps. */
    static boolean saysYes(WakeUp wakeUp, QueueEntry entry, ClusterChange change) {
        try {
            return wakeUp.hintFor(entry.waitsWithGang).mayHelp(entry.admitted(), change);
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return true;
        }
    }
}
