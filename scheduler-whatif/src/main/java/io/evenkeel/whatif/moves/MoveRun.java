package io.evenkeel.whatif.moves;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.moves.Scene.Hold;
import io.evenkeel.whatif.moves.Step.Result;
import io.evenkeel.whatif.rebalance.Move;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Carries out the moves of a plan: each pod's place is held before the pod is evicted, and its successor is watched until it is ready
 * there. Whoever drives it tells it now and then what the cluster is like, and does the steps that it gives out.
 *
 * <pre>
 *   stage    what is seen or comes                        next
 *   HOLD     the place is held, all as planned            EVICT, and the pod is evicted
 *            the pod goes by itself, the place is held    SUCCESSOR
 *   EVICT    accepted, or there is no such pod            SUCCESSOR
 *            too many at the moment, or no clear answer   AGAIN
 *            others see to it                             AGAIN, and its successor may come first
 *   AGAIN    it is time, all as planned                   EVICT
 *            the pod goes                                 SUCCESSOR
 *   SUCCESSOR  it is ready on the target                  over: moved
 *   any      anything else, or the time is over           over, the place is let go, and no more moves are begun
 * </pre>
 *
 * <p>One move of an owner is underway at a time, and after it the owner rests; the longer, the more moves of it have failed in a row.
 * So a plan that cannot be carried out is not tried over and over.
 */
public final class MoveRun {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final Duration BEFORE_NEXT_TRY = Duration.ofSeconds(5);
    private static final Duration LONGEST_REST = Duration.ofDays(1);

    private final Limits limits;
    private final Deque<Move> queued = new ArrayDeque<>();
    private final Map<String, Underway> underway = new LinkedHashMap<>();
    private final Map<String, Rest> resting = new HashMap<>();
    private final Deque<Long> begun = new ArrayDeque<>();
    private List<Step> steps = new ArrayList<>();

    /**
     * How fast, and how patient.
     *
     * @param movesAMinute how many are begun within a minute
     * @param atOnce how many are underway
     * @param coolDown how long an owner rests after a move
     * @param evictWithin how long the API server may refuse an eviction
     * @param readyWithin how long it may take from then on until the successor is ready
     */
    public record Limits(int movesAMinute, int atOnce, Duration coolDown, Duration evictWithin, Duration readyWithin) {
        /** Within which a place is held that can be. */
        private static final Duration HELD_WITHIN = Duration.ofSeconds(10);

        /** As fast as this, with the usual patience. */
        public static Limits of(int movesAMinute, Duration coolDown) {
            return new Limits(movesAMinute, 3, coolDown, Duration.ofMinutes(2), Duration.ofMinutes(10));
        }

        /** How long a place is held at most, whatever becomes of who asked for it. */
        Duration heldFor() {
            return HELD_WITHIN.plus(evictWithin).plus(readyWithin).plus(HELD_WITHIN);
        }
    }

    /** The API server's answer to an eviction. */
    public sealed interface EvictionAnswer {
        record Accepted() implements EvictionAnswer {}

        /** Others see to it that the pod goes; to evict it again asks how far they have come. */
        record Asked() implements EvictionAnswer {}

        /** There is no such pod any more. */
        record Gone() implements EvictionAnswer {}

        /**
         * A budget does not allow it now, or it is not known whether the server has done it.
         *
         * @param retryAfter as the server asks
         */
        record NotNow(String why, Optional<Duration> retryAfter) implements EvictionAnswer {}

        record Never(String why) implements EvictionAnswer {}
    }

    private enum Stage {
        HOLD,
        EVICT,
        AGAIN,
        SUCCESSOR
    }

    private static final class Underway {
        final Move move;
        final OwnerReference owner;
        final long begunAt;
        Stage stage = Stage.HOLD;
        long until;
        long againAt;
        String refusal = "";
        boolean sawSuccessor;
        /** Whether others see to it that the pod goes, who may have its successor come first. */
        boolean isAsked;

        Underway(Move move, OwnerReference owner, long now) {
            this.move = move;
            this.owner = owner;
            begunAt = now;
            until = now + Limits.HELD_WITHIN.toNanos();
        }

        String uid() {
            return move.pod().meta().uid();
        }

        void enter(Stage next, Duration within, long now) {
            stage = next;
            until = now + within.toNanos();
        }

        void askAgain(String why, Optional<Duration> retryAfter, long now) {
            stage = Stage.AGAIN;
            refusal = why;
            againAt = now
                    + retryAfter
                            .filter(asked -> asked.compareTo(BEFORE_NEXT_TRY) > 0)
                            .orElse(BEFORE_NEXT_TRY)
                            .toNanos();
        }

        boolean isLate(long now) {
            return now - until >= 0;
        }
    }

    /** @param failures how many moves of the owner have failed in a row */
    private record Rest(long until, int failures) {}

    public MoveRun(Limits limits) {
        this.limits = limits;
    }

