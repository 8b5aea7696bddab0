package io.evenkeel.app.companion;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.Pod;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The pods that wait for a node, of any scheduler. A relist that leaves one out says that it is gone. */
public final class WaitingPods {

    /** Is told of each that begins to wait, and of each that ends. */
    public interface Listener {
        void began(Pod pod);

        void ended(Pod pod);
    }

    private final Listener listener;
    private final Map<String, Pod> byKey = new HashMap<>();
    private final Set<String> notListed = new HashSet<>();

    public WaitingPods(Listener listener) {
        this.listener = listener;
    }

    /** The pod as it was when it waited, where this event says that it is on a node now. */
    public Optional<Pod> take(SchedulerEvent event) {
        switch (event) {
            case ClusterEvent.Put(Pod pod) -> {
                return put(pod);
            }
            case ClusterEvent.Removed(Pod pod) -> end(pod.key());
            case SchedulerEvent.UnreadablePod(var pod, var _) -> notListed.remove(pod.key());
            case Relist.Began(var kind)
            when isPods(kind) -> {
                notListed.clear();
                notListed.addAll(byKey.keySet());
            }
            case Relist.Present(var kind, var identity)
            when isPods(kind) -> identity.ifPresentOrElse(meta -> notListed.remove(meta.key()), notListed::clear);
            case Relist.Ended(var kind, var _)
            when isPods(kind) -> {
                notListed.forEach(this::end);
                notListed.clear();
            }
            default -> {}
        }
        return Optional.empty();
    }

    /** Whether it waits, as far as the API server has told. */
    public boolean contains(Pod pod) {
        return byKey.containsKey(pod.key());
    }

    private static boolean isPods(String kind) {
        return kind.equals("Pod");
    }

    private Optional<Pod> put(Pod pod) {
        notListed.remove(pod.key());
        Optional<Pod> before = end(pod.key());
        if (!pod.isPlaced()) {
            if (!pod.meta().terminating()) {
                byKey.put(pod.key(), pod);
                listener.began(pod);
            }
            return Optional.empty();
        }
        return before.filter(one -> one.meta().uid().equals(pod.meta().uid()));
    }

    private Optional<Pod> end(String key) {
        Optional<Pod> pod = Optional.ofNullable(byKey.remove(key));
        pod.ifPresent(listener::ended);
        return pod;
    }
}
