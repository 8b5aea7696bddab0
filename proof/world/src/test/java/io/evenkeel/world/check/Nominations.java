package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.ObjIntConsumer;
import java.util.stream.Stream;

/**
 * What each decision leaves to those who are nominated to nodes, looked at from one decision to the next:
 *
 * <pre>
 * decided is             and it must hold, by what has been told, that
 * a pod for node-0       it fits there beside those as important who were nominated to node-0 before and still are,
 *                        and beside those to come for whom places are held there
 * that others go         nobody less important is nominated to that node any more
 *   for one on node-0    none has to go there whose budget is used up, where on another node nobody has to
 * a pod for node-0       of an extender's, it fits on no node that the extender likes better
 * nothing                who waits for a change is not tried again before its backoff is over, though the attempt may
 *                        have left a node to others
 * </pre>
 *
 * <p>The last three are not looked at where a plugin with whims had a say in this very decision.
 */
final class Nominations {
    /** By this wait those for whom others are being asked to go. */
    private static final String PREEMPTION = "DefaultPreemption";

    private final String replica;
    private final LongSupplier objections;
    private final ObjIntConsumer<String> tried;
    private final Advice advice;
    private Optional<Moment> last = Optional.empty();
    /** Until when those have to wait, by their keys, whom nothing has woken in this turn but what an attempt led to. */
    private final Map<String, Long> sitOut = new HashMap<>();

    /**
     * Of one replica.
     *
     * @param objections how often a plugin has turned nodes away of which nothing is told
     * @param tried hears, by their UIDs, how often pods have been tried
     * @param advice what its extender says
     */
    Nominations(String replica, LongSupplier objections, ObjIntConsumer<String> tried, Advice advice) {
        this.replica = replica;
        this.objections = objections;
        this.tried = tried;
        this.advice = advice;
    }

    /** Between two decisions. */
    private record Moment(
            Map<String, QueueEntryView> queue,
            Map<String, OnItsWay> onTheirWay,
            List<OfPlace.Held> held,
            boolean areHintsLeft,
            long objections) {
        private static Moment of(Scheduler scheduler, Told told, long objections) {
            Map<String, QueueEntryView> queue = new HashMap<>();
            scheduler.queue().view().forEach(entry -> queue.put(entry.key(), entry));
            Map<String, OnItsWay> onTheirWay = new HashMap<>();
            scheduler.onTheirWay().forEach(each -> onTheirWay.put(Mirror.attempt(each), each));
            return new Moment(queue, onTheirWay, told.held(), scheduler.queue().hasHintsToAsk(), objections);
        }

        private String nominatedNode(QueueEntryView entry) {
            QueueEntryView mine = queue.get(entry.key());
            return mine == null || mine.state() == QueueState.IN_FLIGHT || isGated(mine) ? "" : mine.nominatedNode();
        }

        /** Those who wait, are nominated to the node and as important as the pod, and those for whom places are held there. */
        private List<Pod> ahead(Pod pod, String node, Told told) {
            Stream<Pod> nominated = queue.values().stream()
                    .filter(entry -> !entry.key().equals(pod.key())
                            && nominatedNode(entry).equals(node)
                            && entry.priority() >= pod.spec().priority())
                    .flatMap(entry -> told.podOfKey(entry.key()).stream());
            return Stream.concat(nominated, Told.ahead(pod, node, held).stream())
                    .toList();
        }

        /** By a plugin, whoever knows how long; not as one for whom others are about to go. */
        private static boolean isGated(QueueEntryView entry) {
            return entry.state() == QueueState.GATED
                    && entry.rejectedBy().stream().anyMatch(plugin -> !plugin.equals(PREEMPTION));
        }

        /** Whether a gate has shut before the pod since, though it was not tried: whatever room was left for it is others'. */
        private boolean wasGated(QueueEntryView since) {
            QueueEntryView mine = queue.get(since.key());
            return since.state() == QueueState.GATED
                    && mine != null
                    && mine.state() != QueueState.GATED
                    && !hadItsTurn(since);
        }

        /** Whether an attempt at the pod has ended since; at one in which extenders have a say that may have begun before. */
        private boolean hadItsTurn(QueueEntryView since) {
            QueueEntryView mine = queue.get(since.key());
            return mine == null
                    ? since.attempts() > 0
                    : since.attempts() > mine.attempts() || mine.state() == QueueState.IN_FLIGHT;
        }
    }

