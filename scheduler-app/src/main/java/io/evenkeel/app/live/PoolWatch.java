package io.evenkeel.app.live;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.kube.api.LogThrottle;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.NodeSelector;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says when another scheduler binds a pod to a node of a profile's pool: the nodes to which its {@code addedAffinity} keeps all of
 * its pods. Schedulers whose pools have no node in common never choose the same place. On the engine's thread.
 */
final class PoolWatch implements LoopObserver {
    private static final Logger log = LoggerFactory.getLogger(PoolWatch.class);
    private static final Duration A_LINE = Duration.ofMinutes(1);

    private final Set<String> own;
    private final Map<String, NodeSelector> pools = new LinkedHashMap<>();
    private final BooleanSupplier leading;
    private final LogThrottle lines;

    /** @param leading whether this replica tells of it, as all replicas see the same */
    PoolWatch(SchedulerConfiguration configuration, BooleanSupplier leading, LongSupplier nanos) {
        own = configuration.profiles().stream().map(Profile::schedulerName).collect(Collectors.toUnmodifiableSet());
        for (Profile profile : configuration.profiles()) {
            profile.pool().ifPresent(pool -> pools.put(profile.schedulerName(), pool));
        }
        this.leading = leading;
        lines = new LogThrottle(A_LINE, nanos);
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        if (!pools.isEmpty()
                && event instanceof ClusterEvent.Put(Pod pod)
                && pod.isPlaced()
                && !pod.status().isFinished()
                && !own.contains(pod.spec().schedulerName())
                && leading.getAsBoolean()
                && scheduler.isSynced()
                && scheduler.cluster().pods().find(pod.key()) < 0
                && pod.meta()
                        .controller()
                        .filter(OwnerReference::keepsPodsOnNodes)
                        .isEmpty()) {
            int row = scheduler.cluster().nodes().findPresent(pod.spec().nodeName());
            if (row >= 0) {
                bound(pod, scheduler.cluster().nodes().node(row));
            }
        }
    }

    private void bound(Pod pod, Node node) {
        for (Map.Entry<String, NodeSelector> pool : pools.entrySet()) {
            if (pool.getValue().matches(node.labels(), node.name())) {
                lines.count(times -> log.atWarn()
                        .setMessage("Another scheduler places pods in the pool of a profile")
                        .addKeyValue("profile", pool.getKey())
                        .addKeyValue("scheduler", pod.spec().schedulerName())
                        .addKeyValue("pod", pod.key())
                        .addKeyValue("node", node.name())
                        .addKeyValue("times", times)
                        .log());
                return;
            }
        }
    }

    @Override
    public void turned(Scheduler scheduler, int events, long nanos) {}
}
