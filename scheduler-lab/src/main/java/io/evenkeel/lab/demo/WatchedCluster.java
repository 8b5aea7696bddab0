package io.evenkeel.lab.demo;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * Nodes and pods as the API shows them to anybody who watches: what {@code kubectl get --watch} would show. It knows
 * nothing of what the scheduler believes. The server never forgets its history here, so no watch has to begin again.
 */
final class WatchedCluster implements AutoCloseable {
    /** Thousands of changes a second are looked at together: a look goes over all pods. */
    private static final long BETWEEN_LOOKS = Duration.ofMillis(10).toNanos();

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Pod> pods = new HashMap<>();
    private final Watches watches;
    private long changes;

    public WatchedCluster(ApiTransport transport) {
        watches = Watches.start(List.of(Kinds.NODE, Kinds.POD), transport, this::take, Machine.SYSTEM);
    }

    private void take(SchedulerEvent event) {
        lock.lock();
        try {
            switch (event) {
                case ClusterEvent.Put(Node node) -> nodes.put(node.name(), node);
                case ClusterEvent.Put(Pod pod) -> pods.put(pod.key(), pod);
                case ClusterEvent.Removed(KubernetesObject gone)
                when gone.kindName().equals("Node") -> nodes.remove(gone.meta().key());
                case ClusterEvent.Removed(KubernetesObject gone) ->
                    pods.remove(gone.meta().key());
                default -> {}
            }
            changes++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** All nodes, and the pods of one namespace. */
    Cluster of(String namespace) {
        lock.lock();
        try {
            return Cluster.of(
                    nodes.values().stream(),
                    pods.values().stream().filter(pod -> pod.namespace().equals(namespace)));
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until a namespace is as wanted; empty if it is not for so long.
     *
     * @param meanwhile is shown every moment on the way
     */
    public Optional<Cluster> await(
            String namespace, Predicate<Cluster> wanted, Duration patience, Consumer<Cluster> meanwhile)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        while (true) {
            long seen = changeCount();
            Cluster now = of(namespace);
            meanwhile.accept(now);
            if (wanted.test(now)) {
                return Optional.of(now);
            }
            if (!awaitChange(seen, System.nanoTime() + BETWEEN_LOOKS, deadline)) {
                return Optional.empty();
            }
        }
    }

    private long changeCount() {
        lock.lock();
        try {
            return changes;
        } finally {
            lock.unlock();
        }
    }

    private boolean awaitChange(long since, long earliest, long deadline) throws InterruptedException {
        lock.lock();
        try {
            long now = System.nanoTime();
            while (now < deadline && (changes == since || now < earliest)) {
                long _ = changed.awaitNanos((changes == since ? deadline : earliest) - now);
                now = System.nanoTime();
            }
            return changes != since;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        watches.close();
    }
}
