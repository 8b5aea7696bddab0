package io.evenkeel.queue;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.problem.ConfigurationException;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.change.Hint;
import io.evenkeel.framework.change.Sign;
import io.evenkeel.framework.change.WakeUp;
import io.evenkeel.framework.cycle.Trial;
import io.evenkeel.framework.run.PluginFault;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A plugin of a profile together with the pods that it keeps waiting: unschedulable ones, and those that it gates. */
final class WakeUpListener {
    /**
     * In the place of a plugin: the pods that others leave room for. To plugins these are nowhere, so no hint can tell whether
     * a change lets a pod in beside them. Each change may: there are few such pods, and they are tried no faster than their
     * backoff lets them.
     */
    static final String NOMINATED_PODS = Trial.NOMINATED_PODS;

    private final String profile;
    private final String plugin;
    private final List<WakeUp> wakeUps;
    private final boolean wakesAlways;
    private final Set<ChangeKind> kinds = new HashSet<>();
    private final List<Filing> filings;
    final Set<QueueEntry> waiting = new LinkedHashSet<>();
    private final Set<QueueEntry> unfiled = new LinkedHashSet<>();
    /** Pods turned away and not tried since, wherever in the queue they are. */
    int rejected;

    /** Where pods are filed for a wake-up that knows by what. */
    private record Filing(WakeUp wakeUp, FiledPods pods) {}

    private WakeUpListener(String profile, String plugin, List<WakeUp> wakeUps, boolean wakesAlways) {
        this.profile = profile;
        this.plugin = plugin;
        this.wakeUps = wakeUps;
        this.wakesAlways = wakesAlways;
        wakeUps.forEach(wakeUp -> kinds.addAll(wakeUp.kinds()));
        this.filings = wakeUps.stream()
                .filter(wakeUp -> wakeUp.interest().isPresent())
                .map(wakeUp ->
                        new Filing(wakeUp, new FiledPods(wakeUp.interest().orElseThrow())))
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

    boolean isPlugin() {
        return !plugin.equals(NOMINATED_PODS);
    }

    boolean listensTo(ClusterChange change) {
        return wakesAlways || change.isAnyOf(kinds);
    }

    /** Keeps the pod waiting from now on. */
    void add(QueueEntry entry) {
        waiting.add(entry);
        if (isUnfiled(entry)) {
            unfiled.add(entry);
        } else {
            file(entry);
        }
    }

    void remove(QueueEntry entry) {
        waiting.remove(entry);
        unfiled.remove(entry);
        unfile(entry);
    }

    void file(QueueEntry entry) {
        filings.forEach(filing -> filing.pods.add(entry));
    }

    void unfile(QueueEntry entry) {
        filings.forEach(filing -> filing.pods.remove(entry));
    }

    /** Where some plugin's yes lets the pod in without backoff, none may say it later than another. */
    static boolean isUnfiled(QueueEntry entry) {
        return !entry.pendingListeners.isEmpty();
    }

    /** The pods that a change is to be asked about at once: all, unless each wake-up that it concerns knows of whom. */
    Collection<QueueEntry> askedAtOnce(ClusterChange change) {
        if (wakesAlways) {
            return waiting;
        }
        for (WakeUp wakeUp : wakeUps) {
            if (wakeUp.interest().isEmpty() && change.isAnyOf(wakeUp.kinds())) {
                return waiting;
            }
        }
        return unfiled;
    }

    /** What the change of this number, which bears these signs, asks about pods that are filed: an inquiry a namespace. */
    Collection<Inquiry> inquiries(ClusterChange change, Set<Sign> signs, long newest, long number) {
        Map<String, Inquiry> byNamespace = new LinkedHashMap<>();
        for (Filing filing : filings) {
            if (change.isAnyOf(filing.wakeUp.kinds())) {
                filing.pods.find(
                        signs,
                        (namespace, file) -> byNamespace
                                .computeIfAbsent(namespace, _ -> new Inquiry(this, change, namespace, newest, number))
                                .addFile(file));
            }
        }
        return byNamespace.values();
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
