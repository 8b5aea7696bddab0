package io.evenkeel.tools.why;

import io.evenkeel.engine.RelistSweep;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** The pods that there are and that have not finished, of all schedulers, as events tell of them. */
final class KnownPods {
    private final Map<String, Pod> pods = new TreeMap<>();
    private final RelistSweep relist = new RelistSweep(Set.of());

    void follow(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put(Pod pod) -> {
                relist.saw(pod);
                if (pod.status().isFinished()) {
                    pods.remove(pod.key());
                } else {
                    pods.put(pod.key(), pod);
                }
            }
            case ClusterEvent.Removed(Pod pod) -> pods.remove(pod.key());
            case Relist change when change.kind().equals(Kinds.POD.name()) -> follow(change);
            default -> {}
        }
    }

    private void follow(Relist change) {
        switch (change) {
            case Relist.Began began -> relist.began(began.kind());
            case Relist.Present present -> relist.sawUnreadable(present.kind(), present.identity());
            case Relist.Ended ended -> {
                Predicate<ObjectMeta> isGone = relist.ended(ended.kind());
                pods.values().removeIf(pod -> isGone.test(pod.meta()));
            }
        }
    }

    /** By its namespace and name. */
    Optional<Pod> find(String key) {
        return Optional.ofNullable(pods.get(key));
    }

    /** By namespace and name. */
    Collection<Pod> all() {
        return Collections.unmodifiableCollection(pods.values());
    }
}
