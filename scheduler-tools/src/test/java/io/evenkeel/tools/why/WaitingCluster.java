package io.evenkeel.tools.why;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.ReservePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.InTreePlugins;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A live scheduler and a server that keeps what is written of pods. What the server does with a pod its label {@code fate} says,
 * and what plugins do that are asked late.
 */
final class WaitingCluster {
    static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("waiting", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - schedulerName: evenkeel
          plugins: &plugins
            multiPoint:
              enabled:
              - name: PlacementPolicy
              - name: GangScheduling
              - name: Coscheduling
              - name: GroupPlacement
        - schedulerName: other
          plugins: *plugins
        extenders:
        - urlPrefix: http://gpus
          filterVerb: filter
          nodeCacheCapable: true
          managedResources:
          - name: example.com/gpu
            ignoredByScheduler: true
        """);

    static final PluginRegistry PLUGINS =
            InTreePlugins.registry().withInEveryProfile(PluginFactory.of("Late", Late.class, _ -> new Late()));

    private static final String FATE = "fate";

    /** Says no, or wait, once there is a node for a pod; before, it can only fail. */
    static final class Late implements DryRunPlugin, FilterPlugin, ReservePlugin, PermitPlugin {
        @Override
        public String name() {
            return "Late";
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            if (fateOf(pod.pod()).equals("filter-broken")) {
                throw new IllegalStateException("a filter is broken");
            }
            return Status.SUCCESS;
        }

        @Override
        public FilterDryRun dryRun(PodInfo pod) {
            return FilterDryRun.PASSES;
        }

        @Override
        public Status reserve(CycleState state, PendingPod pod, NodeInfo node) {
            return switch (fateOf(pod.pod())) {
                case "unreserved" -> Status.unschedulable("nothing is left to reserve");
                case "broken" -> throw new IllegalStateException("a plugin is broken");
                default -> Status.SUCCESS;
            };
        }

        @Override
        public void unreserve(CycleState state, PendingPod pod, String nodeName) {}

        @Override
        public Result permit(CycleState state, PendingPod pod, NodeInfo node) {
            return switch (fateOf(pod.pod())) {
                case "denied" -> new Result(Status.unschedulable("no permit for this one"), Duration.ZERO);
                case "permitted-late" -> new Result(new Status(Status.Code.WAIT, List.of()), Duration.ofMinutes(14));
                default -> Result.ALLOW;
            };
        }
    }

    private static String fateOf(Pod pod) {
        return pod.labels().getOrDefault(FATE, "");
    }

    final Scheduler scheduler;
    private final Map<String, KubernetesObject> stored = new LinkedHashMap<>();
    private final Deque<SchedulerEvent> mail = new ArrayDeque<>();
    private final ObjectReader reader;
    private long now;
    private long version;

    WaitingCluster() {
        scheduler = new Scheduler(
                CONFIGURATION,
                PLUGINS,
                new FirstByName(),
                SchedulerSettings.of(0),
                this::carryOut,
                SchedulerObserver.NONE,
                () -> now++);
        reader = new ObjectReader(Kinds.IN_TREE.with(scheduler.watchedKinds()));
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Began(kind.name())));
        scheduler.watchedKinds().forEach(kind -> scheduler.handle(new Relist.Ended(kind.name())));
    }

    /** As JSON, with ' for ". Namespaced objects are in the namespace default, and each has a UID. */
    void put(String kind, String name, String rest) {
        JsonObject object = new Gson().fromJson(("{" + rest + "}").replace('\'', '"'), JsonObject.class);
        object.addProperty("kind", kind);
        JsonObject meta = object.has("metadata") ? object.getAsJsonObject("metadata") : new JsonObject();
        object.add("metadata", meta);
        meta.addProperty("name", name);
        meta.addProperty("namespace", "default");
        meta.addProperty("uid", "uid-" + name + ++version);
        put(reader.read(object.toString()));
    }

    /** As it stands at the server from now on. */
    void put(KubernetesObject object) {
        stored.put(key(object), object);
        mail.add(new ClusterEvent.Put(object));
    }

    void remove(KubernetesObject object) {
        stored.remove(key(object));
        mail.add(new ClusterEvent.Removed(object));
    }

    private static String key(KubernetesObject object) {
        return object.kindName() + " " + object.meta().key();
    }

    /** All objects, as the server lists them. */
    List<KubernetesObject> all() {
        return List.copyOf(stored.values());
    }

    List<Pod> pods() {
        return stored.values().stream()
                .filter(Pod.class::isInstance)
                .map(Pod.class::cast)
                .toList();
    }

    Collection<Scheduler.OnItsWay> onTheirWay() {
        return scheduler.onTheirWay();
    }

    /** Time passes, a second at a time, and everybody has a turn. */
    void pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            now += 1_000_000_000L;
            deliver();
            scheduler.tick();
            while (scheduler.scheduleNext()) {
                deliver();
            }
            deliver();
        }
    }

    /** The news come, and nobody has a turn. */
    void deliver() {
        for (SchedulerEvent event = mail.poll(); event != null; event = mail.poll()) {
            scheduler.handle(event);
        }
    }

    private void carryOut(Command command) {
        if (!(stored.get("Pod " + command.pod().key()) instanceof Pod there)) {
            return;
        }
        switch (command) {
            case Command.Bind(var pod, var node, var _) -> bind(pod, there, node);
            case Command.PatchStatus patch -> put(patched(there, patch));
            case Command.Evict evict -> {
                mail.add(new CommandResult.Evicted(evict.pod()));
                put(PodBuilder.from(there).terminating(true).build());
            }
            case Command.Lookup(var pod) -> {
                if (!fateOf(pod).equals("binding-unclear")) {
                    mail.add(new CommandResult.Found(pod, Optional.of(there)));
                }
            }
            case Command.AskOfNodes(var pod, var nodes) -> {
                switch (fateOf(pod)) {
                    case "extenders-silent" -> {}
                    case "extenders-fail" ->
                        mail.add(new SchedulerEvent.ExtendersAnswered(pod, new Answer.Failed("the extender is down")));
                    default -> {
                        Map<String, Status> none = new LinkedHashMap<>();
                        nodes.forEach(node -> none.put(node.name(), Status.unschedulable("no free GPU")));
                        mail.add(new SchedulerEvent.ExtendersAnswered(
                                pod, new Answer.Advised(new ExtenderAdvice(Set.of(), none, Map.of()))));
                    }
                }
            }
            case Command.WriteObject(var pod, var patch, var _) -> {
                if (fateOf(pod).equals("written")) {
                    write(patch);
                    mail.add(new CommandResult.Written(pod)); // and nobody makes the volume
                }
            }
            case Command.AskOfVictims _, Command.PatchGroup _, Command.RecordEvent _, Command.RecordGroupEvent _ -> {}
        }
    }

    private void write(ObjectPatch patch) {
        KubernetesObject there =
                stored.get(patch.kind().name() + " " + patch.object().key());
        JsonObject object = new Gson().fromJson(new ObjectWriter().json(there), JsonObject.class);
        String changes =
                new Tree().put("changes", patch.changes()).json().replace("\"NOW\"", "\"2026-01-01T00:00:00Z\"");
        merge(object, new Gson().fromJson(changes, JsonObject.class).getAsJsonObject("changes"));
        put(reader.read(object.toString()));
    }

    private static void merge(JsonObject into, JsonObject patch) {
        patch.entrySet().forEach(change -> {
            if (change.getValue() instanceof JsonObject inner
                    && into.get(change.getKey()) instanceof JsonObject there) {
                merge(there, inner);
            } else {
                into.add(change.getKey(), change.getValue());
            }
        });
    }

    private void bind(Pod pod, Pod there, String node) {
        switch (fateOf(pod)) {
            case "binding-silent" -> {}
            case "binding-unseen" -> mail.add(new CommandResult.Bound(pod, node));
            case "binding-unclear" ->
                mail.add(new CommandResult.NotBound(pod, node, BindFailure.UNKNOWN, "no answer in time"));
            case "binding-refused" ->
                mail.add(new CommandResult.NotBound(pod, node, BindFailure.FAILED, "the server will not have it"));
            case "binding-rejected" ->
                mail.add(new CommandResult.NotBound(pod, node, BindFailure.REJECTED, "a plugin turned it away late"));
            default -> {
                put(PodBuilder.from(there).nodeName(node).build());
                mail.add(new CommandResult.Bound(pod, node));
            }
        }
    }

    private static Pod patched(Pod there, Command.PatchStatus patch) {
        PodStatusBuilder status = PodStatusBuilder.from(there.status());
        patch.conditions().stream()
                .filter(condition -> condition.type().equals(PodCondition.POD_SCHEDULED))
                .forEach(status::scheduled);
        patch.nominatedNodeName().ifPresent(status::nominatedNodeName);
        return PodBuilder.from(there).status(status.build()).build();
    }

    String uidOf(String kind, String name) {
        KubernetesObject object = stored.get(kind + " default/" + name);
        return object == null ? "" : object.meta().uid();
    }
}
