package io.evenkeel.queue;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.queue.Hints.Latecomer;
import io.evenkeel.queue.Hints.Yes;
import io.evenkeel.queue.PendingHints.Inquiry;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;

/**
 * The pods that only a change can help, by the plugins that said no.
 *
 * <p>A change is told to the plugins that listen to its kind and keep some pod waiting, and these are asked about each of
 * their pods once; so a change that nobody listens to costs one step a plugin, however many pods wait. Of pods that are
 * alike one is asked about ({@link PodsByInterest}). Pods are filed for wake-ups that say by what, and asked
 * about a change only if it may concern them; where these are many, not all in the same turn ({@link PendingHints}).
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
    private final Hints hints;
    private final PendingHints backlog;
    private final NominationBackoff crowding;
    /** How many there were so far. */
    private long changes;

    SleepingPods(
            Collection<SchedulingProfile> profiles,
            NominationBackoff crowding,
            FairTurns turns,
            QueueSettings settings,
            QueueObserver observer,
            LongSupplier stopwatch) {
        this.crowding = crowding;
        this.backlog = new PendingHints(settings.hints(), turns);
        this.hints = new Hints(settings.obstacles(), turns, observer, stopwatch);
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
        entry.rejecters = all.stream().map(plugin -> listener(entry, plugin)).toList();
        entry.rejecters.forEach(listener -> listener.rejected++);
        all.addAll(by.others());
        if (by.nominatedPods()) {
            all.add(WakeUpListener.NOMINATED_PODS);
        }
        entry.listeners = all.stream().map(plugin -> listener(entry, plugin)).toList();
        entry.waitsWithGang = by.gang();
    }

    void clearRejection(QueueEntry entry) {
        entry.rejecters.forEach(listener -> listener.rejected--);
        entry.rejecters = List.of();
        entry.listeners = List.of();
        entry.pendingListeners = List.of();
        entry.waitsWithGang = false;
    }

    /** Lets changes wake the pod from now on. */
    void add(QueueEntry entry) {
        entry.listeners.forEach(listener -> listener.add(entry, changes));
    }

    void remove(QueueEntry entry) {
        entry.listeners.forEach(listener -> listener.remove(entry));
    }

    /**
     * The pod is about to change: what is left to be asked about it is asked of it as it is, and how it is woken noted in
     * it. To be followed by {@link #file} unless it is woken.
     */
    void unfile(QueueEntry entry) {
        for (Inquiry inquiry : backlog.about(entry)) {
            if (hints.ask(inquiry, entry)) {
                note(inquiry.listener, entry, inquiry.change);
            }
        }
        if (!WakeUpListener.isUnfiled(entry)) {
            entry.listeners.forEach(listener -> listener.unfile(entry));
        }
    }

    /** The pod has changed and may wait for something else. */
    void file(QueueEntry entry) {
        if (!WakeUpListener.isUnfiled(entry)) {
            entry.listeners.forEach(listener -> listener.file(entry, changes));
        }
    }

    /** The pods that the change may help, as far as they are asked about at once; how they are woken is noted in them. */
    List<QueueEntry> wokenBy(ClusterChange change) {
        changes++;
        List<QueueEntry> woken = new ArrayList<>();
        Optional<Set<Sign>> signs = Optional.empty();
        for (Map<String, WakeUpListener> listeners : listenersByProfile.values()) {
            for (WakeUpListener listener : listeners.values()) {
                if (listener.waiting.isEmpty() || !listener.listensTo(change)) {
                    continue;
                }
                if (askAtOnce(listener, change, woken)) {
                    signs = signs.or(() -> Optional.of(Sign.borneBy(change)));
                    askFiled(listener, change, signs.get(), woken);
                }
            }
        }
        addLatecomers();
        return woken;
    }

    /** They are asked about no change that has come before: it did not help. */
    private void addLatecomers() {
        for (Latecomer found : hints.latecomers()) {
            QueueEntry entry = found.entry();
            if (!entry.isKeptBy(found.plugin())) {
                WakeUpListener listener = listener(entry, found.plugin());
                List<WakeUpListener> all = new ArrayList<>(entry.listeners);
                all.add(listener);
                entry.listeners = List.copyOf(all);
                listener.add(entry, changes);
            }
        }
    }

    /** In the order in which they began to wait; whether there are others, to be asked about by what they wait for. */
    private boolean askAtOnce(WakeUpListener listener, ClusterChange change, List<QueueEntry> woken) {
        if (listener.isAskedOneByOne(change)) {
            wake(hints.askOneByOne(listener, listener.waiting, change), woken);
            return false;
        }
        List<Yes> answers = hints.askOneByOne(listener, listener.unfiled, change);
        List<PodsByInterest> grouped = listener.groupedAtOnce(change);
        answers.addAll(hints.askGroups(listener, grouped, change, changes));
        answers.sort(Hints.IN_ORDER_OF_WAIT);
        wake(answers, woken);
        return grouped.isEmpty() && listener.unfiled.size() < listener.waiting.size();
    }

    /** In the order in which they began to wait, as far as they are asked about now. */
    private void askFiled(WakeUpListener listener, ClusterChange change, Set<Sign> signs, List<QueueEntry> woken) {
        List<Yes> answers = new ArrayList<>();
        listener.inquiries(change, signs, changes)
                .forEach(inquiry -> backlog.add(inquiry, question -> hints.ask(question, answers)));
        answers.sort(Hints.IN_ORDER_OF_WAIT);
        wake(answers, woken);
    }

    /** Whether something is left to be asked in another turn. */
    boolean hasBacklog() {
        return !backlog.isEmpty();
    }

    /** A turn begins: the pods that changes of earlier ones may help. */
    List<QueueEntry> wokenByBacklog() {
        List<Yes> answers = new ArrayList<>();
        backlog.nextTurn(question -> hints.ask(question, answers));
        List<QueueEntry> woken = new ArrayList<>();
        wake(answers, woken);
        addLatecomers();
        return woken;
    }

    /** Notes in one pod whether the change wakes it. */
    void judge(QueueEntry entry, ClusterChange change) {
        if (Preemptors.makesWay(change, entry)) {
            note(entry, crowding.wakes(entry, change), change);
        }
        for (WakeUpListener listener : entry.listeners) {
            if (listener.listensTo(change) && hints.askOf(listener, entry, change)) {
                note(listener, entry, change);
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

    private void wake(List<Yes> answers, List<QueueEntry> woken) {
        for (Yes yes : answers) {
            QueueEntry entry = yes.entry();
            boolean wasWoken = entry.wake != Wake.NOT;
            note(yes.listener(), entry, yes.change());
            if (!wasWoken && entry.wake != Wake.NOT) {
                woken.add(entry);
            }
        }
    }

    private void note(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        Wake most = Hints.most(listener, entry, change);
        if (!entry.wake.isAtLeast(most)) {
            note(entry, most == Wake.AT_ONCE ? most : how(listener, entry, change), change);
        }
    }

    private Wake how(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        if (entry.waitsWithGang) {
            return Wake.AFTER_WHOLE_BACKOFF; // to try a whole gang costs others too much to be done early
        }
        return listener.isPlugin() ? crowding.wakes(entry, change) : crowding.wakesCrowdedOut(entry, change);
    }

    private static void note(QueueEntry entry, Wake how, ClusterChange change) {
        if (!entry.wake.isAtLeast(how)) {
            entry.wake = how;
            entry.wokenBy = change.label();
        }
    }

    private WakeUpListener listener(QueueEntry entry, String plugin) {
        String profile = entry.profile.schedulerName();
        return listenersByProfile
                .computeIfAbsent(profile, unknown -> new LinkedHashMap<>())
                .computeIfAbsent(plugin, name -> WakeUpListener.ofUnknown(profile, name));
    }
}
