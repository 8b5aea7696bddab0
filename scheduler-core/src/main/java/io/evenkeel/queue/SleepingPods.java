package io.evenkeel.queue;

import io.evenkeel.framework.Plugin;
import io.evenkeel.framework.WakeUpPlugin;
import io.evenkeel.framework.change.ChangeKind;
import io.evenkeel.framework.change.ClusterChange;
import io.evenkeel.framework.change.Sign;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.queue.HintBacklog.Question;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueSettings.HintLimits;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
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
 * <p>A change is told to the plugins that listen to its kind and keep some pod waiting, and these are asked for each of
 * their pods once; so a change that nobody listens to costs one step a plugin, however many pods wait. Pods are filed for
 * wake-ups that say by what ({@link FiledPods}), and asked about a change only if it may concern them; where these are
 * many, not all in the same turn ({@link HintBacklog}).
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
    private final HintBacklog backlog;
    private final Crowding crowding;
    /** The sequence number of the pod that began to wait last. */
    private long newest;

    /** How many there were so far. */
    private long changes;

    SleepingPods(
            Collection<SchedulingProfile> profiles,
            Crowding crowding,
            HintLimits limits,
            QueueObserver observer,
            LongSupplier stopwatch) {
        this.crowding = crowding;
        this.backlog = new HintBacklog(limits);
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
        entry.rejecters = all.stream().map(plugin -> listener(entry, plugin)).toList();
        entry.rejecters.forEach(listener -> listener.rejected++);
        all.addAll(by.others());
        if (by.nominatedPods()) {
            all.add(WakeUpListener.NOMINATED_PODS);
        }
        entry.listeners = all.stream().map(plugin -> listener(entry, plugin)).toList();
    }

    void clearRejection(QueueEntry entry) {
        entry.rejecters.forEach(listener -> listener.rejected--);
        entry.rejecters = List.of();
        entry.listeners = List.of();
        entry.pendingListeners = List.of();
    }

    /** Lets changes wake the pod from now on. */
    void add(QueueEntry entry) {
        newest = entry.sequence;
        entry.filedAfter = changes;
        entry.listeners.forEach(listener -> listener.add(entry));
    }

    void remove(QueueEntry entry) {
        entry.listeners.forEach(listener -> listener.remove(entry));
    }

    /**
     * The pod is about to change: what is left to be asked about it is asked of it as it is, and how it is woken noted in
     * it. To be followed by {@link #file} unless it is woken.
     */
    void unfile(QueueEntry entry) {
        askAll(backlog.about(entry), new ArrayList<>());
        if (!WakeUpListener.isUnfiled(entry)) {
            entry.listeners.forEach(listener -> listener.unfile(entry));
        }
    }

    /** The pod has changed and may wait for something else. */
    void file(QueueEntry entry) {
        entry.filedAfter = changes;
        if (!WakeUpListener.isUnfiled(entry)) {
            entry.listeners.forEach(listener -> listener.file(entry));
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
                Collection<QueueEntry> atOnce = listener.askedAtOnce(change);
                for (QueueEntry entry : atOnce) {
                    ask(listener, entry, change, woken);
                }
                if (atOnce.size() < listener.waiting.size()) {
                    signs = signs.or(() -> Optional.of(Sign.borneBy(change)));
                    askFiled(listener, change, signs.get(), woken);
                }
            }
        }
        return woken;
    }

    /** In the order in which they began to wait, as far as they are asked about now. */
    private void askFiled(WakeUpListener listener, ClusterChange change, Set<Sign> signs, List<QueueEntry> woken) {
        List<Question> now = new ArrayList<>();
        listener.inquiries(change, signs, newest, changes).forEach(inquiry -> backlog.add(inquiry, now));
        now.sort(Comparator.comparingLong(question -> question.entry().sequence));
        askAll(now, woken);
    }

    /** Whether something is left to be asked in another turn. */
    boolean hasBacklog() {
        return !backlog.isEmpty();
    }

    /** A turn begins: the pods that changes of earlier ones may help. */
    List<QueueEntry> wokenByBacklog() {
        List<QueueEntry> woken = new ArrayList<>();
        askAll(backlog.nextTurn(), woken);
        return woken;
    }

    private void askAll(List<Question> questions, List<QueueEntry> woken) {
        for (Question question : questions) {
            Inquiry inquiry = question.inquiry();
            ask(inquiry.listener, question.entry(), inquiry.change, woken);
        }
    }

    /** Notes in one pod whether the change wakes it. */
    void judge(QueueEntry entry, ClusterChange change) {
        if (Preemptors.makesWay(change, entry)) {
            note(entry, crowding.wakes(entry, change), change);
        }
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

    private void ask(WakeUpListener listener, QueueEntry entry, ClusterChange change, List<QueueEntry> woken) {
        boolean wasWoken = entry.wake != Wake.NOT;
        if (!isOwnPlace(entry, change)) {
            ask(listener, entry, change);
        }
        if (!wasWoken && entry.wake != Wake.NOT) {
            woken.add(entry);
        }
    }

    /** Asks no plugin whose answer would change nothing any more. */
    private void ask(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        boolean isPending = entry.pendingListeners.contains(listener);
        Wake most = isPending && !change.internal() ? Wake.AT_ONCE : Wake.AFTER_BACKOFF;
        if (entry.wake.isAtLeast(most)) {
            return;
        }
        long begun = stopwatch.getAsLong();
        boolean mayHelp = listener.mayHelp(entry.admitted(), change);
        if (listener.isPlugin()) {
            observer.hintRan(listener.plugin(), change.label(), mayHelp, stopwatch.getAsLong() - begun);
        }
        if (mayHelp) {
            note(entry, most == Wake.AT_ONCE ? most : how(listener, entry, change), change);
        }
    }

    private Wake how(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
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
