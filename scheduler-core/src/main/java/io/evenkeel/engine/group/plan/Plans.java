package io.evenkeel.engine.group.plan;

import io.evenkeel.framework.group.GroupKey;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The plans of groups, and which namespaces' groups are planned at all. After one was planned and some of its pods have no place,
 * none of its namespace is planned for a while, so that at most a tenth of the engine's time goes into that; pods are decided one
 * by one meanwhile.
 *
 * <pre>
 *   20,000 steps, some in vain     at 10 µs each 0.2 s     no more planning in this namespace for 2 s
 *   10 steps, some in vain                                 for 1 ms
 * </pre>
 */
public final class Plans {
    private static final int MOST_PLANS = 1_024;
    private static final int MOST_RESTING = 10_000;
    private static final long REST_FOR_A_STEP = 100_000;

    /** A plan for more pods than this is expected to last for a part of them. */
    private static final int FEW = 64;

    private static final int A_QUARTER = 4;

    private final Map<GroupKey, Plan> plans = new LinkedHashMap<>();
    private final Map<String, Long> restsUntil = new HashMap<>();

    public Optional<Plan> of(GroupKey group) {
        return Optional.ofNullable(plans.get(group));
    }

    public void put(GroupKey group, Plan plan) {
        plans.remove(group);
        plans.put(group, plan);
        if (plans.size() > MOST_PLANS) {
            Iterator<GroupKey> eldestFirst = plans.keySet().iterator();
            eldestFirst.next();
            eldestFirst.remove();
        }
    }

    public void drop(GroupKey group) {
        plans.remove(group);
    }

    public boolean mayPlan(GroupKey group, long now) {
        Long until = restsUntil.get(group.namespace());
        if (until != null && until - now <= 0) {
            restsUntil.remove(group.namespace());
            return true;
        }
        return until == null;
    }

    /** So many steps were tried for a group, and some of its pods have no place. */
    public void inVain(GroupKey group, long steps, long now) {
        rest(group, steps, now);
    }

    /** A step was not to be taken, as the cluster has become another: where much is left, the next plan may fare no better. */
    public void failed(GroupKey group, Plan plan, long now) {
        drop(group);
        if (isFresh(plan)) {
            rest(group, plan.left(), now);
        }
    }

    /** Nodes have come, gone or changed: plans may still be right, but there may be none that goes on from there. */
    public void nodesChanged() {
        plans.values().removeIf(plan -> !isFresh(plan));
    }

    /** Whether it costs more to make the plan anew than what was had from it. */
    private static boolean isFresh(Plan plan) {
        return plan.left() > FEW && plan.taken() < plan.left() / A_QUARTER;
    }

    private void rest(GroupKey group, long steps, long now) {
        if (restsUntil.size() >= MOST_RESTING) {
            restsUntil.values().removeIf(until -> until - now <= 0);
        }
        restsUntil.put(group.namespace(), now + steps * REST_FOR_A_STEP);
    }
}
