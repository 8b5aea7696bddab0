package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.WakeUp;
import io.evenkeel.framework.run.PluginFailure.PluginFault;
import io.evenkeel.queue.PendingHints.Question;
import io.evenkeel.queue.PodsByInterest.Kindred;
import io.evenkeel.queue.QueueEntry.Wake;
import io.evenkeel.queue.QueueSettings.Obstacles;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Asks plugins whether a change may help pods, of pods that are alike about one, and none whose answer would change nothing
 * any more. Who they are is found before any of them is woken.
 */
final class Hints {
    static final Comparator<Yes> IN_ORDER_OF_WAIT = Comparator.comparingLong(yes -> yes.entry.sequence);

    private final Obstacles obstacles;
    private final FairTurns turns;
    private final QueueObserver observer;
    private final LongSupplier stopwatch;
    private final List<Latecomer> latecomers = new ArrayList<>();

    /** The change may help the pod, says the plugin. */
    record Yes(WakeUpListener listener, ClusterChange change, QueueEntry entry) {}

    /** A plugin keeps a pod waiting, too. */
    record Latecomer(QueueEntry entry, String plugin) {}

    Hints(Obstacles obstacles, FairTurns turns, QueueObserver observer, LongSupplier stopwatch) {
        this.obstacles = obstacles;
        this.turns = turns;
        this.observer = observer;
        this.stopwatch = stopwatch;
    }

    /** How soon the plugin's word can let the pod try again. */
    static Wake most(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        boolean isPending = entry.pendingListeners.contains(listener);
        return isPending && !change.internal() ? Wake.AT_ONCE : Wake.AFTER_BACKOFF;
    }

    /** About each of these. */
    List<Yes> askOneByOne(WakeUpListener listener, Collection<QueueEntry> entries, ClusterChange change) {
        List<Yes> answers = new ArrayList<>();
        for (QueueEntry entry : entries) {
            if (isWorthIt(listener, entry, change) && mayHelp(listener, entry, change)) {
                answers.add(new Yes(listener, change, entry));
            }
        }
        return answers;
    }

    /** Asks about all pods that are filed in groups for these, by the change of this number. */
    List<Yes> askGroups(WakeUpListener listener, List<PodsByInterest> grouped, ClusterChange change, long number) {
        List<Yes> answers = new ArrayList<>();
        for (PodsByInterest filed : grouped) {
            for (PodsByInterest.Alike pods : filed.groups()) {
                ask(listener, filed.wakeUp(), pods, change, number, false, answers);
            }
        }
        return answers;
    }

    /** Asks about the pods that are next. */
    void ask(Question question, List<Yes> answers) {
        PendingHints.Inquiry inquiry = question.inquiry();
        ask(
                inquiry.listener,
                inquiry.filed.wakeUp(),
                question.pods(),
                inquiry.change,
                inquiry.number,
                question.isUnasked(),
                answers);
    }

    /** Asks about the first to whom the answer matters; where it is yes, that is the answer of the others too. */
    private void ask(
            WakeUpListener listener,
            WakeUp wakeUp,
            PodsByInterest.Alike pods,
            ClusterChange change,
            long number,
            boolean isUnasked,
            List<Yes> answers) {
        boolean isAsked = isUnasked;
        for (Kindred kindred : pods.kindred()) {
            boolean isTried = false;
            for (Map.Entry<QueueEntry, Long> filed : kindred.filedAfter.entrySet()) {
                if (filed.getValue() >= number) {
                    break; // as were all that follow
                }
                QueueEntry entry = filed.getKey();
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
        Optional<String> plugin = NominationBackoff.nodeOf(change).flatMap(node -> obstacle(entry, node));
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

    /** The plugins that have turned out to keep pods waiting, which their changes are to wake; told once. */
    List<Latecomer> latecomers() {
        List<Latecomer> found = List.copyOf(latecomers);
        latecomers.clear();
        return found;
    }

    /** Asks about one of its pods alone. */
    boolean ask(PendingHints.Inquiry inquiry, QueueEntry entry) {
        return isWorthIt(inquiry.listener, entry, inquiry.change)
                && mayHelp(inquiry.listener, inquiry.filed.wakeUp(), entry, inquiry.change);
    }

    /** Whether a change may help the pod that is its own, or has come while it was tried. */
    boolean askOf(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        return !entry.wake.isAtLeast(most(listener, entry, change)) && mayHelp(listener, entry, change);
    }

    private static boolean isWorthIt(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
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

    private boolean mayHelp(WakeUpListener listener, QueueEntry entry, ClusterChange change) {
        return measured(listener, entry, change, () -> listener.mayHelp(entry, change));
    }

    private boolean mayHelp(WakeUpListener listener, WakeUp wakeUp, QueueEntry entry, ClusterChange change) {
        return measured(listener, entry, change, () -> WakeUpListener.saysYes(wakeUp, entry, change));
    }

    private boolean measured(WakeUpListener listener, QueueEntry entry, ClusterChange change, BooleanSupplier hint) {
        long begun = stopwatch.getAsLong();
        long work = turns.begin();
        boolean mayHelp = hint.getAsBoolean();
        turns.charge(entry.pod().namespace(), work, FairTurns.Step.HINT);
        if (listener.isPlugin()) {
            observer.hintRan(listener.plugin(), change.label(), mayHelp, stopwatch.getAsLong() - begun);
        }
        return mayHelp;
    }
}
