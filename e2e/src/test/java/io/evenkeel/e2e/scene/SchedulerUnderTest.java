package io.evenkeel.e2e.scene;

import static io.evenkeel.e2e.scene.Eventually.eventually;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.companion.Times;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.e2e.cluster.Cluster;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.policies.scaledown.ScaleDown;
import io.evenkeel.policies.status.PolicyObserver;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Stream;

/** A scheduler as the command runs it: in this process, but through HTTP. */
public final class SchedulerUnderTest implements AutoCloseable {
    private static final Duration GRACE = Duration.ofMinutes(10);
    private static final long PATIENCE_SECONDS = 600;

    private final Map<String, Integer> attempts = new ConcurrentHashMap<>();
    private final Cluster cluster;
    private final MortalTransport transport;
    private final LiveScheduler live;

    private SchedulerUnderTest(Cluster cluster, SchedulerConfiguration configuration, LiveOptions options) {
        this.cluster = cluster;
        transport = new MortalTransport(HttpTransport.open(
                ConnectionOptions.of(Optional.of(cluster.schedulerKubeconfig())), "e2e", ApiObserver.NONE));
        SchedulerObserver counting = new SchedulerObserver() {
            @Override
            public void scheduled(Pod pod, int count, long nanosSinceFirstActive) {
                attempts.put(pod.key(), count);
            }
        };
        live = LiveScheduler.start(
                configuration,
                transport,
                options,
                new LiveObservers(counting, DispatcherObserver.NONE, LoopObserver.NONE).with(besides(configuration)));
    }

    /** As beside the command's, but for what it waits before it says that something has lasted. */
    private static List<Companion> besides(SchedulerConfiguration configuration) {
        Times times = new Times(System::nanoTime, InstantSource.system(), Duration.ZERO);
        return Stream.<Optional<? extends Companion>>of(
                        PolicyObserver.of(configuration, times), ScaleDown.of(configuration))
                .<Companion>flatMap(Optional::stream)
                .toList();
    }

    public static SchedulerUnderTest start(Cluster cluster, SchedulerConfiguration configuration, LiveOptions options) {
        return new SchedulerUnderTest(cluster, configuration, options);
    }

    public LiveScheduler live() {
        return live;
    }

    public SchedulerUnderTest awaitSynced() {
        eventually("the scheduler knows the cluster").until(live::isSynced);
        return this;
    }

    /** A pod in the queue, by namespace and name. */
    public Optional<QueueEntryView> queued(String key) {
        return ask(scheduler -> scheduler.queue().view().stream()
                .filter(entry -> entry.key().equals(key))
                .findFirst());
    }

    /** Of a node that is gone, the pods may still be known. */
    public boolean knowsNode(String name) {
        return nodeVersion(name).isPresent();
    }

    /** In which version a node is known. Nodes and pods are told each in their time, so that a pod may come before its node. */
    public Optional<String> nodeVersion(String name) {
        return ask(scheduler ->
                scheduler.cluster().node(name).map(node -> node.meta().resourceVersion()));
    }

    /** An object that is no node and no pod, by namespace and name. */
    public boolean knows(String kind, String key) {
        return ask(scheduler -> scheduler.cluster().all(kind).stream()
                .anyMatch(object -> object.meta().key().equals(key)));
    }

    /**
     * In which attempt a pod was bound. The server knows of a binding before the scheduler has read its answer, so that this waits
     * for the scheduler.
     */
    public int attemptsOf(String key) {
        eventually("the scheduler knows that " + key + " is bound").until(() -> attempts.containsKey(key));
        return attempts.getOrDefault(key, 0);
    }

    /** Asks the engine something, once it has taken in all that came before. */
    public <T> T ask(Function<Scheduler, T> question) {
        try {
            return live.ask(question).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException noAnswer) {
            throw new IllegalStateException("the engine does not answer", noAnswer);
        }
    }

    /** How many bindings went out on the connection that calls share, with no thread that waits for each. */
    public int bindingsBegun() {
        return transport.bindingsBegun();
    }

    /** Ends as when asked to: bindings on their way arrive, the lease is given back. */
    public void stop() {
        live.stop(GRACE);
        kill();
    }

    /** Ends as when killed. */
    public void crash() {
        live.close();
        kill();
    }

    /** Requests that a hollow cluster has are finished when this returns, so that none takes effect later in the test. */
    private void kill() {
        transport.kill();
        cluster.hollow()
                .ifPresent(hollow -> eventually("what it sent is done")
                        .until(() -> hollow.requestLog().underway() == 0));
    }

    @Override
    public void close() {
        crash();
    }
}
