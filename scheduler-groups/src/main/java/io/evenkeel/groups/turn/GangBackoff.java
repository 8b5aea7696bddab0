package io.evenkeel.groups.turn;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.queue.Attempt;
import io.evenkeel.queue.QueuedGroups;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/**
 * How soon gangs are tried after each other, as a turn of one may take seconds where others have to go for it. Those of a
 * namespace {@linkplain NamespaceCooldown rest} after turns in vain. And after each turn all give way to other pods, as long as it took:
 *
 * <pre>
 *   active: gangs a, b of another namespace, pods p, q (20 ms each)     a in 2 s   p   q   b, as nobody else is there
 * </pre>
 */
final class GangBackoff {
    record Turn(GroupKey gang, boolean isAwaited, long steps, long begin) {}

    private final QueuedGroups queue;
    private final NamespaceCooldown rests;
    private final GroupLook look;
    private final LongSupplier clock;
    private long givesWayUntil;
    private boolean givesWay;

    GangBackoff(QueuedGroups queue, NamespaceCooldown rests, GroupLook look, LongSupplier clock) {
        this.queue = queue;
        this.rests = rests;
        this.look = look;
        this.clock = clock;
    }

    /** Whether other pods that are active come before all gangs. */
    boolean givesWay(long now) {
        givesWay &= now - givesWayUntil < 0;
        return givesWay;
    }

    /** Whether it is not the gang's turn yet; the pod is back in the queue then. */
    boolean putsOff(Attempt first, GroupKey gang) {
        long now = clock.getAsLong();
        boolean isKnown = queue.noteGang(first);
        OptionalLong restsUntil = rests.ofGang(gang, isAwaited(first), now);
        if (restsUntil.isPresent()) {
            queue.putOff(first, restsUntil.getAsLong(), now);
            return true;
        }
        if (isKnown || !givesWay(now)) {
            return false;
        }
        queue.giveBack(first, now);
        return true;
    }

    private static boolean isAwaited(Attempt first) {
        return !first.nominatedNode().isEmpty();
    }

    Turn begin(Attempt first, GroupKey gang) {
        return new Turn(gang, isAwaited(first), look.steps(), clock.getAsLong());
    }

    /** @param inVain whether all is as before */
    void end(Turn turn, boolean inVain) {
        long now = clock.getAsLong();
        long nanos = now - turn.begin();
        if (inVain) {
            rests.inVain(turn.gang(), turn.isAwaited(), look.steps() - turn.steps(), nanos, now);
        }
        givesWay = true;
        givesWayUntil = now + nanos;
    }
}