    /** Another decision may follow. */
    void decided(Scheduler scheduler, Told told) {
        Moment now = Moment.of(scheduler, told, objections.getAsLong());
        Optional<Moment> before = last;
        last = Optional.of(now);
        now.queue
                .values()
                .forEach(entry -> told.podOfKey(entry.key())
                        .ifPresent(pod -> tried.accept(pod.meta().uid(), entry.attempts())));
        before.ifPresent(then -> {
            leavesRoom(then, now, told);
            nobodyIsEarly(then, now, told);
            now.queue.values().stream()
                    .filter(entry -> !now.nominatedNode(entry).isEmpty()
                            && then.hadItsTurn(entry)
                            && !then.nominatedNode(entry).equals(entry.nominatedNode()))
                    .forEach(entry -> isNominatedRightly(entry, then, now, told));
        });
    }

    /** Whether there has been a decision in this turn. */
    boolean hasBegunTurn() {
        return last.isPresent();
    }

    /** No other decision follows in this turn. */
    void endTurn() {
        last = Optional.empty();
        sitOut.clear();
    }

    private void nobodyIsEarly(Moment then, Moment now, Told told) {
        for (QueueEntryView entry : now.queue.values()) {
            long until = sitOut.getOrDefault(entry.key(), Long.MIN_VALUE);
            if (then.hadItsTurn(entry) && entry.sinceNanos() < until) {
                throw new Violation(replica + " tries " + entry.key()
                        + " before its backoff is over, though nothing has happened but an attempt at another");
            }
        }
        boolean isInVain = now.objections == then.objections
                && !then.areHintsLeft
                && now.queue.values().stream().noneMatch(then::wasGated)
                && now.onTheirWay.keySet().equals(then.onTheirWay.keySet())
                && now.queue.values().stream().filter(then::hadItsTurn).noneMatch(entry -> isOfGang(entry, told));
        if (!isInVain) {
            sitOut.clear();
            return;
        }
        for (QueueEntryView entry : now.queue.values()) {
            QueueEntryView before = then.queue.get(entry.key());
            boolean isWoken = before != null
                    && before.state() == QueueState.UNSCHEDULABLE
                    && entry.state() == QueueState.BACKOFF
                    && entry.attempts() == before.attempts();
            if (isWoken
                    && before.nominatedNode().equals(entry.nominatedNode())
                    && !Sleepers.isByWhim(before)
                    && !isOfGang(entry, told)) {
                entry.nextTryNanos().ifPresent(next -> sitOut.put(entry.key(), next));
            }
        }
    }

    private static boolean isOfGang(QueueEntryView entry, Told told) {
        return told.podOfKey(entry.key()).flatMap(Gangs::of).isPresent();
    }

    /** Gangs are decided all at once, and leave one another no room. */
    private void leavesRoom(Moment then, Moment now, Told told) {
        Map<String, OnItsWay> fresh = new HashMap<>(now.onTheirWay);
        fresh.keySet().removeAll(then.onTheirWay.keySet());
        // who gave up a node just then may have counted there
        boolean hasAnyLeft = !now.onTheirWay.keySet().containsAll(then.onTheirWay.keySet());
        if (fresh.size() != 1 || hasAnyLeft) {
            return;
        }
        OnItsWay decided = fresh.values().iterator().next();
        Collection<OnItsWay> others = new HashSet<>(now.onTheirWay.values());
        others.remove(decided);
        Picture picture = Picture.of(told, others);
        if (now.objections == then.objections) {
            advice.isBest(
                    decided.pod(),
                    decided.node(),
                    other -> picture.fits(decided.pod(), other, then.ahead(decided.pod(), other, told)));
        }
        List<Pod> ahead = new ArrayList<>(then.ahead(decided.pod(), decided.node(), told));
        ahead.retainAll(now.ahead(decided.pod(), decided.node(), told));
        ahead.removeIf(other -> Gangs.of(other).isPresent());
        if (ahead.isEmpty() || Gangs.of(decided.pod()).isPresent()) {
            return;
        }
        List<String> wrong = picture.wrongBeside(decided.pod(), decided.node(), ahead);
        if (!wrong.isEmpty()) {
            throw new Violation(replica + " puts " + decided.pod().key() + " on " + decided.node()
                    + ", and leaves no room there for "
                    + ahead.stream().map(Pod::key).toList() + ": " + wrong);
        }
    }

