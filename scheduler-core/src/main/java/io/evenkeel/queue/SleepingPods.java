package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.queue.PendingHints.Question;
import io.evenkeel.queue.PodsByInterest.Alike;
import io.evenkeel.queue.PodsByInterest.Inquiry;
import io.evenkeel.queue.PodsByInterest.Kindred;
import io.evenkeel.queue.PodsByInterest.Sign;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueSettings.Neighbours;
import io.evenkeel.queue.QueueSettings.Obstacles;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * The pods that only a change can help, by the plugins that said no.
 *
 * <p>A change is told to the plugins that listen to its kind and keep some pod waiting, and these are asked about each of
 * their pods once; so a change that nobody listens to costs one step a plugin, however many pods wait. Of pods that are
 * alike one is asked about ({@link PodsByInterest}), and none whose answer would change nothing any more; all that a change
 * may help are found before any of them is woken. Pods are filed for wake-ups that say by what, and asked
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
 *
 * <p>Plugins know nothing of pods that are nominated to nodes. Thousands may wait for the room that those are to have: each
 * change that makes some would have all of them tried, and all but few in vain. These sit their backoff out. For example, of 20
 * pods for which 20 others go from n1:
 *
 * <pre>
 *   the first of those is gone    room for one, and 19 others are to have it      they sit their backoff out
 *   the last is gone              room for 20: each fits beside the other 19      they are tried at once
 * </pre>
 */
final class SleepingPods {
    /**
     * In the place of a plugin: the pods that others leave room for. To plugins these are nowhere, so no hint can tell whether
     * a change lets a pod in beside them. Each change may: there are few such pods, and they are tried no faster than their
     * backoff lets them.
     */
    private static final String NOMINATED_PODS = BatchTrial.NOMINATED_PODS;

    private static final Collection<ChangeKind> MAKING_ROOM = List.of(
            ChangeKind.ASSIGNED_POD_DELETED,
            ChangeKind.ASSIGNED_POD_SCALED_DOWN,
            ChangeKind.NODE_ADDED,
            ChangeKind.NODE_ALLOCATABLE);

    private static final Comparator<Yes> IN_ORDER_OF_WAIT = Comparator.comparingLong(yes -> yes.entry.sequence);

    private final Map<String, Map<String, Listener>> listenersByProfile = new LinkedHashMap<>();
    private final Obstacles obstacles;
    private final FairTurns turns;
    private final QueueObserver observer;
    private final LongSupplier stopwatch;
    private final PendingHints backlog;
    private final NominatedPods nominated;
    private final Neighbours neighbours;
    /** The plugins that have turned out to keep pods waiting, which their changes are to wake from now on. */
    private final List<Latecomer> latecomers = new ArrayList<>();

    /** How many there were so far. */
    private long changes;

    /** The change may help the pod, says the plugin. */
    private record Yes(Listener listener, ClusterChange change, QueueEntry entry) {}

    /** A plugin keeps a pod waiting, too. */
    private record Latecomer(QueueEntry entry, String plugin) {}

