package io.evenkeel.e2e.simulate;

import static io.evenkeel.e2e.scene.Eventually.eventually;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import io.evenkeel.app.cli.ClusterListing;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.SchedulerConfiguration.LeaderElection;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.hollow.Faults.HeldRequests;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.controller.HollowWorld.HollowControllers;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/** A hollow cluster in which a scene is lived: controllers make pods, the live scheduler places them, the test is their kubelet. */
final class LivedScene implements AutoCloseable {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private final CompatibilityLevel level;
    private final HollowCluster hollow;
    private final HollowControllers controllers;
    private final Path kubeconfig;
    private int started;

    LivedScene(Path folder, CompatibilityLevel level) throws IOException {
        this.level = level;
        hollow = HollowCluster.start(HollowOptions.DEFAULT.plainHttp().ofRelease(level.toString()));
        controllers = HollowControllers.start(hollow);
        kubeconfig = hollow.writeKubeconfig(folder.resolve("kubeconfig"));
    }

    Path kubeconfig() {
        return kubeconfig;
    }

    void create(List<String> objects) {
        objects.forEach(hollow.objects()::create);
    }

    /** Cordons the node and has its pods go. */
    void drain(String node) {
        hollow.objects().patch(ResourceTable.NODES, "", node, """
            {"spec":{"unschedulable":true,"taints":[{"key":"node.kubernetes.io/unschedulable","effect":"NoSchedule"}]}}\
            """);
        clear(node);
    }

    /** Takes the node away, and its pods. */
    void lose(String node) {
        hollow.objects().delete(ResourceTable.NODES, "", node);
        clear(node);
    }

    private void clear(String node) {
        for (JsonObject pod : pods()) {
            if (text(pod, "spec", "nodeName").equals(node)) {
                hollow.objects().deleteNow(ResourceTable.PODS, "default", name(pod));
            }
        }
    }

    /** All objects of these kinds, as a client of the server has them. */
    List<KubernetesObject> objects(List<Kind<?>> kinds) throws InterruptedException {
        try (HttpTransport transport = connected()) {
            return ClusterListing.of(kinds, transport, _ -> {}).objects();
        }
    }

