package io.evenkeel.engine.decision;

import io.evenkeel.model.Pod;
import java.util.HashSet;
import java.util.Set;

/** The pods that have been asked to go, as long as the watch does not show it. */
public final class LeavingPods {
    private final Set<String> uids = new HashSet<>();

    public void add(String uid) {
        uids.add(uid);
    }

    public void remove(String uid) {
        uids.remove(uid);
    }

    boolean contains(Pod pod) {
        return uids.contains(pod.meta().uid());
    }
}