    /** Takes these moves, in place of those that have not begun. */
    public void plan(List<Move> moves) {
        queued.clear();
        queued.addAll(moves);
    }

    /** The moves that have not begun. */
    public List<Move> queued() {
        return List.copyOf(queued);
    }

    public List<Move> underway() {
        return underway.values().stream().map(one -> one.move).toList();
    }

    public boolean isIdle() {
        return queued.isEmpty() && underway.isEmpty();
    }

    /** Goes on by what the cluster is like now, and tells what is to be done. */
    public List<Step> advance(Scene scene, long now) {
        for (Underway one : List.copyOf(underway.values())) {
            switch (one.stage) {
                case HOLD -> hold(one, scene, now);
                case EVICT -> {}
                case AGAIN -> again(one, scene, now);
                case SUCCESSOR -> successor(one, scene, now);
            }
        }
        begin(scene, now);
        resting.values().removeIf(rest -> now - rest.until() > LONGEST_REST.toNanos());
        return take();
    }

    /** The API server has answered. */
    public List<Step> evicted(Move move, EvictionAnswer answer, long now) {
        Underway one = underway.get(move.pod().meta().uid());
        if (one != null && one.stage == Stage.EVICT) {
            switch (answer) {
                case EvictionAnswer.Accepted _, EvictionAnswer.Gone _ ->
                    one.enter(Stage.SUCCESSOR, limits.readyWithin(), now);
                case EvictionAnswer.Asked _ -> {
                    one.isAsked = true;
                    one.until = now + limits.readyWithin().toNanos();
                    one.askAgain("it has not gone yet", Optional.empty(), now);
                }
                case EvictionAnswer.NotNow(String why, var retryAfter) -> one.askAgain(why, retryAfter, now);
                case EvictionAnswer.Never(String why) -> end(one, Result.FAILED, why, now);
            }
        }
        return take();
    }

    /** Lets go of everything: who drives this stops, or another takes over. */
    public List<Step> abandon(String why, long now) {
        stop(why);
        List.copyOf(underway.values()).forEach(one -> end(one, Result.ABANDONED, why, now));
        return take();
    }

    private List<Step> take() {
        List<Step> taken = steps;
        steps = new ArrayList<>();
        return taken;
    }

    private void begin(Scene scene, long now) {
        while (!begun.isEmpty() && now - begun.getFirst() >= MINUTE) {
            begun.removeFirst();
        }
        boolean isFirst = underway.isEmpty();
        for (Iterator<Move> each = queued.iterator(); each.hasNext() && mayBegin(); ) {
            Move move = each.next();
            Optional<OwnerReference> owner = move.pod().meta().controller();
            if (owner.isEmpty()) {
                each.remove();
                leaveAlone(move, "no owner makes it again");
            } else if (isBusy(owner.get(), now)) {
                isFirst = false;
            } else {
                Optional<String> unrest = scene.unrest(move);
                Optional<String> objection = unrest.isPresent() ? Optional.empty() : scene.objection(move);
                if (unrest.isPresent()) {
                    each.remove();
                    leaveAlone(move, unrest.get());
                } else if (objection.isEmpty()) {
                    each.remove();
                    begin(move, owner.get(), now);
                    isFirst = false;
                } else if (isFirst) {
                    // no move before it is still to be made that could make it right
                    stop(move.pod().key() + ": " + objection.get());
                    return;
                }
            }
        }
    }

    private boolean mayBegin() {
        return underway.size() < limits.atOnce() && begun.size() < limits.movesAMinute();
    }

    private boolean isBusy(OwnerReference owner, long now) {
        Rest rest = resting.get(owner.uid());
        return (rest != null && now - rest.until() < 0)
                || underway.values().stream().anyMatch(one -> one.owner.uid().equals(owner.uid()));
    }

    private void begin(Move move, OwnerReference owner, long now) {
        underway.put(move.pod().meta().uid(), new Underway(move, owner, now));
        begun.add(now);
        steps.add(new Step.Hold(move, limits.heldFor()));
    }

    private void leaveAlone(Move move, String why) {
        steps.add(new Step.Ended(move, Result.LEFT_ALONE, why, Duration.ZERO));
    }

    private void hold(Underway one, Scene scene, long now) {
        Hold hold = scene.hold(one.move.pod());
        if (isGoing(one, scene) && !(hold instanceof Hold.None)) {
            one.enter(Stage.SUCCESSOR, limits.readyWithin(), now);
            successor(one, scene, now);
        } else if (hold instanceof Hold.Taken) {
            end(one, Result.TAKEN, "", now);
        } else if (hold instanceof Hold.Open) {
            one.enter(Stage.AGAIN, limits.evictWithin(), now);
            evict(one, scene, now);
        } else if (one.isLate(now)) {
            end(one, Result.UNHELD, "", now);
        }
    }

