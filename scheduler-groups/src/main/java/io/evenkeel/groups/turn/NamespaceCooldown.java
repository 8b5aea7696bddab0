package io.evenkeel.groups.turn;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * Which namespaces' groups rest. Whatever was tried for one in vain has those of its namespace rest ten times as long as it
 * took, so that at most a tenth of the engine's time goes into that: by the clock, or by the steps where these say more.
 *
 * <pre>
 *   20,000 steps, some in vain    at 10 µs each 0.2 s    rest for 2 s
 *   10 steps, some in vain                               for 1 ms
 *   10 steps that took 1 s        a look at all pods     for 10 s
 * </pre>
 *
 * <p>Nothing is planned meanwhile, and pods are decided one by one. Gangs cannot be, and wait until the rest is over; so that little
 * work in vain makes nobody wait, they do so only once a second of rest has come together. Those for which others have
 * gone already have a tenth of their own: room is kept for them, and it need not be for long.
 */
final class NamespaceCooldown {
    private static final int MOST_RESTING = 10_000;
    private static final int TIMES = 10;
    private static final long NANOS_A_STEP = 10_000;
    private static final long LEEWAY = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST = TimeUnit.MINUTES.toNanos(5);

    private record Account(String namespace, boolean isAwaited) {}

    /** @param holdsGangs whether it has become so long that gangs wait for its end, too */
    private record Rest(long until, boolean holdsGangs) {}

    private final Map<Account, Rest> rests = new HashMap<>();

    boolean mayPlan(GroupKey group, long now) {
        Account account = new Account(group.namespace(), false);
        forgetIfOver(account, now);
        return !rests.containsKey(account);
    }

    /**
     * Until when the gang waits; empty where it may be tried.
     *
     * @param isAwaited whether room is kept for it on some nodes
     */
    public OptionalLong ofGang(GroupKey gang, boolean isAwaited, long now) {
        Account account = new Account(gang.namespace(), isAwaited);
        forgetIfOver(account, now);
        Rest rest = rests.get(account);
        return rest != null && rest.holdsGangs() ? OptionalLong.of(rest.until()) : OptionalLong.empty();
    }

    /**
     * Something was tried for the group, in vain.
     *
     * @param steps that it took
     * @param nanos that it took
     */
    public void inVain(GroupKey group, boolean isAwaited, long steps, long nanos, long now) {
        if (rests.size() >= MOST_RESTING) {
            rests.values().removeIf(rest -> rest.until() - now <= 0);
        }
        Account account = new Account(group.namespace(), isAwaited);
        forgetIfOver(account, now);
        Rest before = rests.getOrDefault(account, new Rest(now, false));
        long most = LONGEST / TIMES;
        long cost = Math.max(Math.min(steps, most / NANOS_A_STEP) * NANOS_A_STEP, Math.min(nanos, most));
        long left = Math.min(LONGEST, before.until() - now + TIMES * cost);
        rests.put(account, new Rest(now + left, before.holdsGangs() || left > LEEWAY));
    }

    private void forgetIfOver(Account account, long now) {
        Rest rest = rests.get(account);
        if (rest != null && rest.until() - now <= 0) {
            rests.remove(account);
        }
    }
}
