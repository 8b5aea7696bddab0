package io.evenkeel.queue;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.QueueSortPlugin;
import io.evenkeel.api.QueuedPod;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.queue.QueueSettings.Neighbours;
import io.evenkeel.queue.QueueSettings.Obstacles;
import io.evenkeel.queue.QueuedGroups.WaitingMembers;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.testing.OneProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A queue by priority with four plugins besides: Gatekeeper gates pods with scheduling gates, and after it Holder those
 * that their label says are held; Labels wakes pods when a node's labels change that names them, Taints wakes all when
 * taints change. Time is in seconds.
 */
final class QueueHarness implements QueueObserver {
    static final String LABELS = "Labels";
    static final String TAINTS = "Taints";
    static final String GATEKEEPER = "Gatekeeper";
    static final String HOLDER = "Holder";

    /** A pod's label by which Holder keeps it out. */
    static final String HELD = "held";

    private static final WakeUp NAMED_BY_LABELS =
            WakeUp.on(QueueHarness::names, ChangeKind.NODE_LABELS, ChangeKind.OWN_LABELS);

    static final QueueSettings SETTINGS = settings(HintLimits.USUAL, Neighbours.UNKNOWN);

    static QueueSettings settings(HintLimits hints, Neighbours neighbours) {
        return new QueueSettings(
                Duration.ofSeconds(1),
                Duration.ofSeconds(10),
                Duration.ofMinutes(5),
                true,
                _ -> false,
                hints,
                neighbours,
                Obstacles.UNKNOWN);
    }

    final NominatedPods nominated;
    final SchedulingQueue queue;
    final List<String> incoming = new ArrayList<>();
    final List<String> hints = new ArrayList<>();
    /** The pods that PreEnqueue was asked about. */
    final List<String> gatesAsked = new ArrayList<>();

    /** The pods that a gate holds, and nobody is told when it opens. */
    final Set<String> heldUnseen = new HashSet<>();

    int boundAfterFlush;
    private long now;

    final ClusterState cluster = new ClusterState();
    /** The pods that wait behind others as their namespaces take so much work, as far as it is told. */
    final List<String> deferred = new ArrayList<>();

    final FairTurns turns = new FairTurns(cluster.view().work(), () -> 0, (pod, _) -> deferred.add(pod.name()));

    QueueHarness() {
        this(SETTINGS);
    }

    QueueHarness(QueueSettings settings) {
        this(settings, LABELS, NAMED_BY_LABELS);
    }

    /** With other gates than the first level's defaults. */
    QueueHarness(FeatureGates gates) {
        this(gates, SETTINGS, LABELS, NAMED_BY_LABELS);
    }

    /** With a plugin of another name in place of Labels, which wakes pods so. */
    QueueHarness(String plugin, WakeUp wakeUp) {
        this(SETTINGS, plugin, wakeUp);
    }

    /** The same under other settings. */
    QueueHarness(QueueSettings settings, String plugin, WakeUp wakeUp) {
        this(FeatureGates.DEFAULTS, settings, plugin, wakeUp);
    }

    private QueueHarness(FeatureGates gates, QueueSettings settings, String plugin, WakeUp wakeUp) {
        nominated = new NominatedPods(gates);
        queue = new SchedulingQueue(
                cluster,
                Map.of("default-scheduler", profile(gatesAsked, heldUnseen, plugin, wakeUp)),
                nominated,
                new WaitingMembers(),
                turns,
                settings,
                this,
                () -> 0);
    }

    static SchedulingProfile profile() {
        return profile(new ArrayList<>(), Set.of(), LABELS, NAMED_BY_LABELS);
    }

    private static SchedulingProfile profile(
            List<String> gatesAsked, Set<String> heldUnseen, String plugin, WakeUp wakeUp) {
        PluginRegistry registry = new PluginRegistry(List.of(
                PluginFactory.of("ByPriority", ByPriority.class, context -> new ByPriority()),
                PluginFactory.of(GATEKEEPER, Gatekeeper.class, context -> new Gatekeeper(gatesAsked, heldUnseen)),
                PluginFactory.of(HOLDER, Holder.class, context -> new Holder()),
                PluginFactory.of(plugin, Waker.class, context -> new Waker(plugin, wakeUp)),
                PluginFactory.of(
                        TAINTS,
                        Waker.class,
                        context -> new Waker(TAINTS, WakeUp.on(Hint.ALWAYS, ChangeKind.NODE_TAINTS)))));
        return SchedulingProfile.of(
                OneProfile.only("ByPriority", "Gatekeeper", "Holder", plugin, "Taints")
                        .profiles()
                        .getFirst(),
                registry,
                new ClusterState().view());
    }