    private void again(Underway one, Scene scene, long now) {
        if (isGoing(one, scene)) {
            one.enter(Stage.SUCCESSOR, limits.readyWithin(), now);
            successor(one, scene, now);
            return;
        }
        switch (scene.hold(one.move.pod())) {
            case Hold.None _ -> end(one, Result.UNHELD, "", now);
            case Hold.Taken _ when !one.isAsked -> end(one, Result.TAKEN, "", now);
            case Hold.Taken(String uid) -> early(one, scene.pod(uid), now);
            case Hold.Open _ when one.isLate(now) -> end(one, Result.REFUSED, one.refusal, now);
            case Hold.Open _ when now - one.againAt >= 0 -> evict(one, scene, now);
            case Hold.Open _ -> {}
        }
    }

    /** The place is held, and this is the last look before there is no way back. */
    private void evict(Underway one, Scene scene, long now) {
        // who sees to it may have the owner make its successor, which is unrest
        Optional<String> unrest = one.isAsked ? Optional.empty() : scene.unrest(one.move);
        unrest.or(() -> scene.objection(one.move))
                .ifPresentOrElse(why -> end(one, Result.DRIFTED, why, now), () -> evict(one, false));
    }

    private void evict(Underway one, boolean hasSuccessor) {
        one.stage = Stage.EVICT;
        steps.add(new Step.Evict(one.move, hasSuccessor));
    }

    /** Its successor has come before it goes. */
    private void early(Underway one, Optional<Pod> found, long now) {
        if (!isAstray(one, found, now)) {
            if (one.isLate(now)) {
                end(one, Result.REFUSED, one.refusal, now);
            } else if (now - one.againAt >= 0) {
                evict(one, isReady(found));
            }
        }
    }

    private static boolean isReady(Optional<Pod> found) {
        return found.filter(pod -> pod.isPlaced() && pod.status().ready()).isPresent();
    }

    private static boolean isGoing(Underway one, Scene scene) {
        return scene.pod(one.uid()).map(pod -> pod.meta().terminating()).orElse(true);
    }

    private void successor(Underway one, Scene scene, long now) {
        switch (scene.hold(one.move.pod())) {
            case Hold.None _ -> end(one, Result.ELSEWHERE, "its place was lost", now);
            // before the news of it comes, it still counts as one that its owner has
            case Hold.Open _
            when isGoing(one, scene) && scene.isComplete(one.owner) -> end(one, Result.UNNEEDED, "", now);
            case Hold.Open _ when one.isLate(now) -> end(one, Result.LATE, "no pod came in its place", now);
            case Hold.Open _ -> {}
            case Hold.Taken(String uid) -> successor(one, scene.pod(uid), now);
        }
    }

    private void successor(Underway one, Optional<Pod> found, long now) {
        if (isAstray(one, found, now)) {
            return;
        }
        if (isReady(found)) {
            end(one, Result.MOVED, "", now);
        } else if (one.isLate(now)) {
            String state = found.filter(Pod::isPlaced).isPresent() ? " is not ready" : " is on no node";
            end(one, Result.LATE, found.map(Pod::key).orElse("its successor") + state, now);
        }
    }

    /** Whether the move is over, as its successor is gone or elsewhere. */
    private boolean isAstray(Underway one, Optional<Pod> found, long now) {
        one.sawSuccessor |= found.isPresent();
        if (found.isEmpty() && one.sawSuccessor) {
            end(one, Result.LOST, "", now);
            return true;
        }
        Optional<Pod> elsewhere =
                found.filter(Pod::isPlaced).filter(pod -> !pod.spec().nodeName().equals(one.move.to()));
        elsewhere.ifPresent(
                pod -> end(one, Result.ELSEWHERE, "it is on " + pod.spec().nodeName(), now));
        return elsewhere.isPresent();
    }

    private void end(Underway one, Result result, String why, long now) {
        underway.remove(one.uid());
        steps.add(new Step.Release(one.move));
        steps.add(new Step.Ended(one.move, result, why, Duration.ofNanos(now - one.begunAt)));
        int failures = result.isAsPlanned()
                ? 0
                : 1
                        + Optional.ofNullable(resting.get(one.owner.uid()))
                                .map(Rest::failures)
                                .orElse(0);
        Duration longer = limits.coolDown().multipliedBy(1L << Math.min(failures, 10));
        Duration rest = longer.compareTo(LONGEST_REST) > 0 ? LONGEST_REST : longer;
        resting.put(one.owner.uid(), new Rest(now + rest.toNanos(), failures));
        if (!result.isAsPlanned()) {
            stop(one.move.pod().key() + ": " + result.label() + (why.isEmpty() ? "" : ", " + why));
        }
    }

    private void stop(String why) {
        if (!queued.isEmpty()) {
            steps.add(new Step.Stopped(why, queued.size()));
            queued.clear();
        }
    }
}
