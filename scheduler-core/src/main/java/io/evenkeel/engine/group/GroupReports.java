package io.evenkeel.engine.group;

import io.evenkeel.model.GroupObject;
import io.evenkeel.model.Pod;

/** Tells users about their groups, where there is an object that says so. */
public interface GroupReports {

    /** As many as are needed have their nodes. */
    void scheduled(GroupObject object, Pod member);

    /** They do not fit together. */
    void unschedulable(GroupObject object, Pod member, String message);

    /** Something went wrong that is not the group's fault. */
    void failed(GroupObject object, Pod member, String message);

    /** Fewer run than are needed. */
    void degraded(GroupObject object, Pod member, int inPlace, int needed);

    /** As many run again as are needed, or none. */
    void recovered(GroupObject object, Pod member, int inPlace);
}
