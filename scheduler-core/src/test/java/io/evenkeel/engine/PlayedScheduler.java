package io.evenkeel.engine;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.PreparingPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WaitingPods;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.testing.OneProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** A scheduler with a scripted plugin and a clock in seconds that stands still, and all that it says written down. */
final class PlayedScheduler implements SchedulerObserver {
    final ScriptedPlugin plugin = new ScriptedPlugin();
    /** What a second plugin says at Permit. */
    PermitPlugin.Result patience = PermitPlugin.Result.ALLOW;
    /** What a third plugin wants done before a pod is bound. */
    Optional<Preparation> preparation = Optional.empty();

    final List<Command> commands = new ArrayList<>();
    /** Result and duration of each attempt. */
    final List<String> attempts = new ArrayList<>();
    /** Of each pod that was bound, since it first entered the active queue. */
    final List<String> durations = new ArrayList<>();

    /** The events that were taken in and may have helped somebody. */
    final List<String> handled = new ArrayList<>();

    /** Result and duration of each wait for a permit. */
    final List<String> permitWaits = new ArrayList<>();

    /** What came of each wait for devices, by driver. */
    final List<String> waits = new ArrayList<>();

    /** How many were to go for a pod, and whether they did, after how long. */
    final List<String> preemptions = new ArrayList<>();

    /** What plugins see of the pods that wait for permits. */
    WaitingPods waiting = WaitingPods.NONE;

    final Scheduler scheduler;
    private long now;

    PlayedScheduler() {
        this(SchedulerSettings.of(Set.of("Node"), 0));
    }

    PlayedScheduler(SchedulerSettings settings) {
        this(settings, FeatureGates.DEFAULTS);
    }

    PlayedScheduler(SchedulerSettings settings, FeatureGates gates) {
        this(settings, configured -> configured.featureGates(gates));
    }

    PlayedScheduler(UnaryOperator<SchedulerConfiguration.Builder> changes) {
        this(SchedulerSettings.of(Set.of("Node"), 0), changes);
    }

    PlayedScheduler(SchedulerSettings settings, UnaryOperator<SchedulerConfiguration.Builder> changes) {
        scheduler = new Scheduler(
                changes.apply(OneProfile.only("Scripted", "Patient", "Preparing").toBuilder())
                        .build(),
                new PluginRegistry(List.of(
                        PluginFactory.of(ScriptedPlugin.NAME, ScriptedPlugin.class, context -> {
                            waiting = context.waitingPods();
                            return plugin;
                        }),
                        PluginFactory.of("Patient", Patient.class, context -> new Patient(this)),
                        PluginFactory.of("Preparing", Preparing.class, context -> new Preparing(this)))),
                new FirstByName(),
                settings,
                commands::add,
                this,
                () -> now);
    }

    /** The cluster is known, with these nodes. */
    PlayedScheduler withNodes(String... names) {
        scheduler.handle(new Relist.Began("Node"));
        for (String name : names) {
            put(NodeBuilder.node(name).build());
        }
        scheduler.handle(new Relist.Ended("Node"));
        return this;
    }

    void put(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Put(object));
    }

    void remove(KubernetesObject object) {
        scheduler.handle(new ClusterEvent.Removed(object));
    }

    /** It is that second; what is due is done, and every pod whose turn it is gets it. */
    void at(double second) {
        is(second);
        scheduler.tick();
        schedule();
    }

    /** It is that second, and nobody has looked at the clock yet. */
    void is(double second) {
        now = Math.round(second * 1_000_000_000L);
    }

    void schedule() {
        while (scheduler.scheduleNext()) {
            // until it is nobody's turn
        }
    }

    double nextDeadline() {
        return scheduler.nextDeadline().orElseThrow() / 1e9;
    }

    QueueState stateOf(Pod pod) {
        return scheduler.queue().view().stream()
                .filter(view -> view.key().equals(pod.key()))
                .map(QueueEntryView::state)
                .findFirst()
                .orElseThrow();
    }

    /** Events, in words. */
    List<String> events() {
        return commands.stream()
                .filter(Command.RecordEvent.class::isInstance)
                .map(command -> ((Command.RecordEvent) command).event())
                .map(event -> event.reason() + " " + event.note())
                .toList();
    }

    /** Conditions, in words. */
    List<String> conditions() {
        return commands.stream()
                .filter(Command.PatchStatus.class::isInstance)
                .flatMap(command -> ((Command.PatchStatus) command).conditions().stream())
                .map(condition -> condition.reason() + " " + condition.message())
                .toList();
    }

    /** What the patches of status do to the nominated node. */
    List<Optional<String>> nominations() {
        return commands.stream()
                .filter(Command.PatchStatus.class::isInstance)
                .map(command -> ((Command.PatchStatus) command).nominatedNodeName())
                .toList();
    }

    List<Command.Bind> bindings() {
        return commands.stream()
                .filter(Command.Bind.class::isInstance)
                .map(Command.Bind.class::cast)
                .toList();
    }

    List<Command.Evict> evictions() {
        return commands.stream()
                .filter(Command.Evict.class::isInstance)
                .map(Command.Evict.class::cast)
                .toList();
    }

    void bindLast() {
        Command.Bind bind = bindings().getLast();
        bound(bind.pod(), bind.node());
    }

    void bound(Pod pod, String node) {
        scheduler.handle(new CommandResult.Bound(pod, node));
    }

    void failLast(CommandResult.BindFailure failure, String message) {
        Command.Bind bind = bindings().getLast();
        notBound(bind.pod(), bind.node(), failure, message);
    }

    void notBound(Pod pod, String node, CommandResult.BindFailure failure, String message) {
        scheduler.handle(new CommandResult.NotBound(pod, node, failure, message));
    }

    @Override
    public void handled(String event, long nanos) {
        handled.add(event);
    }

    @Override
    public void waitedForDevices(String profile, String driver, WaitResult result, long nanos) {
        waits.add(driver + " " + result);
    }

    @Override
    public void attempted(String profile, AttemptResult result, long nanos) {
        attempts.add(result.name().toLowerCase(Locale.ROOT) + " " + go(nanos));
    }

    @Override
    public void scheduled(Pod pod, int count, long nanosSinceFirstActive) {
        durations.add(pod.name() + " " + go(nanosSinceFirstActive));
    }

    @Override
    public void waitedOnPermit(Status.Code result, long nanos) {
        permitWaits.add(result.label() + " " + go(nanos));
    }

    @Override
    public void preempting(int victims) {
        preemptions.add("began " + victims);
    }

    @Override
    public void preempted(boolean success, long nanos) {
        preemptions.add((success ? "success " : "error ") + go(nanos));
    }

    private record Patient(PlayedScheduler test) implements PermitPlugin {
        @Override
        public String name() {
            return "Patient";
        }

        @Override
        public Result permit(CycleState state, PendingPod pod, NodeInfo node) {
            return test.patience;
        }
    }

    private record Preparing(PlayedScheduler test) implements PreparingPlugin {
        @Override
        public String name() {
            return "Preparing";
        }

        @Override
        public Optional<Preparation> prepare(CycleState state, PendingPod pod, String nodeName) {
            return test.preparation;
        }
    }

    private static String go(long nanos) {
        return GoDuration.format(Duration.ofNanos(nanos));
    }
}
