package io.evenkeel.groups.turn;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PluginFactory;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.engine.group.GroupObserver;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.model.GroupCondition;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A live scheduler with the default plugins and one that places groups, and a server that binds at once. No pod is tried again
 * unless something wakes it.
 */
final class LiveScene implements SchedulerObserver, GroupObserver {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final String HOST = "kubernetes.io/hostname";

    /** Where each pod was bound. */
    final Map<String, String> places = new LinkedHashMap<>();

    /** Who was asked to go. */
    final List<String> evicted = new ArrayList<>();

    final List<Command> commands = new ArrayList<>();
    final List<Finding> findings = new ArrayList<>();
    final List<GangResult> gangs = new ArrayList<>();
    final List<Integer> degraded = new ArrayList<>();
    /** Gangs that have become degraded or are so no longer, in words. */
    final List<String> toldOf = new ArrayList<>();
    /** Whether the scheduler has asked who observes groups. */
    boolean tellsOfGroups;
    /** How often the pods of a gang were looked into. */
    int gangsLookedInto;
    /** Pods whose binding the server refuses. */
    Predicate<Pod> refused = _ -> false;
    /** Pods whose binding gets no answer yet. */
    Predicate<Pod> slow = _ -> false;

    /** Pods whose eviction gets no answer yet. */
    Predicate<Pod> staying = _ -> false;
    /** What plugins threw, and at which pod, where it is expected that one does. */
    final List<String> faults = new ArrayList<>();

    boolean expectsFaults;

    /** How long it takes to look at the clock. */
    long nanosAGlance;
    /** How long it took to look into groups, by that clock. */
    long nanosOfLooks;
    /** How long it takes by the clock to plan a group. */
    long nanosAPlan;
    /** How long it takes by the clock to look into a gang. */
    long nanosAGang;
    /** How long turns of gangs took by that clock. */
    long nanosOfGangs;

    final Scheduler scheduler;
    private final Map<String, Pod> pods = new LinkedHashMap<>();
    private long now;

    LiveScene(long seed, String plugin, String args) {
        this(
                seed,
                profile(
                        "multiPoint: {enabled: [{name: %s}]}".formatted(plugin),
                        "{name: %s, args: %s}".formatted(plugin, args)),
                List.of());
    }

    private LiveScene(long seed, String configuration, List<PluginFactory> more) {
        scheduler = new Scheduler(
                new ConfigurationReader().read("test", """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    """ + configuration),
                InTreePlugins.registry().with(more),
                new AtRandom(new Random(seed)),
                SchedulerSettings.of(Set.of("Node"), 0).withLongestUnschedulable(Duration.ofDays(1)),
                this::carryOut,
                this,
                () -> now += nanosAGlance);
    }

    private static String profile(String plugins, String config) {
        return """
            profiles:
            - plugins: {%s}
              pluginConfig: [%s]
            """.formatted(plugins, config);
    }

    /** With some of the rest of a configuration, and plugins of its own. */
    static LiveScene configured(String configuration, PluginFactory... more) {
        return new LiveScene(1, configuration, List.of(more));
    }

    static LiveScene lookingAhead(long seed) {
        return new LiveScene(seed, "GroupPlacement", "{}");
    }

    /** With another plugin for groups. */
    static LiveScene of(String plugin, List<NodeBuilder> nodes) {
        return new LiveScene(1, plugin, "{}").with(nodes);
    }

    LiveScene with(List<NodeBuilder> nodes) {
        scheduler.handle(new Relist.Began("Node"));
        nodes.forEach(node -> put(node.build()));
        scheduler.handle(new Relist.Ended("Node"));
        return this;
    }

    static NodeBuilder node(String name, int room) {
        return NodeBuilder.node(name).hostname(name).allocatable("cpu", "64", "pods", Integer.toString(room));
    }

    /** Racks and rows, one place a node. */
    static List<NodeBuilder> grid(int racks, int rows) {
        List<NodeBuilder> nodes = new ArrayList<>();
        for (int rack = 0; rack < racks; rack++) {
            for (int row = 0; row < rows; row++) {
                nodes.add(node("n" + rack + row, 1).label("rack", "r" + rack).label("row", "w" + row));
            }
        }
        return nodes;
    }

    static TopologySpreadConstraint spread(int maxSkew, String key) {
        return new TopologySpreadConstraint(
                maxSkew,
                key,
                WhenUnsatisfiable.DO_NOT_SCHEDULE,
                LabelSelector.matchingLabels(Labels.of("app", "web")),
                1,
                TopologySpreadConstraint.NodeInclusionPolicy.HONOR,
                TopologySpreadConstraint.NodeInclusionPolicy.IGNORE,
                List.of());
    }

