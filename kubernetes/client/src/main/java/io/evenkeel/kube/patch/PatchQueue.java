package io.evenkeel.kube.patch;

import io.evenkeel.kube.api.TokenBucket;
import io.evenkeel.kube.patch.MergePatch.Target;
import io.evenkeel.kube.patch.PatchSink.Pace;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/**
 * The newest patch of each object, and which of them may be sent now. An object's turn stays where it is when a newer patch comes, so
 * that one which changes all the time is written, too.
 *
 * <pre>{@code
 * 5 s between two of an object
 * 0 s   put a1           sent
 * 1 s   put a2, put b1   b1 sent
 * 3 s   put a3           nothing: a has its turn at 5 s
 * 5 s                    a3 sent; a2 never is
 * }</pre>
 *
 * <p>Time is handed in; not thread-safe.
 */
final class PatchQueue {
    /**
     * A patch to send, or to send again.
     *
     * @param attempts that have failed
     */
    record Sending(MergePatch patch, int attempts) {}

    private record Turn(Target target, long due, long order) {
        static final Comparator<Turn> FIRST =
                Comparator.comparingLong(Turn::due).thenComparingLong(Turn::order);
    }

    private record Waiting(Turn turn, Sending sending) {}

    private final long betweenSame;
    private final TokenBucket tokens;
    private final Map<Target, Waiting> waiting = new HashMap<>();
    private final TreeSet<Turn> turns = new TreeSet<>(Turn.FIRST);

    /** When objects were patched, the earliest first, for as long as it matters. */
    private final LinkedHashMap<Target, Long> sentAt = new LinkedHashMap<>();

    private long orders;

    PatchQueue(Pace pace, long now) {
        betweenSame = pace.betweenSame().toNanos();
        tokens = new TokenBucket(pace.perSecond(), pace.perSecond(), now);
    }

    void put(MergePatch patch, long now) {
        Target target = patch.target();
        Waiting before = waiting.get(target);
        if (before == null) {
            add(target, earliest(target, now), new Sending(patch, 0));
        } else {
            waiting.put(
                    target,
                    new Waiting(
                            before.turn(), new Sending(patch, before.sending().attempts())));
        }
    }

    private long earliest(Target target, long now) {
        Long last = sentAt.get(target);
        return last == null ? now : Math.max(now, last + betweenSame);
    }

    private void add(Target target, long due, Sending sending) {
        Turn turn = new Turn(target, due, orders++);
        turns.add(turn);
        waiting.put(target, new Waiting(turn, sending));
    }

    /** The patch that may be sent now, if one may: it is on its way from then on. */
    Optional<Sending> take(long now) {
        forget(now);
        if (nanosUntilNext(now) > 0) {
            return Optional.empty();
        }
        Turn turn = turns.removeFirst();
        tokens.take(now);
        sentAt.remove(turn.target());
        sentAt.put(turn.target(), now);
        return Optional.ofNullable(waiting.remove(turn.target())).map(Waiting::sending);
    }

    private void forget(long now) {
        while (!sentAt.isEmpty() && now - sentAt.firstEntry().getValue() >= betweenSame) {
            sentAt.pollFirstEntry();
        }
    }

    /** Puts back a patch that failed, to be sent again after a delay; a newer one of the same object is sent in its place. */
    void again(Sending failed, long delay, long now) {
        Target target = failed.patch().target();
        Waiting newer = waiting.get(target);
        MergePatch newest = newer == null ? failed.patch() : newer.sending().patch();
        if (newer != null) {
            turns.remove(newer.turn());
        }
        add(target, Math.max(earliest(target, now), now + delay), new Sending(newest, failed.attempts() + 1));
    }

    /** Nanoseconds until there may be something to send if nothing else happens. */
    long nanosUntilNext(long now) {
        return turns.isEmpty()
                ? Long.MAX_VALUE
                : Math.max(
                        tokens.nanosUntilToken(now),
                        Math.max(0, turns.getFirst().due() - now));
    }

    int size() {
        return waiting.size();
    }
}