    /** The pod as a cluster without anything admits it. */
    static PodInfo admitted(Pod pod) {
        return new ClusterState().admit(pod);
    }

    static boolean isHeld(Pod pod) {
        return pod.labels().has(HELD, "yes");
    }

    static boolean names(PendingPod pod, ClusterChange change) {
        return change.after().orElseThrow().meta().labels().has(pod.pod().name());
    }

    /** A node now has labels that name these pods. */
    static ClusterChange labelled(String... podNames) {
        NodeBuilder node = NodeBuilder.node("n");
        for (String name : podNames) {
            node.label(name, "");
        }
        return ClusterChange.added(ChangeKind.NODE_LABELS, node.build());
    }

    static ClusterChange tainted() {
        return ClusterChange.added(ChangeKind.NODE_TAINTS, NodeBuilder.node("n").build());
    }

    void at(double seconds) {
        now = Math.round(seconds * 1_000_000_000L);
        queue.tick(now);
    }

    long now() {
        return now;
    }

    void add(Pod pod) {
        queue.add(pod, now);
    }

    void update(Pod pod) {
        queue.update(pod, now);
    }

    void change(ClusterChange change) {
        queue.changed(change, now);
    }

    Attempt pop() {
        return queue.pop(now).orElseThrow();
    }

    /** The name of the next pod, taken out; empty where it is nobody's turn. */
    String next() {
        return queue.pop(now).map(attempt -> attempt.pod().name()).orElse("");
    }

    void reject(Attempt attempt, String... plugins) {
        queue.rejected(attempt, new RejectedBy(Set.of(plugins), Set.of()), now);
    }

    void fail(Attempt attempt) {
        queue.failed(attempt, now);
    }

    QueueState stateOf(String podName) {
        return viewOf(podName).orElseThrow().state();
    }

    Optional<QueueEntryView> viewOf(String podName) {
        return queue.view().stream()
                .filter(view -> view.key().equals("default/" + podName))
                .findFirst();
    }

    @Override
    public void incoming(String toQueue, String event) {
        incoming.add(toQueue + " " + event);
    }

    @Override
    public void hintRan(String plugin, String event, boolean queued, long nanos) {
        hints.add(plugin + " " + event + " " + queued);
    }

    @Override
    public void boundAfterFlush() {
        boundAfterFlush++;
    }

    private record ByPriority() implements QueueSortPlugin {
        @Override
        public String name() {
            return "ByPriority";
        }

        @Override
        public int compare(QueuedPod left, QueuedPod right) {
            int byPriority = Integer.compare(
                    right.pod().spec().priority(), left.pod().spec().priority());
            return byPriority != 0 ? byPriority : Long.compare(left.queuedAtNanos(), right.queuedAtNanos());
        }
    }

    private record Gatekeeper(List<String> asked, Set<String> heldUnseen) implements PreEnqueuePlugin, WakeUpPlugin {
        @Override
        public String name() {
            return GATEKEEPER;
        }

        @Override
        public Status preEnqueue(Pod pod) {
            asked.add(pod.name());
            return pod.spec().schedulingGates().isEmpty() && !heldUnseen.contains(pod.name())
                    ? Status.SUCCESS
                    : Status.unresolvable("gated");
        }

        @Override
        public List<WakeUp> wakeUps() {
            return List.of(WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_GATES_GONE));
        }
    }

    private record Holder() implements PreEnqueuePlugin, WakeUpPlugin {
        @Override
        public String name() {
            return HOLDER;
        }

        @Override
        public Status preEnqueue(Pod pod) {
            return isHeld(pod) ? Status.unresolvable("held") : Status.SUCCESS;
        }

        @Override
        public List<WakeUp> wakeUps() {
            return List.of(WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_LABELS));
        }
    }

    /** Reserves nothing; it needs some extension point to be enabled at. */
    private record Waker(String name, WakeUp wakeUp) implements ReservePlugin, WakeUpPlugin {
        @Override
        public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
            return Status.SUCCESS;
        }

        @Override
        public void unreserve(CycleState state, PendingPod pod, String nodeName) {}

        @Override
        public List<WakeUp> wakeUps() {
            return List.of(wakeUp);
        }
    }
}