    static WorkloadOwner replicaSet(String name, int replicas) {
        ObjectMeta meta =
                new ObjectMeta("default", name, name + "-uid", Labels.EMPTY, java.util.Optional.empty(), false);
        return new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET, meta, LabelSelector.matchingLabels(Labels.of("app", "web")), replicas);
    }

    static PodBuilder podOf(String owner, int number) {
        return PodBuilder.pod(owner + "-" + number)
                .uid(owner + "-" + number + "-uid")
                .label("app", "web")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", owner, owner + "-uid"));
    }

    void put(KubernetesObject object) {
        if (object instanceof Pod pod) {
            pods.put(pod.key(), pod);
        }
        scheduler.handle(new ClusterEvent.Put(object));
    }

    void remove(KubernetesObject object) {
        if (object instanceof Pod pod) {
            pods.remove(pod.key());
            places.remove(pod.name());
        }
        scheduler.handle(new ClusterEvent.Removed(object));
    }

    Pod pod(String name) {
        return pods.get("default/" + name);
    }

    long now() {
        return now;
    }

    /** Lets time pass, a second at a time, and every pod have its turn. */
    void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += 1_000_000_000L;
            scheduler.tick();
            schedule();
        }
    }

    /** The same at once, so that whoever backs off no longer has one turn. */
    void later(int seconds) {
        now += seconds * 1_000_000_000L;
        scheduler.tick();
        schedule();
    }

    void schedule() {
        while (scheduler.scheduleNext()) {
            deliver();
        }
        deliver();
    }

    private final List<Runnable> answers = new ArrayList<>();

    void deliver() {
        while (!answers.isEmpty()) {
            answers.removeFirst().run();
        }
        assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
    }

    private void carryOut(Command command) {
        commands.add(command);
        if (command instanceof Command.Bind bind && !slow.test(bind.pod())) {
            answers.add(() -> answer(bind));
        }
        if (command instanceof Command.Evict evict) {
            evicted.add(evict.pod().name());
            if (staying.test(evict.pod())) {
                return;
            }
            answers.add(() -> {
                scheduler.handle(new CommandResult.Evicted(evict.pod()));
                put(PodBuilder.from(pods.get(evict.pod().key()))
                        .terminating(true)
                        .build());
            });
        }
    }

    void answer(Command.Bind bind) {
        if (refused.test(bind.pod())) {
            scheduler.handle(new CommandResult.NotBound(
                    bind.pod(), bind.node(), CommandResult.BindFailure.FAILED, "webhook says no"));
            return;
        }
        places.put(bind.pod().name(), bind.node());
        scheduler.handle(new CommandResult.Bound(bind.pod(), bind.node()));
        put(PodBuilder.from(pods.get(bind.pod().key())).nodeName(bind.node()).build());
    }

    /** The last condition of each pod that waits, in words. */
    Map<String, String> conditions() {
        Map<String, String> last = new LinkedHashMap<>();
        for (Command command : commands) {
            if (command instanceof Command.PatchStatus patch) {
                patch.conditions().forEach(condition -> last.put(patch.pod().name(), condition.message()));
            }
        }
        last.keySet().removeAll(places.keySet());
        return last;
    }

    /** The conditions that were written of groups, each as it was written. */
    List<GroupCondition> groupConditions() {
        return commands.stream()
                .filter(Command.PatchGroup.class::isInstance)
                .map(command -> ((Command.PatchGroup) command).condition())
                .toList();
    }

    @Override
    public GroupObserver groups() {
        tellsOfGroups = true;
        return this;
    }

    @Override
    public void lookedInto(Finding finding, int count, long steps, long nanos) {
        findings.add(finding);
        nanosOfLooks += nanos;
        now += nanosAPlan;
    }

    @Override
    public void gangTried(String profile, GangResult result, long nanos) {
        gangs.add(result);
        nanosOfGangs += nanos;
    }

    @Override
    public void degraded(int gangsNow) {
        degraded.add(gangsNow);
    }

    @Override
    public void becameDegraded(GroupKey gang, int inPlace, int needed) {
        toldOf.add(gang + ": " + inPlace + " of " + needed);
    }

    @Override
    public void recovered(GroupKey gang, int inPlace) {
        toldOf.add(gang + ": " + inPlace);
    }

    @Override
    public void lookedIntoGang(long nanos) {
        gangsLookedInto++;
        now += nanosAGang;
    }

    @Override
    public void faulted(Pod pod, RuntimeException fault) {
        if (!expectsFaults) {
            throw fault;
        }
        faults.add(pod.name() + ": " + fault.getMessage());
    }
}
