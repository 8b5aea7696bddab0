package io.evenkeel.app.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.api.Status;
import io.evenkeel.app.record.RecordFiles.Disk;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.engine.decision.Question.Answer.ExtenderAdvice;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotation;
import io.evenkeel.tools.rerun.RecordReplay;
import io.evenkeel.tools.simulate.SimulatedPods;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.PodReport.State;
import io.evenkeel.tools.why.Requester;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Features that are enabled together and used together, each pair of them with chance others: once a small cluster has come to rest,
 * what the scheduler holds of each pod, its condition, {@code why}, {@code simulate} and the replay of the record say the same.
 * Each commit plays a third of the pairs on other clusters; {@code -Devenkeel.seed=N} plays all pairs on those of a failure.
 */
class CrossedFeaturesTest {
    private static final long SEED = Long.getLong("evenkeel.seed", Rotation.commit());
    private static final int PARTS = 3;
    private static final int MOST_NODES = 6;
    private static final long SECOND = 1_000_000_000L;
    /** Longer than a pod may wait without another attempt, and than its longest backoff. */
    private static final int UNTIL_REST = 700;

    private static final PluginRegistry PLUGINS = InTreePlugins.registry();
    private static final Gson GSON = new Gson();

    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("crossed", """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - schedulerName: evenkeel
          plugins:
            multiPoint:
              enabled:
              - name: PlacementPolicy
              - name: GangScheduling
              - name: Coscheduling
              - name: GroupPlacement
        extenders:
        - urlPrefix: http://gpus
          filterVerb: filter
          nodeCacheCapable: true
          managedResources:
          - name: example.com/gpu
            ignoredByScheduler: true
        """);

    /** What a workload's pods may use; each adds to the workload's objects and to the spec of its pods. */
    private enum Feature {
        GANG,
        COSCHEDULED,
        LOOK_AHEAD,
        POLICY,
        PRIORITY,
        VOLUME,
        GATE,
        EXTENDER,
        SPREAD,
        NEIGHBOURS,
        NO_LABEL
    }

    @TempDir
    private Path directory;

    @Test
    void ofEachPairOfFeaturesAllThatIsSaidAgrees() throws IOException {
        SplittableRandom random = new SplittableRandom(SEED);
        int placed = 0;
        int waiting = 0;
        int pairs = 0;
        int played = 0;
        Feature[] all = Feature.values();
        for (int one = 0; one < all.length; one++) {
            for (int other = one + 1; other < all.length; other++) {
                long seed = random.nextLong();
                if (!Rotation.plays(pairs++, PARTS)) {
                    continue;
                }
                played++;
                Cluster cluster = new Cluster(seed, directory.resolve(one + "-" + other), all[one], all[other]);
                cluster.rest();
                cluster.check("-Devenkeel.seed=" + SEED + ", " + all[one] + " with " + all[other]);
                placed += cluster.placed;
                waiting += cluster.waiting;
            }
        }
        int least = 20 * played / pairs;
        assertThat(List.of(placed, waiting)).allMatch(some -> some > least);
    }

    /** A recorded scheduler and a server that does at once what it is asked for. */
    private static final class Cluster {
        private final SplittableRandom random;
        private final Path directory;
        private final RecordedScheduler recorded;
        private final ObjectReader reader;
        private final Map<String, KubernetesObject> stored = new LinkedHashMap<>();
        private final List<Pod> leaving = new ArrayList<>();
        private final int nodes;
        private final boolean extendersAgree;
        private int version;
        int placed;
        int waiting;