    private HttpTransport connected() {
        return HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "e2e", ApiObserver.NONE);
    }

    /** Waits until controllers have made so many pods. */
    void awaitPods(int count) {
        eventually("there are " + count + " pods").until(() -> pods().size() == count);
    }

    /** Waits until each pod has the claims that it has templates for, and there are no others. */
    void awaitClaims() {
        eventually("claims are made").until(() -> {
            List<JsonObject> claiming = pods().stream()
                    .filter(pod -> pod.getAsJsonObject("spec").has("resourceClaims"))
                    .toList();
            return claiming.stream()
                            .allMatch(pod -> pod.getAsJsonObject("status").has("resourceClaimStatuses"))
                    && hollow.objects()
                                    .list(ResourceTable.RESOURCE_CLAIMS, "default")
                                    .size()
                            == claiming.size();
        });
    }

    /** Where the pods are, or why nowhere, in words or not, by the app that they are of; those that were placed before are left out. */
    Map<String, List<String>> places(Set<String> placedBefore, boolean withWords) {
        Map<String, List<String>> places = new TreeMap<>();
        for (JsonObject pod : pods()) {
            if (!placedBefore.contains(text(pod, "metadata", "uid"))) {
                String node = text(pod, "spec", "nodeName");
                places.computeIfAbsent(text(pod, "metadata", "labels", "app"), _ -> new ArrayList<>())
                        .add(!node.isEmpty() ? node : withWords ? message(pod) : "waits");
            }
        }
        places.values().forEach(of -> of.sort(null));
        return places;
    }

    /** The node of each pod, or why it has none. */
    Map<String, String> placesByPod() {
        Map<String, String> places = new TreeMap<>();
        for (JsonObject pod : pods()) {
            String node = text(pod, "spec", "nodeName");
            places.put("default/" + name(pod), node.isEmpty() ? message(pod) : node);
        }
        return places;
    }

    /** The UIDs of the pods that are on nodes. */
    Set<String> placed() {
        Set<String> placed = new HashSet<>();
        pods().stream()
                .filter(pod -> !text(pod, "spec", "nodeName").isEmpty())
                .forEach(pod -> placed.add(text(pod, "metadata", "uid")));
        return placed;
    }

    int count() {
        return pods().size();
    }

    /**
     * The scheduler begins, and ends when nothing is left for it to do. Pods with a gate take turns, last of all; volumes are made once
     * all pods have been tried.
     */
    void schedule() {
        SchedulerConfiguration configuration = UsualProfiles.OF_A_CLUSTER.toBuilder()
                .featureGates(FeatureGates.DEFAULTS.at(level))
                .leaderElection(notElected())
                .build();
        try (HttpTransport transport = connected();
                LiveScheduler live = LiveScheduler.assemble(
                        configuration, transport, LiveOptions.usual("e2e"), LiveObservers.NONE, new FirstOfEquals())) {
            HeldRequests held = hollow.faults().hold(new RequestMatch("*", "pods"));
            live.begin();
            int nodes = hollow.objects().list(ResourceTable.NODES, "").size();
            eventually("nodes are known before pods, in the order of their names")
                    .until(() -> nodes
                            == ask(
                                    live,
                                    scheduler -> scheduler.cluster().nodes().count()));
            controllers.holdVolumes();
            held.letOn();
            eventually("all pods have been tried").until(() -> isAtRest(live, true));
            for (String gated : gated()) {
                hollow.objects().patch(ResourceTable.PODS, "default", gated, "{\"spec\":{\"schedulingGates\":null}}");
                eventually("pod " + gated + " has been tried").until(() -> isAtRest(live, true));
            }
            controllers.letVolumesOn();
            eventually("all pods are placed, or known to fit nowhere").until(() -> isAtRest(live, false));
            live.stop(Duration.ofMinutes(10));
        }
    }

    private static LeaderElection notElected() {
        LeaderElection usual = LeaderElection.defaults();
        return new LeaderElection(
                false,
                usual.leaseDuration(),
                usual.renewDeadline(),
                usual.retryPeriod(),
                usual.resourceLock(),
                usual.resourceName(),
                usual.resourceNamespace());
    }

    /**
     * A look at what the scheduler does, and at the server before and after: nothing was on its way in between.
     *
     * @param volumesAreHeld whether pods may wait for volumes that are not made yet
     */
    private boolean isAtRest(LiveScheduler live, boolean volumesAreHeld) {
        if (actAsKubelet() || !live.isSynced() || !haveAllTheirPods()) {
            return false;
        }
        long version = hollow.version();
        Map<String, QueueState> expected = new TreeMap<>();
        for (JsonObject pod : pods()) {
            if (text(pod, "spec", "nodeName").isEmpty()) {
                expected.put("default/" + name(pod), isGated(pod) ? QueueState.GATED : QueueState.UNSCHEDULABLE);
            }
        }
        Optional<Set<String>> awaiting = ask(live, scheduler -> awaiting(scheduler, expected, volumesAreHeld));
        return awaiting.isPresent()
                && pods().stream()
                        .filter(pod -> expected.get("default/" + name(pod)) == QueueState.UNSCHEDULABLE
                                && !awaiting.get().contains("default/" + name(pod)))
                        .noneMatch(pod -> message(pod).isEmpty()
                                || !text(pod, "status", "nominatedNodeName").isEmpty())
                && hollow.version() == version
                && !actAsKubelet();
    }

    /** The pods that wait for volumes near nodes that are selected; empty where another is underway, or not where it is to be. */
    private static Optional<Set<String>> awaiting(
            Scheduler scheduler, Map<String, QueueState> expected, boolean volumesAreHeld) {
        Map<String, QueueState> there = new TreeMap<>(expected);
        Set<String> awaiting = new HashSet<>();
        for (OnItsWay each : scheduler.onTheirWay()) {
            if (!volumesAreHeld || !awaitsVolumes(each.pod(), scheduler)) {
                return Optional.empty();
            }
            awaiting.add(each.pod().key());
        }
        there.keySet().removeAll(awaiting);
        Map<String, QueueState> queued = new TreeMap<>();
        scheduler.queue().view().stream()
                .filter(entry -> !awaiting.contains(entry.key()))
                .forEach(entry -> queued.put(entry.key(), entry.state()));
        return queued.equals(there) ? Optional.of(awaiting) : Optional.empty();
    }

    /** Whether it is known of all its claims near which node a volume is to be made, and of one that there is none yet. */
    private static boolean awaitsVolumes(Pod pod, Scheduler scheduler) {
        List<PersistentVolumeClaim> claims = pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimOf(pod).stream())
                .flatMap(name ->
                        scheduler
                                .cluster()
                                .objects()
                                .find(Kinds.PERSISTENT_VOLUME_CLAIM, pod.namespace() + "/" + name)
                                .stream())
                .toList();
        return claims.stream()
                        .allMatch(
                                claim -> claim.isBound() || claim.selectedNode().isPresent())
                && claims.stream().anyMatch(claim -> !claim.isBound());
    }

    private List<String> gated() {
        return pods().stream().filter(LivedScene::isGated).map(LivedScene::name).toList();
    }

    private static boolean isGated(JsonObject pod) {
        return pod.getAsJsonObject("spec").has("schedulingGates");
    }

    private static <T> T ask(LiveScheduler live, Function<Scheduler, T> question) {
        try {
            return live.ask(question).get();
        } catch (InterruptedException | ExecutionException unanswered) {
            throw new IllegalStateException("the engine does not answer", unanswered);
        }
    }

    /** Whether controllers have made all pods that they make for now: where one of a StatefulSet waits, those after it do too. */
    private boolean haveAllTheirPods() {
        for (ResourceType type : List.of(ResourceTable.REPLICA_SETS, ResourceTable.STATEFUL_SETS)) {
            for (String text : hollow.objects().list(type, "default")) {
                JsonObject owner = JsonParser.parseString(text).getAsJsonObject();
                List<JsonObject> pods = pods().stream()
                        .filter(pod -> text(pod, "metadata", "labels", "app")
                                .equals(text(owner, "spec", "selector", "matchLabels", "app")))
                        .toList();
                boolean waits = text(owner, "spec", "podManagementPolicy").equals("OrderedReady")
                        && pods.stream()
                                .anyMatch(pod -> text(pod, "spec", "nodeName").isEmpty());
                if (!waits && pods.size() != Integer.parseInt(text(owner, "spec", "replicas"))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Runs pods that are placed, a second apart in the order in which they were, and ends those that shall go; whether there was
     * anything to do. Of pods alike that start in one second those go first that are heard of last, which a list does not tell.
     */
    private boolean actAsKubelet() {
        boolean acted = false;
        List<JsonObject> byTheirLastChange = pods().stream()
                .sorted(Comparator.comparingLong(pod -> Long.parseLong(text(pod, "metadata", "resourceVersion"))))
                .toList();
        for (JsonObject pod : byTheirLastChange) {
            if (!text(pod, "metadata", "deletionTimestamp").isEmpty()) {
                hollow.objects().deleteNow(ResourceTable.PODS, "default", name(pod));
                acted = true;
            } else if (!text(pod, "spec", "nodeName").isEmpty()
                    && !text(pod, "status", "phase").equals("Running")) {
                hollow.objects().patchStatus(ResourceTable.PODS, "default", name(pod), """
                    {"status":{"phase":"Running","startTime":"%s","conditions":[{"type":"Ready","status":"True"}]}}\
                    """.formatted(
                                BEGIN.plusSeconds(started++)));
                acted = true;
            }
        }
        return acted;
    }

    /** As the server has them. */
    List<String> objectsOfPods() {
        return hollow.objects().list(ResourceTable.PODS, "default");
    }

    private List<JsonObject> pods() {
        return objectsOfPods().stream()
                .map(text -> JsonParser.parseString(text).getAsJsonObject())
                .toList();
    }

    private static String name(JsonObject pod) {
        return text(pod, "metadata", "name");
    }

    private static String message(JsonObject pod) {
        if (pod.get("status") instanceof JsonObject status
                && status.get("conditions") instanceof JsonArray conditions) {
            for (JsonElement each : conditions) {
                if (text(each.getAsJsonObject(), "type").equals("PodScheduled")) {
                    return text(each.getAsJsonObject(), "message");
                }
            }
        }
        return "";
    }

    private static String text(JsonObject tree, String... path) {
        JsonElement at = tree;
        for (String step : path) {
            if (!(at instanceof JsonObject object) || !object.has(step)) {
                return "";
            }
            at = object.get(step);
        }
        return at instanceof JsonPrimitive text ? text.getAsString() : "";
    }

    @Override
    public void close() {
        controllers.close();
        hollow.close();
    }
}
