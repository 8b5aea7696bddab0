package io.evenkeel.kube.dispatch;

import io.evenkeel.kube.api.TokenBucket;
import io.evenkeel.kube.dispatch.Dispatcher.DispatcherSettings;
import java.util.EnumMap;
import java.util.Map;

/**
 * The calls that may be made now. At most {@code parallelism} are underway. A quarter of that is for bindings alone, so that
 * slow patches and events never hold them up, and an eighth for all but bindings, so that slow bindings never hold those up;
 * an eighth is the most that events get, and three that evictions do, which a webhook for deletions may let hang. Events
 * also have a token bucket of their own, as the reference has a client of their own for them. Every operation is O(1). Not
 * thread-safe.
 */
final class CallBudget {
    private final int parallelism;
    private final int forBindings;
    private final int notForBindings;
    private final int forEvents;
    private final int forEvictions;
    private final int forWrites;
    private final TokenBucket calls;
    private final TokenBucket events;
    private final Map<CommandKind, Integer> underway = new EnumMap<>(CommandKind.class);
    private int total;

    CallBudget(DispatcherSettings settings, long now) {
        parallelism = settings.parallelism();
        forBindings = parallelism - parallelism / 8;
        notForBindings = Math.max(1, parallelism - Math.ceilDiv(parallelism, 4));
        forEvents = Math.max(1, parallelism / 8);
        forEvictions = Math.max(1, 3 * parallelism / 8);
        forWrites = Math.max(1, forBindings / 2);
        calls = new TokenBucket(settings.qps(), settings.burst(), now);
        events = new TokenBucket(settings.qps(), settings.burst(), now);
    }

    /** Nanoseconds until such a call may start if none ends before; {@link Long#MAX_VALUE} if one has to end first. */
    long nanosUntilAllowed(CommandKind kind, long now) {
        return hasRoom(kind) ? bucket(kind).nanosUntilToken(now) : Long.MAX_VALUE;
    }

    private boolean hasRoom(CommandKind kind) {
        if (total >= parallelism) {
            return false;
        }
        return switch (kind) {
            case BIND -> onTheWayToNodes() < forBindings;
            case WRITE_OBJECT -> onTheWayToNodes() < forBindings && underway(CommandKind.WRITE_OBJECT) < forWrites;
            case LOOKUP, PATCH_STATUS -> isAnyNotForBindings();
            case EVICT -> isAnyNotForBindings() && underway(CommandKind.EVICT) < forEvictions;
            case RECORD_EVENT -> isAnyNotForBindings() && underway(CommandKind.RECORD_EVENT) < forEvents;
        };
    }

    private boolean isAnyNotForBindings() {
        return total - onTheWayToNodes() < notForBindings;
    }

    /** Bindings, and what is written before them. */
    private int onTheWayToNodes() {
        return underway(CommandKind.BIND) + underway(CommandKind.WRITE_OBJECT);
    }

    void started(CommandKind kind, long now) {
        bucket(kind).take(now);
        underway.merge(kind, 1, Integer::sum);
        total++;
    }

    void ended(CommandKind kind) {
        underway.merge(kind, -1, Integer::sum);
        total--;
    }

    int underway(CommandKind kind) {
        return underway.getOrDefault(kind, 0);
    }

    private TokenBucket bucket(CommandKind kind) {
        return kind == CommandKind.RECORD_EVENT ? events : calls;
    }
}