        Cluster(long seed, Path directory, Feature one, Feature other) {
            random = new SplittableRandom(seed);
            this.directory = directory;
            recorded = new RecordedScheduler(
                    "crossed",
                    random.split(),
                    new RecordOptions(directory, RecordOptions.USUAL_LIMIT, "test"),
                    Disk.REAL,
                    RecordedScheduler.MANY,
                    RecordedScheduler.SEED,
                    CONFIGURATION,
                    this::carryOut);
            reader = new ObjectReader(Kinds.IN_TREE.with(recorded.scheduler.watchedKinds()));
            recorded.scheduler.watchedKinds().forEach(kind -> recorded.mail.add(new Relist.Began(kind.name())));
            recorded.scheduler.watchedKinds().forEach(kind -> recorded.mail.add(new Relist.Ended(kind.name())));
            nodes = 1 + random.nextInt(MOST_NODES);
            extendersAgree = random.nextBoolean();
            for (int node = 0; node < nodes; node++) {
                put(
                        "Node",
                        "n" + node,
                        Map.of(
                                "metadata",
                                        Map.of(
                                                "labels",
                                                Map.of(
                                                        "kubernetes.io/hostname",
                                                        "n" + node,
                                                        "topology.kubernetes.io/zone",
                                                        "z" + node % 3)),
                                "status",
                                        Map.of(
                                                "allocatable",
                                                Map.of("cpu", "" + (2 + random.nextInt(3)), "pods", "6"))));
            }
            put(
                    "StorageClass",
                    "local",
                    Map.of("provisioner", "kubernetes.io/no-provisioner", "volumeBindingMode", "WaitForFirstConsumer"));
            workload("both", random.nextBoolean() ? EnumSet.of(one, other) : EnumSet.of(one, other, any()));
            workload("first", EnumSet.of(one, any()));
            workload("other", EnumSet.of(other, any()));
        }

        private Feature any() {
            List<Feature> all = List.of(Feature.values());
            return all.get(random.nextInt(all.size()));
        }