    SleepingPods(
            Collection<SchedulingProfile> profiles,
            NominatedPods nominated,
            FairTurns turns,
            QueueSettings settings,
            QueueObserver observer,
            LongSupplier stopwatch) {
        this.nominated = nominated;
        this.neighbours = settings.neighbours();
        this.backlog = new PendingHints(settings.hints(), turns);
        this.obstacles = settings.obstacles();
        this.turns = turns;
        this.observer = observer;
        this.stopwatch = stopwatch;
        for (SchedulingProfile profile : profiles) {
            Map<String, Listener> listeners = new LinkedHashMap<>();
            for (Plugin plugin : profile.plugins()) {
                if (plugin instanceof WakeUpPlugin listening) {
                    listeners.put(plugin.name(), new Listener(profile.schedulerName(), listening));
                }
            }
            listenersByProfile.put(profile.schedulerName(), listeners);
        }
    }

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
            all.add(NOMINATED_PODS);
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
            PodsByInterest filed = inquiry.filed();
            if (isWorthIt(filed.listener, entry, inquiry.change)
                    && mayHelp(filed.listener, filed.wakeUp, entry, inquiry.change)) {
                note(filed.listener, entry, inquiry.change);
            }
        }
        if (!isUnfiled(entry)) {
            entry.listeners.forEach(listener -> listener.unfile(entry));
        }
    }

    /** The pod has changed and may wait for something else. */
    void file(QueueEntry entry) {
        if (!isUnfiled(entry)) {
            entry.listeners.forEach(listener -> listener.file(entry, changes));
        }
    }

    /** The pods that the change may help, as far as they are asked about at once; how they are woken is noted in them. */
    List<QueueEntry> wokenBy(ClusterChange change) {
        changes++;
        List<QueueEntry> woken = new ArrayList<>();
        Optional<Set<Sign>> signs = Optional.empty();
        for (Map<String, Listener> listeners : listenersByProfile.values()) {
            for (Listener listener : listeners.values()) {
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
        for (Latecomer found : latecomers) {
            QueueEntry entry = found.entry();
            if (!entry.isKeptBy(found.plugin())) {
                Listener listener = listener(entry, found.plugin());
                List<Listener> all = new ArrayList<>(entry.listeners);
                all.add(listener);
                entry.listeners = List.copyOf(all);
                listener.add(entry, changes);
            }
        }
        latecomers.clear();
    }

    /** In the order in which they began to wait; whether there are others, to be asked about by what they wait for. */
    private boolean askAtOnce(Listener listener, ClusterChange change, List<QueueEntry> woken) {
        if (listener.isAskedOneByOne(change)) {
            wake(askOneByOne(listener, listener.waiting, change), woken);
            return false;
        }
        List<Yes> answers = askOneByOne(listener, listener.unfiled, change);
        List<PodsByInterest> grouped = listener.groupedAtOnce(change);
        for (PodsByInterest filed : grouped) {
            filed.groups().forEach(pods -> ask(filed, pods, change, changes, false, answers));
        }
        answers.sort(IN_ORDER_OF_WAIT);
        wake(answers, woken);
        return grouped.isEmpty() && listener.unfiled.size() < listener.waiting.size();
    }

    /** In the order in which they began to wait, as far as they are asked about now. */
    private void askFiled(Listener listener, ClusterChange change, Set<Sign> signs, List<QueueEntry> woken) {
        List<Yes> answers = new ArrayList<>();
        for (PodsByInterest filed : listener.files) {
            if (PodsByInterest.isFiled(filed.wakeUp) && filed.wakeUp.concerns(change)) {
                filed.inquiries(change, signs, changes)
                        .forEach(inquiry -> backlog.add(inquiry, question -> ask(question, answers)));
            }
        }
        answers.sort(IN_ORDER_OF_WAIT);
        wake(answers, woken);
    }

    /** Whether something is left to be asked in another turn. */
    boolean hasBacklog() {
        return !backlog.isEmpty();
    }

    /** A turn begins: the pods that changes of earlier ones may help. */
    List<QueueEntry> wokenByBacklog() {
        List<Yes> answers = new ArrayList<>();
        backlog.nextTurn(question -> ask(question, answers));
        List<QueueEntry> woken = new ArrayList<>();
        wake(answers, woken);
        addLatecomers();
        return woken;
    }

    /** Notes in one pod whether the change wakes it. */
    void judge(QueueEntry entry, ClusterChange change) {
        if (Preemptors.makesWay(change, entry)) {
            note(entry, wakes(entry, change), change);
        }
        for (Listener listener : entry.listeners) {
            if (listener.listensTo(change)
                    && !entry.wake.isAtLeast(most(listener, entry, change))
                    && mayHelp(listener, entry, change)) {
                note(listener, entry, change);
            }
        }
    }

    /** How soon the plugin's word can let the pod try again. */
    private static Wake most(Listener listener, QueueEntry entry, ClusterChange change) {
        boolean isPending = entry.pendingListeners.contains(listener);
        return isPending && !change.internal() ? Wake.AT_ONCE : Wake.AFTER_BACKOFF;
    }

    private List<Yes> askOneByOne(Listener listener, Collection<QueueEntry> entries, ClusterChange change) {
        List<Yes> answers = new ArrayList<>();
        for (QueueEntry entry : entries) {
            if (isWorthIt(listener, entry, change) && mayHelp(listener, entry, change)) {
                answers.add(new Yes(listener, change, entry));
            }
        }
        return answers;
    }

    private void ask(Question question, List<Yes> answers) {
        Inquiry inquiry = question.inquiry();
        ask(inquiry.filed(), question.pods(), inquiry.change, inquiry.number, question.isUnasked(), answers);
    }

    /** Asks about the first to whom the answer matters; where it is yes, that is the answer of the others too. */
    private void ask(
            PodsByInterest filed, Alike pods, ClusterChange change, long number, boolean isUnasked, List<Yes> answers) {
        Listener listener = filed.listener;
        WakeUp wakeUp = filed.wakeUp;
        boolean isAsked = isUnasked;
        for (Kindred kindred : pods.kindred()) {
            boolean isTried = false;
            for (Map.Entry<QueueEntry, Long> one : kindred.filedAfter.entrySet()) {
                if (one.getValue() >= number) {
                    break; // as were all that follow
                }
                QueueEntry entry = one.getKey();
                if (!isWorthIt(listener, entry, change)) {
                    continue;
                }
                if (!isAsked && !mayHelp(listener, wakeUp, entry, change)) {
                    return;
                }
                isAsked = true;
                if (!isTried && !isUnasked && wakeUp.onlyThere() && isKeptAway(entry, kindred, change)) {
                    break;
                }
                isTried = true;
                answers.add(new Yes(listener, change, entry));
            }
        }
    }

    /**
     * Whether the kindred cannot go on the node that the change is about, whoever goes from there. Some other plugin says so,
     * which may have to be told of changes from now on.
     */
    private boolean isKeptAway(QueueEntry entry, Kindred kindred, ClusterChange change) {
        if (entry.state == QueueState.GATED || entry.waitsWithGang) {
            return false; // of a gang, others may come beside it, whom the plugin wants to be there
        }
        Optional<String> plugin = nodeOf(change).flatMap(node -> obstacle(entry, node));
        if (plugin.isPresent() && kindred.keptBy.add(plugin.get())) {
            for (QueueEntry other : kindred.filedAfter.keySet()) {
                if (!other.isKeptBy(plugin.get())) {
                    latecomers.add(new Latecomer(other, plugin.get()));
                }
            }
        }
        return plugin.isPresent();
    }

    /** A failure is no obstacle: better an attempt in vain. */
    private Optional<String> obstacle(QueueEntry entry, String node) {
        try {
            return obstacles.on(entry.admitted(), node);
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return Optional.empty();
        }
    }

    private static boolean isWorthIt(Listener listener, QueueEntry entry, ClusterChange change) {
        return !entry.wake.isAtLeast(most(listener, entry, change)) && !isOwnPlace(entry, change);
    }

    /** Whether it is the pod itself that has left the place: having had it does not help it. */
    private static boolean isOwnPlace(QueueEntry entry, ClusterChange change) {
        return change.is(ChangeKind.ASSIGNED_POD_DELETED)
                && change.before()
                        .filter(left ->
                                left.meta().uid().equals(entry.pod().meta().uid()))
                        .isPresent();
    }

    private boolean mayHelp(Listener listener, QueueEntry entry, ClusterChange change) {
        return measured(listener, entry, change, () -> saysYes(listener, entry, change));
    }

    private boolean mayHelp(Listener listener, WakeUp wakeUp, QueueEntry entry, ClusterChange change) {
        return measured(listener, entry, change, () -> saysYes(wakeUp, entry, change));
    }

    private boolean measured(Listener listener, QueueEntry entry, ClusterChange change, BooleanSupplier hint) {
        long begun = stopwatch.getAsLong();
        long work = turns.begin();
        boolean mayHelp = hint.getAsBoolean();
        turns.charge(entry.pod().namespace(), work, FairTurns.Step.HINT);
        if (listener.isPlugin()) {
            observer.hintRan(listener.plugin, change.label(), mayHelp, stopwatch.getAsLong() - begun);
        }
        return mayHelp;
    }

    private static boolean saysYes(Listener listener, QueueEntry entry, ClusterChange change) {
        for (WakeUp wakeUp : listener.wakeUps) {
            if (wakeUp.concerns(change) && saysYes(wakeUp, entry, change)) {
                return true;
            }
        }
        return listener.wakesAlways;
    }

    /** A hint that fails counts as yes: better an attempt in vain than a pod that sleeps. */
    private static boolean saysYes(WakeUp wakeUp, QueueEntry entry, ClusterChange change) {
        try {
            return wakeUp.hintFor(entry.waitsWithGang).mayHelp(entry.admitted(), change);
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return true;
        }
    }

    List<QueueCounts.Rejected> rejected() {
        List<QueueCounts.Rejected> counts = new ArrayList<>();
        for (Map<String, Listener> listeners : listenersByProfile.values()) {
            for (Listener listener : listeners.values()) {
                if (listener.rejected > 0) {
                    counts.add(new QueueCounts.Rejected(listener.profile, listener.plugin, listener.rejected));
                }
            }
        }
        return counts;
    }

    static List<String> pluginsThatKeep(QueueEntry entry) {
        return entry.listeners.stream().map(listener -> listener.plugin).toList();
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

    private void note(Listener listener, QueueEntry entry, ClusterChange change) {
        Wake most = most(listener, entry, change);
        if (!entry.wake.isAtLeast(most)) {
            note(entry, most == Wake.AT_ONCE ? most : how(listener, entry, change), change);
        }
    }

    private Wake how(Listener listener, QueueEntry entry, ClusterChange change) {
        if (entry.waitsWithGang) {
            return Wake.AFTER_WHOLE_BACKOFF; // to try a whole gang costs others too much to be done early
        }
        // others' room keeps it out, whatever the change is
        boolean isInVain = !listener.isPlugin() && !change.isAnyOf(MAKING_ROOM);
        return isInVain ? Wake.AFTER_WHOLE_BACKOFF : wakes(entry, change);
    }

    /** How the change wakes a pod that it may help, as a plugin says, or that waits for room on its node. */
    Wake wakes(QueueEntry entry, ClusterChange change) {
        if (change.internal()) {
            return Wake.AFTER_WHOLE_BACKOFF;
        }
        return nodeOf(change)
                .filter(node -> nominated.isAnyAhead(entry.pod(), node))
                .filter(node -> !fits(entry, node))
                .map(_ -> Wake.AFTER_WHOLE_BACKOFF)
                .orElse(Wake.AFTER_BACKOFF);
    }

    /** Filters that fail count as yes: better an attempt in vain. */
    private boolean fits(QueueEntry entry, String node) {
        try {
            return neighbours.fit(entry.admitted(), node, node.equals(entry.nominatedNode()));
        } catch (Throwable thrown) {
            PluginFault.of(thrown); // unless it is the JVM that fails
            return true;
        }
    }

    /** The node that the change is about, if it is about one. */
    private static Optional<String> nodeOf(ClusterChange change) {
        return change.before(Pod.class)
                .or(() -> change.after(Pod.class))
                .map(pod -> pod.spec().nodeName())
                .or(() -> change.after(Node.class).map(Node::name));
    }

    private static void note(QueueEntry entry, Wake how, ClusterChange change) {
        if (!entry.wake.isAtLeast(how)) {
            entry.wake = how;
            entry.wokenBy = change.label();
        }
    }

    private Listener listener(QueueEntry entry, String plugin) {
        String profile = entry.profile.schedulerName();
        return listenersByProfile
                .computeIfAbsent(profile, unknown -> new LinkedHashMap<>())
                .computeIfAbsent(plugin, name -> new Listener(profile, name));
    }

    /** Where some plugin's yes lets the pod in without backoff, none may say it later than another. */
    private static boolean isUnfiled(QueueEntry entry) {
        return !entry.pendingListeners.isEmpty();
    }

    /** A plugin of a profile together with the pods that it keeps waiting: unschedulable ones, and pods that it gates. */
    static final class Listener {
        private final String profile;
        final String plugin;
        private final List<WakeUp> wakeUps;
        private final boolean wakesAlways;
        private final Set<ChangeKind> kinds = new HashSet<>();
        private final List<PodsByInterest> files;
        private final Set<QueueEntry> waiting = new LinkedHashSet<>();
        /** The pods that are asked about one by one, whatever the change. */
        private final Set<QueueEntry> unfiled = new LinkedHashSet<>();
        /** Pods turned away and not tried since, wherever in the queue they are. */
        private int rejected;

        private Listener(String profile, String plugin, List<WakeUp> wakeUps, boolean wakesAlways) {
            this.profile = profile;
            this.plugin = plugin;
            this.wakeUps = wakeUps;
            this.wakesAlways = wakesAlways;
            wakeUps.forEach(wakeUp -> kinds.addAll(wakeUp.kinds()));
            this.files = wakeUps.stream()
                    .filter(wakeUp ->
                            PodsByInterest.isFiled(wakeUp) || wakeUp.likeness().isPresent())
                    .map(wakeUp -> new PodsByInterest(this, wakeUp))
                    .toList();
        }

        Listener(String profile, WakeUpPlugin plugin) {
            this(profile, plugin.name(), wakeUpsOf(plugin), false);
        }

        /** Listens for an unknown plugin: every change may help. None does where it is the scheduler itself. */
        Listener(String profile, String unknown) {
            this(profile, unknown, List.of(), !unknown.isEmpty());
        }

        private static List<WakeUp> wakeUpsOf(WakeUpPlugin plugin) {
            try {
                return List.copyOf(plugin.wakeUps());
            } catch (Throwable thrown) {
                throw new ConfigurationException("plugin " + plugin.name() + " does not say what may help its pods: "
                        + PluginFault.of(thrown).getMessage());
            }
        }

        private boolean isPlugin() {
            return !plugin.equals(NOMINATED_PODS);
        }

        private boolean listensTo(ClusterChange change) {
            return wakesAlways || change.isAnyOf(kinds);
        }

        /** @param changes how many have come until now */
        private void add(QueueEntry entry, long changes) {
            waiting.add(entry);
            if (isUnfiled(entry)) {
                unfiled.add(entry);
            } else {
                file(entry, changes);
            }
        }

        private void remove(QueueEntry entry) {
            waiting.remove(entry);
            unfiled.remove(entry);
            unfile(entry);
        }

        private void file(QueueEntry entry, long changes) {
            files.forEach(filed -> filed.add(entry, changes));
        }

        private void unfile(QueueEntry entry) {
            files.forEach(filed -> filed.remove(entry));
        }

        /**
         * Whether a change is to be asked about for each waiting pod at once: some wake-up that it concerns knows neither of
         * whom nor who is alike. Nor is any of the others asked later then.
         */
        private boolean isAskedOneByOne(ClusterChange change) {
            boolean isAtOnce = wakesAlways;
            boolean isInGroups = !wakesAlways;
            for (WakeUp wakeUp : wakeUps) {
                if (wakeUp.concerns(change)) {
                    boolean isFiled = PodsByInterest.isFiled(wakeUp);
                    isAtOnce |= !isFiled;
                    isInGroups &= !isFiled && wakeUp.likeness().isPresent();
                }
            }
            return isAtOnce && !isInGroups;
        }

        /** Where the pods are that a change is to be asked about at once, one of each group. */
        private List<PodsByInterest> groupedAtOnce(ClusterChange change) {
            return files.stream()
                    .filter(filed -> !PodsByInterest.isFiled(filed.wakeUp) && filed.wakeUp.concerns(change))
                    .toList();
        }
    }
}
