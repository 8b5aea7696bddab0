package io.evenkeel.queue;

import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.queue.QueueEntry.Wake;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The pods that only a change can help, by the plugins that said no.
 *
 * <p>A change is told to the plugins that listen to its kind and keep some pod waiting, and these are asked for each of
 * their pods once; so a change that nobody listens to costs one step a plugin, however many pods wait.
 *
 * <pre>
 *   plugin  listens to                keeps waiting
 *   Fit     NODE_ADDED, POD_DELETED   p q
 *   Ports   NODE_ADDED                p
 *   Taints  NODE_TAINTS
 *
 *   change       asked, each by its hint                     woken
 *   NODE_ADDED   Fit of p: no, Fit of q: yes, Ports of p: yes   q p
 *   NODE_TAINTS  nobody, as Taints keeps no pod waiting
 * </pre>
 */
final class SleepingPods {
    private final Map<String, Map<String, WakeUpListener>> listenersByProfile = new LinkedHashMap<>();
    private final QueueObserver observer;
    private final LongSupplier stopwatch;

    SleepingPods(Collection<SchedulingProfile> profiles, QueueObserver observer, LongSupplier stopwatch) {
        this.observer = observer;
        this.stopwatch = stopwatch;
        for (SchedulingProfile profile : profiles) {
            Map<String, WakeUpListener> listeners = new LinkedHashMap<>();
            for (Plugin plugin : profile.plugins()) {
                if (plugin instanceof WakeUpPlugin listening) {
                    listeners.put(plugin.name(), WakeUpListener.of(profile.schedulerName(), listening));
                }
            }
            listenersByProfile.put(profile.schedulerName(), listeners);
        }
    }

    /** Notes who turned the pod away. */
    void reject(QueueEntry entry, RejectedBy by) {
        clearRejection(entry);
        entry.pendingListeners = by.pendingPlugins().stream()
                .map(plugin -> listener(entry, plugin))
                .toList();
        TreeSet<String> all = new TreeSet<>(by.plugins());
        all.addAll(by.pendingPlugins());
        entry.listeners = all.stream().map(plugin -> listener(entry, plugin)).toList();
        entry.listeners.forEach(listener -> listener.rejected++);
    }

    void clearRejection(QueueEntry entry) {
        entry.listeners.forEach(listener -> listener.rejected--);
        entry.listeners = List.of();
        entry.pendingListeners = List.of();
    }

    /** Lets changes wake the pod from now on. */
    void add(QueueEntry entry) {
        for (WakeUpListener listener : entry.listeners) {
            listener.waiting.add(entry);
        }
    }

    void remove(QueueEntry entry) {
        for (WakeUpListener listener : entry.listeners) {
            listener.waiting.remove(entry);
        }
    }

    /** The pods that the change may help; how they are woken is noted in them. */
    List<QueueEntry> wokenBy(ClusterChange change) {
        List<QueueEntry> woken = new ArrayList<>();
        for (Map<String, WakeUpListener> listeners : listenersByProfile.values()) {
            for (WakeUpListener listener : listeners.values()) {
                if (!listener.waiting.isEmpty() && listener.listensTo(change)) {
                    for (QueueEntry entry : listener.waiting) {
                        boolean wasWoken = entry.wake != Wake.NOT;
                        if (!isOwnPlace(entry, change)) {
                            ask(listener, entry, change);
                        }
                        if (!wasWoken && entry.wake != Wake.NOT) {
                            woken.add(entry);
                        }
                    }
                }
            }
        }
        return woken;
    }

    /** Notes in one pod whether the change wakes it. */
    void judge(QueueEntry entry, ClusterChange change) {
        for (WakeUpListener listener : entry.listeners) {
            if (listener.listensTo(change)) {
                ask(listener, entry, change);
            }
        }
    }

    List<QueueCounts.Rejected> rejected() {
        List<QueueCounts.Rejected> counts = new ArrayList<>();
        for (Map<String, WakeUpListener> listeners : listenersByProfile.values()) {
            for (WakeUpListener listener : listeners.values()) {
                if (listener.rejected > 0) {
                    counts.add(new QueueCounts.Rejected(listener.profile(), listener.plugin(), listener.rejected));
                }
            }
        }
        return counts;
    }

    static List<String> pluginsThatKeep(QueueEntry entry) {
        return entry.listeners.stream().map(WakeUpListener::plugin).toList();
    }

    /** Whether it is the pod itself that has left the place: having had it does not help it. */
    private static boolean isOwnPlace(QueueEntry entry, ClusterChange change) {
        return change.is(ChangeKind.ASSIGNED_POD_DELETED)
                && change.before()
                        .filter(left ->
                                left.meta().uid().equals(entry.pod().meta().uid()))
                        .isPresent();
    }

    /** Asks no plugin whose answer would change nothing any more. */
    private void ask(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        boolean isPending = entry.pendingListeners.contains(listener);
        if (entry.wake == Wake.AT_ONCE || (entry.wake == Wake.AFTER_BACKOFF && !isPending)) {
            return;
        }
        long begun = stopwatch.getAsLong();
        boolean mayHelp = listener.mayHelp(entry.admitted(), change);
        observer.hintRan(listener.plugin(), change.label(), mayHelp, stopwatch.getAsLong() - begun);
        if (mayHelp) {
            entry.wake = isPending ? Wake.AT_ONCE : Wake.AFTER_BACKOFF;
        }
    }

    private WakeUpListener listener(QueueEntry entry, String plugin) {
        String profile = entry.profile.schedulerName();
        return listenersByProfile
                .computeIfAbsent(profile, unknown -> new LinkedHashMap<>())
                .computeIfAbsent(plugin, name -> WakeUpListener.ofUnknown(profile, name));
    }
}
