package io.evenkeel.engine.group;

import io.evenkeel.framework.GroupPlugin.GroupKey;

/** An observer of groups, for metrics. Called on the engine's thread, so it must be quick and never block. */
public interface GroupObserver {
    GroupObserver NONE = new GroupObserver() {};

    /** The result of a search for a group. */
    enum Finding {
        PLACED,
        END_STATE_ONLY,
        INFEASIBLE,
        UNKNOWN
    }

    /** It was found out where a group's pods may go, in so many steps and nanoseconds. */
    default void lookedInto(Finding finding, int pods, long steps, long nanos) {}

    /** That took so long in a turn of a gang. */
    default void lookedIntoGang(long nanos) {}

    /** The result of a turn of a gang. */
    enum GangResult {
        SCHEDULED,
        UNSCHEDULABLE,
        WAITING_ON_PREEMPTION,
        ERROR
    }

    /** A gang's turn has ended. */
    default void gangTried(String profile, GangResult result, long nanos) {}

    /** So many gangs run with fewer pods than they need. */
    default void degraded(int gangs) {}

    /** This is one more of them. */
    default void becameDegraded(GroupKey gang, int inPlace, int needed) {}

    /** This is none of them any more: as many as are needed are in place, or none is, or it is no gang now. */
    default void recovered(GroupKey gang, int inPlace) {}
}
