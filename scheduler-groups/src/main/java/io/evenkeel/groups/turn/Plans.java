package io.evenkeel.groups.turn;

import io.evenkeel.framework.GroupPlugin.GroupKey;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The plans of groups, and whether there may be more of them. After one was planned and some of its pods have no place, none
 * of its namespace is planned while these {@linkplain NamespaceCooldown rest}.
 */
final class Plans {
    private static final int MOST_PLANS = 1_024;

    /** A plan for more pods than this is expected to last for a part of them. */
    private static final int FEW = 64;

    private static final int A_QUARTER = 4;

    private final Map<GroupKey, Plan> plans = new LinkedHashMap<>();
    private final NamespaceCooldown rests;

    public Plans(NamespaceCooldown rests) {
        this.rests = rests;
    }

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
        return rests.mayPlan(group, now);
    }

    /** So many steps were tried for a group, and took so long, and some of its pods have no place. */
    public void inVain(GroupKey group, long steps, long nanos, long now) {
        rests.inVain(group, false, steps, nanos, now);
    }

    /** A step was not to be taken, as the cluster has become another: where much is left, the next plan may fare no better. */
    public void failed(GroupKey group, Plan plan, long now) {
        drop(group);
        if (isFresh(plan)) {
            inVain(group, plan.left(), 0, now);
        }
    }

    /** Nodes have come, gone or changed: plans may still be right, but there may be none that goes on from there. */
    public void nodesChanged() {
        plans.values().removeIf(plan -> !isFresh(plan));
    }

    /** Whether it costs more to make the plan again than it has brought. */
    private static boolean isFresh(Plan plan) {
        return plan.left() > FEW && plan.taken() < plan.left() / A_QUARTER;
    }
}