        private void workload(String name, Set<Feature> features) {
            int replicas = 1 + random.nextInt(4);
            JsonObject meta = tree(Map.of("labels", Map.of("app", name)));
            JsonObject spec = tree(Map.of("schedulerName", "evenkeel", "priority", 0));
            JsonObject requests = tree(Map.of("cpu", (1 + random.nextInt(4)) + "00m"));
            if (random.nextInt(3) == 0) {
                requests.addProperty("cpu", 1 + random.nextInt(3));
            }
            for (Feature feature : features) {
                switch (feature) {
                    case GANG -> {
                        put(
                                "PodGroup",
                                name,
                                Map.of(
                                        "apiVersion",
                                        "scheduling.k8s.io/v1beta1",
                                        "spec",
                                        Map.of(
                                                "schedulingPolicy",
                                                Map.of(
                                                        "gang",
                                                        Map.of(
                                                                "minCount",
                                                                Math.max(
                                                                        1,
                                                                        replicas
                                                                                - random.nextInt(2)
                                                                                + random.nextInt(2)))))));
                        spec.add("schedulingGroup", tree(Map.of("podGroupName", name)));
                    }
                    case COSCHEDULED -> {
                        put(
                                "PodGroup",
                                name,
                                Map.of(
                                        "apiVersion",
                                        "scheduling.x-k8s.io/v1alpha1",
                                        "spec",
                                        Map.of("minMember", Math.max(1, replicas - random.nextInt(2)))));
                        meta.getAsJsonObject("labels").addProperty("scheduling.x-k8s.io/pod-group", name);
                    }
                    case LOOK_AHEAD -> {
                        put(
                                "ReplicaSet",
                                name,
                                Map.of(
                                        "apiVersion",
                                        "apps/v1",
                                        "spec",
                                        Map.of("replicas", replicas, "selector", selector(name))));
                        meta.add(
                                "annotations",
                                tree(Map.of(
                                        "evenkeel.io/group-placement", random.nextBoolean() ? "look-ahead" : "gang")));
                        meta.add(
                                "ownerReferences",
                                array(Map.of(
                                        "apiVersion",
                                        "apps/v1",
                                        "kind",
                                        "ReplicaSet",
                                        "controller",
                                        true,
                                        "name",
                                        name,
                                        "uid",
                                        stored.get("WorkloadOwner ReplicaSet default/" + name)
                                                .meta()
                                                .uid())));
                    }
                    case POLICY ->
                        put(
                                "PlacementPolicy",
                                name,
                                Map.of(
                                        "apiVersion",
                                        "evenkeel.io/v1alpha1",
                                        "spec",
                                        Map.of(
                                                "selector", selector(name),
                                                "rules",
                                                        List.of(Map.of(
                                                                "topologyKey",
                                                                random.nextBoolean()
                                                                        ? "kubernetes.io/hostname"
                                                                        : "topology.kubernetes.io/zone",
                                                                random.nextBoolean() ? "maxPods" : "maxDomains",
                                                                1 + random.nextInt(2))))));
                    case PRIORITY -> spec.addProperty("priority", 10 * (1 + random.nextInt(2)));
                    case VOLUME -> {
                        if (random.nextInt(4) > 0) {
                            volume(name);
                        }
                        spec.add(
                                "volumes",
                                array(Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", name))));
                    }
                    case GATE -> spec.add("schedulingGates", array(Map.of("name", "example.com/wait")));
                    case EXTENDER -> requests.addProperty("example.com/gpu", "1");
                    case SPREAD ->
                        spec.add(
                                "topologySpreadConstraints",
                                array(Map.of(
                                        "maxSkew",
                                        1,
                                        "topologyKey",
                                        random.nextBoolean() ? "kubernetes.io/hostname" : "topology.kubernetes.io/zone",
                                        "whenUnsatisfiable",
                                        "DoNotSchedule",
                                        "labelSelector",
                                        selector(name))));
                    case NEIGHBOURS ->
                        affinity(spec)
                                .add(
                                        random.nextBoolean() ? "podAffinity" : "podAntiAffinity",
                                        tree(Map.of(
                                                "requiredDuringSchedulingIgnoredDuringExecution",
                                                List.of(Map.of(
                                                        "labelSelector",
                                                        selector(random.nextBoolean() ? name : "first"),
                                                        "topologyKey",
                                                        "kubernetes.io/hostname")))));
                    case NO_LABEL ->
                        affinity(spec)
                                .add(
                                        "nodeAffinity",
                                        tree(Map.of(
                                                "preferredDuringSchedulingIgnoredDuringExecution",
                                                List.of(Map.of(
                                                        "weight",
                                                        1,
                                                        "preference",
                                                        ofHost(random.nextBoolean() ? "?" : "n0"))))));
                }
            }
            spec.add(
                    "containers",
                    array(Map.of("name", "c", "resources", Map.of("requests", requests, "limits", requests))));
            for (int i = 0; i < replicas; i++) {
                put(
                        "Pod",
                        name + "-" + i,
                        Map.of("metadata", meta, "spec", spec, "status", Map.of("phase", "Pending")));
                for (int turn = random.nextInt(3); turn > 0; turn--) {
                    pass();
                }
            }
        }

        private void volume(String name) {
            boolean bound = random.nextInt(4) > 0;
            put(
                    "PersistentVolumeClaim",
                    name,
                    Map.of(
                            "metadata",
                                    Map.of(
                                            "annotations",
                                            bound ? Map.of("pv.kubernetes.io/bind-completed", "yes") : Map.of()),
                            "spec",
                                    Map.of(
                                            "accessModes",
                                            List.of("ReadWriteOnce"),
                                            "storageClassName",
                                            "local",
                                            "resources",
                                            Map.of("requests", Map.of("storage", "1Gi")),
                                            "volumeName",
                                            bound ? name : "")));
            if (bound) {
                put(
                        "PersistentVolume",
                        name,
                        Map.of(
                                "spec",
                                        Map.of(
                                                "capacity",
                                                Map.of("storage", "1Gi"),
                                                "accessModes",
                                                List.of("ReadWriteOnce"),
                                                "storageClassName",
                                                "local",
                                                "local",
                                                Map.of("path", "/d"),
                                                "claimRef",
                                                Map.of("namespace", "default", "name", name),
                                                "nodeAffinity",
                                                Map.of(
                                                        "required",
                                                        Map.of(
                                                                "nodeSelectorTerms",
                                                                List.of(ofHost("n" + random.nextInt(nodes + 1)))))),
                                "status", Map.of("phase", "Bound")));
            }
        }

        private static JsonObject affinity(JsonObject spec) {
            if (!spec.has("affinity")) {
                spec.add("affinity", new JsonObject());
            }
            return spec.getAsJsonObject("affinity");
        }

        private static Map<String, Object> selector(String name) {
            return Map.of("matchLabels", Map.of("app", name));
        }

        /** A node selector's term that wants a node of that host name. */
        private static Map<String, ?> ofHost(String value) {
            return Map.of(
                    "matchExpressions",
                    List.of(Map.of("key", "kubernetes.io/hostname", "operator", "In", "values", List.of(value))));
        }

        private static JsonObject tree(Map<String, ?> map) {
            return GSON.toJsonTree(map).getAsJsonObject();
        }

        private static JsonArray array(Map<String, ?> only) {
            return GSON.toJsonTree(List.of(only)).getAsJsonArray();
        }

        private void put(String kind, String name, Map<String, ?> rest) {
            JsonObject object = tree(rest).deepCopy();
            object.addProperty("kind", kind);
            JsonElement given = object.get("metadata");
            JsonObject meta = given == null ? new JsonObject() : given.getAsJsonObject();
            object.add("metadata", meta);
            meta.addProperty("name", name);
            meta.addProperty("namespace", "default");
            meta.addProperty("uid", "uid-" + ++version);
            meta.addProperty("creationTimestamp", "2026-11-25T08:00:00Z");
            put(reader.read(object.toString()));
        }

        private void put(KubernetesObject object) {
            stored.put(key(object), object);
            recorded.mail.add(new ClusterEvent.Put(object));
        }

        private static String key(KubernetesObject object) {
            return object.getClass().getSimpleName() + " " + object.kindName() + " "
                    + object.meta().key();
        }

        private void carryOut(Command command) {
            if (!(stored.get(key(command.pod())) instanceof Pod there)) {
                return;
            }
            switch (command) {
                case Command.Bind(var pod, var node, var _) -> {
                    recorded.mail.add(new CommandResult.Bound(pod, node));
                    put(PodBuilder.from(there).nodeName(node).build());
                }
                case Command.PatchStatus patch -> {
                    PodStatusBuilder status = PodStatusBuilder.from(there.status());
                    patch.conditions().stream()
                            .filter(condition -> condition.type().equals(PodCondition.POD_SCHEDULED))
                            .forEach(status::scheduled);
                    patch.nominatedNodeName().ifPresent(status::nominatedNodeName);
                    put(PodBuilder.from(there).status(status.build()).build());
                }
                case Command.Evict evict -> {
                    recorded.mail.add(new CommandResult.Evicted(evict.pod()));
                    put(PodBuilder.from(there).terminating(true).build());
                    leaving.add(there);
                }
                case Command.Lookup(var pod) -> recorded.mail.add(new CommandResult.Found(pod, Optional.of(there)));
                case Command.AskOfNodes(var pod, var asked) -> {
                    Set<String> left = new HashSet<>();
                    Map<String, Status> none = new LinkedHashMap<>();
                    for (Node node : asked) {
                        if (extendersAgree || node.name().equals("n0")) {
                            left.add(node.name());
                        } else {
                            none.put(node.name(), Status.unschedulable("no free GPU"));
                        }
                    }
                    recorded.mail.add(new SchedulerEvent.ExtendersAnswered(
                            pod, new Answer.Advised(new ExtenderAdvice(left, none, Map.of()))));
                }
                case Command.WriteObject _,
                        Command.AskOfVictims _,
                        Command.PatchGroup _,
                        Command.RecordEvent _,
                        Command.RecordGroupEvent _ -> {}
            }
        }

        /** A second passes, and those who were asked to go are gone. */
        private void pass() {
            recorded.pass(SECOND);
            for (Pod gone : leaving) {
                KubernetesObject last = stored.remove(key(gone));
                if (last != null) {
                    recorded.mail.add(new ClusterEvent.Removed(last));
                }
            }
            leaving.clear();
            do {
                recorded.turn();
            } while (!recorded.mail.isEmpty());
        }

        /** Until each pod that waits has been tried on the cluster as it is. */
        void rest() {
            for (int second = 0; second < UNTIL_REST; second++) {
                pass();
            }
        }

        private List<Pod> pods() {
            return stored.values().stream()
                    .filter(Pod.class::isInstance)
                    .map(Pod.class::cast)
                    .toList();
        }

        void check(String as) throws IOException {
            List<KubernetesObject> known = recorded.scheduler.known();
            ClusterQuestions questions = new ClusterQuestions(CONFIGURATION, PLUGINS, Judgement.OWN, (_, _) -> {});
            questions.tell(known);
            SimulatedPods simulated = SimulatedPods.of(stored.values(), CONFIGURATION, PLUGINS);
            recorded.end();
            RecordReplay replay = RecordReplay.run(directory, Optional.empty(), InTreePlugins.registry(), "test");
            assertThat(replay.lines().getLast()).as(as).startsWith("All as recorded, hash ");
            // simulate says that extenders are taken to agree: where one that does not would change something, it is
            // not compared
            boolean isGuessed = pods().stream()
                    .anyMatch(pod -> simulated.placed().contains(pod.key()) && CONFIGURATION.needsExtenders(pod));
            assertThat(isGuessed && extendersAgree).as(as).isFalse();
            Optional<SimulatedPods> compared = isGuessed ? Optional.empty() : Optional.of(simulated);
            for (Pod pod : pods()) {
                check(as + ", " + pod.key() + ", " + pod.status().scheduled(), pod, questions, compared, replay);
            }
            compared.ifPresent(outcome -> assertThat(outcome.evicted()).as(as).isEmpty());
        }

        private void check(
                String as, Pod pod, ClusterQuestions questions, Optional<SimulatedPods> simulated, RecordReplay replay)
                throws IOException {
            PodReport why = questions
                    .about(pod.key(), recorded.scheduler.onTheirWay(), Requester.OPERATOR)
                    .orElseThrow();
            PodReport replayed = replay.why(pod.key(), (_, _) -> {}).orElseThrow();
            Optional<String> simulates = simulated.map(outcome -> outcome.said().get(pod.key()));
            assertThat(simulates.isPresent()).as(as).isEqualTo(simulated.isPresent() && !pod.isPlaced());
            assertThat(replayed.state()).as(as).isEqualTo(why.state());
            assertThat(replayed.remarks()).as(as).isEqualTo(why.remarks());
            if (pod.isPlaced()) {
                placed++;
                assertThat(why.state())
                        .as(as)
                        .isInstanceOfSatisfying(
                                State.InPlace.class,
                                there -> assertThat(there.placement().node())
                                        .isEqualTo(pod.spec().nodeName()));
                return;
            }
            waiting++;
            if (recorded.scheduler.queue().view(pod.key()).orElseThrow().state() == QueueState.GATED) {
                assertThat(why.state()).as(as).isInstanceOf(State.Held.class);
            } else if (CONFIGURATION.needsExtenders(pod) && !saysShown(pod, why)) {
                assertThat(why.tree().json())
                        .as(as)
                        .containsIgnoringCase("extenders have a say in it, and are not asked here");
                return;
            } else {
                assertThat(saysShown(pod, why)).as(as + " " + why).isTrue();
            }
            String reason = why.state().reason().orElseThrow();
            simulates.ifPresent(said -> assertThat(said).as(as).contains(reason));
        }

        private static boolean saysShown(Pod pod, PodReport why) {
            String shown = pod.status().scheduled().map(PodCondition::message).orElse("");
            return why.state().reason().filter(shown::startsWith).isPresent();
        }
    }
}