    private void isNominatedRightly(QueueEntryView entry, Moment then, Moment now, Told told) {
        Pod pod = told.podOfKey(entry.key()).orElse(null);
        String node = entry.nominatedNode();
        if (pod == null || Gangs.of(pod).isPresent()) {
            return;
        }
        boolean areAskedToGo = isGatedBy(entry, PREEMPTION);
        if (!areAskedToGo && areAnyLeaving(pod, node, told)) {
            return;
        }
        now.queue.values().stream()
                .filter(other -> now.nominatedNode(other).equals(node) && other.priority() < entry.priority())
                .findFirst()
                .ifPresent(other -> {
                    throw new Violation(replica + " has others go for " + entry.key() + " on " + node + ", to which "
                            + other.key() + " is nominated still, which is less important");
                });
        if (now.objections == then.objections && !areAnyLeaving(pod, node, told)) {
            keepsBudgets(pod, node, now, told);
        }
    }

    private static boolean isGatedBy(QueueEntryView entry, String plugin) {
        return entry.state() == QueueState.GATED && entry.rejectedBy().contains(plugin);
    }

    /** Whether they may be all who are in the way, so that nobody has to be asked to go. */
    private static boolean areAnyLeaving(Pod pod, String node, Told told) {
        return told.pods().stream()
                .anyMatch(other -> other.spec().nodeName().equals(node)
                        && other.meta().terminating()
                        && other.spec().priority() < pod.spec().priority());
    }

    /** Asked about pods alone whom more room never hurts, and nodes of which it is plain whose budgets are used up. */
    private void keepsBudgets(Pod pod, String node, Moment now, Told told) {
        List<PodDisruptionBudget> budgets = told.all(Kinds.POD_DISRUPTION_BUDGET);
        if (budgets.isEmpty() || Sleepers.othersMayHelp(pod)) {
            return;
        }
        Picture picture = Picture.of(told, now.onTheirWay.values());
        if (picture.policies().govern(pod)) {
            return;
        }
        if (harm(pod, node, now, told, picture, budgets) != Harm.SOME) {
            return;
        }
        for (Node other : told.nodes()) {
            if (harm(pod, other.name(), now, told, picture, budgets) == Harm.NONE) {
                throw new Violation(replica + " has some go for " + pod.key() + " on " + node
                        + " whose budget is used up, where none has to on " + other.name());
            }
        }
    }

    /** Whether the budget of somebody is used up who has to go, if the pod is to have its place there. */
    private enum Harm {
        NONE,
        SOME,
        /** It finds no place there, or has one, or it depends on who goes first. */
        UNKNOWN
    }

    private static Harm harm(
            Pod pod, String node, Moment now, Told told, Picture picture, List<PodDisruptionBudget> budgets) {
        List<Pod> lesser = picture.on(node)
                .filter(other -> other.spec().priority() < pod.spec().priority())
                .toList();
        Set<Pod> spared = new HashSet<>();
        for (PodDisruptionBudget budget : budgets) {
            List<Pod> its =
                    lesser.stream().filter(each -> budget.protects(each, false)).toList();
            if (budget.disruptionsAllowed() == 0) {
                spared.addAll(its);
            } else if (budget.disruptionsAllowed() < its.size()) {
                return Harm.UNKNOWN;
            }
        }
        List<Pod> ahead = now.ahead(pod, node, told);
        Set<Pod> others = new HashSet<>(lesser);
        others.removeAll(spared);
        boolean mayBeRoom =
                !lesser.isEmpty() && picture.without(Set.copyOf(lesser)).fits(pod, node, ahead);
        if (!mayBeRoom || picture.fits(pod, node, ahead)) {
            return Harm.UNKNOWN;
        }
        return picture.without(others).fits(pod, node, ahead) ? Harm.NONE : Harm.SOME;
    }
}
