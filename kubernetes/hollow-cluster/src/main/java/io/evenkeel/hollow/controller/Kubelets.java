package io.evenkeel.hollow.controller;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.controller.HollowWorld.HollowNodes.PodNetwork;
import io.evenkeel.hollow.controller.WorldOptions.Pace;
import io.evenkeel.hollow.registry.Conditions;
import io.evenkeel.hollow.registry.Registry;
import io.evenkeel.hollow.registry.Registry.DeleteOptions;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.store.Change;
import io.evenkeel.hollow.store.ObjectKey;
import io.evenkeel.hollow.store.StoredObject;
import io.evenkeel.model.json.Trees;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** All kubelets: they start the pods bound to their nodes, end the marked ones, and lose pods when their node goes. */
final class Kubelets implements Controller {

    /** On a pod that is to end: how long it works, or {@code ever}. */
    private static final String RUNS_FOR = "hollow.evenkeel.io/runs-for";

    /** On a pod that is to end: 0, or something else for one that fails. */
    private static final String EXIT_CODE = "hollow.evenkeel.io/exit-code";

    private final Registry registry;
    private final Observed observed;
    private final ControlLoop schedule;
    private final EventRecorder events;
    private final Pace pace;
    private final Set<String> underWay = new HashSet<>();
    private int addresses;

    Kubelets(Registry registry, Observed observed, ControlLoop schedule, EventRecorder events, Pace pace) {
        this.registry = registry;
        this.observed = observed;
        this.schedule = schedule;
        this.events = events;
        this.pace = pace;
    }

    @Override
    public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
        ObjectKey key = change.object().key();
        if (key.table().equals("nodes")) {
            // who was bound before the node came starts now; who is on a node that went is lost
            if (!(change instanceof Change.Modified)) {
                observed.podsOn(key.name()).forEach(pod -> look.accept(pod.key()));
            }
        } else if (key.table().equals("pods")
                && !(change instanceof Change.Deleted)
                && !PodState.node(change.object()).isEmpty()) {
            look.accept(key);
        } else if (key.table().equals(ResourceTable.RESOURCE_CLAIMS.storage())) {
            Trees.objects(change.object().tree(), "status", "reservedFor")
                    .forEach(pod -> look.accept(
                            new ObjectKey(ResourceTable.PODS.storage(), key.namespace(), Trees.text(pod, "name"))));
        }
    }

    @Override
    public void sync(ObjectKey key) {
        Optional<StoredObject> found = registry.find(ResourceTable.PODS, key);
        if (found.isEmpty()) {
            return;
        }
        StoredObject pod = found.get();
        if (PodState.node(pod).isEmpty()) {
            return; // a claim of it has changed
        }
        if (registry.find(ResourceTable.NODES, "", PodState.node(pod)).isEmpty()) {
            if (isLostWithItsNode(pod)) {
                end(key, pod.uid());
            }
        } else if (pod.isGoing()) {
            long grace = Trees.number(pod.tree(), "metadata", "deletionGracePeriodSeconds")
                    .orElse(0L);
            Duration delay = Duration.ofSeconds(grace);
            after(delay.compareTo(pace.longestGrace()) < 0 ? delay : pace.longestGrace(), "end", pod, this::end);
        } else if (!isStarted(pod.tree()) && hasDevices(pod)) {
            after(pace.start(), "start", pod, this::start);
        } else if (isStarted(pod.tree()) && !PodState.isOver(pod)) {
            lifetime(pod).ifPresent(time -> after(time, "finish", pod, this::finish));
        }
    }

    /** Whether all claims of a pod have their devices, reserved for it; of one that runs this is not asked again. */
    private boolean hasDevices(StoredObject pod) {
        return PodState.phase(pod).equals("Running")
                || PodState.deviceClaims(pod).stream()
                        .allMatch(key -> registry.find(ResourceTable.RESOURCE_CLAIMS, key)
                                .filter(claim -> Trees.object(claim.tree(), "status", "allocation")
                                        .isPresent())
                                .filter(claim -> DeviceClaims.isReserved(claim, pod))
                                .isPresent());
    }

    /** A pod may be bound early to a node that is still to come. */
    private static boolean isLostWithItsNode(StoredObject pod) {
        return !PodState.phase(pod).equals("Pending") || pod.isGoing();
    }

    /** The pods that are lost, as their nodes are not there. */
    static List<StoredObject> lost(Registry registry) {
        return registry.store().list(ResourceTable.PODS.storage(), "").objects().stream()
                .filter(pod -> !PodState.node(pod).isEmpty() && isLostWithItsNode(pod))
                .filter(pod -> registry.find(ResourceTable.NODES, "", PodState.node(pod))
                        .isEmpty())
                .toList();
    }

    private interface Action {
        void on(ObjectKey pod, String uid);
    }

    private void after(Duration delay, String what, StoredObject pod, Action action) {
        ObjectKey key = pod.key();
        String uid = pod.uid();
        if (delay.isZero()) {
            action.on(key, uid);
        } else if (underWay.add(what + uid)) {
            schedule.in(delay, () -> {
                underWay.remove(what + uid);
                action.on(key, uid);
            });
        }
    }

    private void start(ObjectKey key, String uid) {
        Optional<StoredObject> pod = present(key, uid);
        Optional<StoredObject> node = pod.flatMap(each -> registry.find(ResourceTable.NODES, "", PodState.node(each)));
        if (pod.isEmpty() || node.isEmpty()) {
            return;
        }
        RunningStatus running = new RunningStatus(
                registry.times().now(), PodNetwork.podAddress(node.get(), addresses++), address(node.get()));
        boolean isNew = PodState.phase(pod.get()).equals("Pending");
        StoredObject started = registry.edit(ResourceTable.PODS, key, tree -> {
            if (!isStarted(tree)) {
                running.writeTo(tree);
            }
        });
        if (isNew) {
            events.normal(ResourceTable.PODS, started, "kubelet", "Started", "Started all containers");
        }
    }

    /** One that runs, as a dump says, without a word of its containers is reported on as if it had just been started. */
    private static boolean isStarted(JsonObject pod) {
        return switch (Trees.text(pod, "status", "phase")) {
            case "Pending" -> false;
            case "Running" -> Trees.at(pod, "status", "containerStatuses").isPresent();
            default -> true;
        };
    }

    /** How long a pod works that is to end: as it says, or as long as pods of Jobs do. */
    private Optional<Duration> lifetime(StoredObject pod) {
        String said = Trees.text(pod.tree(), "metadata", "annotations", RUNS_FOR);
        if (Trees.text(pod.tree(), "spec", "restartPolicy").equals("Always") || said.equals("ever")) {
            return Optional.empty();
        }
        return Pace.parse(said)
                .or(() -> Owner.controllerOf(pod, ResourceTable.JOBS).map(_ -> pace.jobRun()));
    }

    private void finish(ObjectKey key, String uid) {
        String now = registry.times().now();
        present(key, uid)
                .filter(PodState::isActive)
                .ifPresent(_ -> registry.edit(ResourceTable.PODS, key, tree -> finish(tree, now)));
    }

    private static void finish(JsonObject pod, String now) {
        long exitCode = Trees.text(pod, "metadata", "annotations", EXIT_CODE).matches("0*") ? 0 : 1;
        Trees.ensureObject(pod, "status").addProperty("phase", exitCode == 0 ? "Succeeded" : "Failed");
        String reason = exitCode == 0 ? "PodCompleted" : "PodFailed";
        List.of("Ready", "ContainersReady")
                .forEach(type -> Conditions.put(pod, Conditions.ofPod(type, "False", now, reason, "")));
        for (JsonObject container : Trees.objects(pod, "status", "containerStatuses")) {
            String since = Trees.text(container, "state", "running", "startedAt");
            JsonObject end = Trees.of("exitCode", exitCode, "reason", exitCode == 0 ? "Completed" : "Error");
            end.addProperty("startedAt", since.isEmpty() ? now : since);
            end.addProperty("finishedAt", now);
            container.add("state", Trees.of("terminated", end));
            container.addProperty("ready", false);
            container.addProperty("started", false);
        }
    }

    private void end(ObjectKey key, String uid) {
        present(key, uid)
                .ifPresent(_ -> registry.delete(
                        ResourceTable.PODS,
                        key.namespace(),
                        key.name(),
                        new DeleteOptions(Optional.of(0L), uid, "", false)));
    }

    private Optional<StoredObject> present(ObjectKey key, String uid) {
        return registry.find(ResourceTable.PODS, key).filter(pod -> pod.uid().equals(uid));
    }

    private static String address(StoredObject node) {
        return Trees.objects(node.tree(), "status", "addresses").stream()
                .filter(each -> Trees.text(each, "type").equals("InternalIP"))
                .map(each -> Trees.text(each, "address"))
                .findFirst()
                .orElse("127.0.0.1");
    }

    /** The status that a kubelet writes of a pod with all containers running. */
    private record RunningStatus(String now, String podAddress, String hostAddress) {

        private static final List<String> CONDITIONS =
                List.of("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady");

        void writeTo(JsonObject pod) {
            JsonObject status = Trees.ensureObject(pod, "status");
            status.addProperty("phase", "Running");
            CONDITIONS.forEach(type -> Conditions.put(pod, Conditions.ofPod(type, "True", now)));
            if (Conditions.status(pod, "PodScheduled").isEmpty()) {
                // the maker of the pod has named its node
                Conditions.put(pod, Conditions.ofPod("PodScheduled", "True", now));
            }
            String address = Trees.isTrue(pod, "spec", "hostNetwork") ? hostAddress : podAddress;
            Trees.of(
                            "hostIP",
                            hostAddress,
                            "hostIPs",
                            List.of(Trees.of("ip", hostAddress)),
                            "podIP",
                            address,
                            "podIPs",
                            List.of(Trees.of("ip", address)),
                            "startTime",
                            Trees.text(status, "startTime").isEmpty() ? now : Trees.text(status, "startTime"))
                    .asMap()
                    .forEach(status::add);
            put(status, "initContainerStatuses", Trees.objects(pod, "spec", "initContainers"), true);
            put(status, "containerStatuses", Trees.objects(pod, "spec", "containers"), false);
        }

        private void put(JsonObject status, String name, List<JsonObject> containers, boolean first) {
            JsonArray statuses = new JsonArray();
            containers.forEach(container -> statuses.add(container(container, first)));
            if (!statuses.isEmpty()) {
                status.add(name, statuses);
            }
        }

        private JsonObject container(JsonObject container, boolean first) {
            String image = Trees.text(container, "image");
            // a sidecar goes on, another init container is over when the pod runs
            boolean over = first && !Trees.text(container, "restartPolicy").equals("Always");
            JsonObject state =
                    over ? Trees.of("terminated", terminated()) : Trees.of("running", Trees.of("startedAt", now));
            JsonObject status = Trees.of("name", Trees.text(container, "name"), "state", state);
            status.add("lastState", new JsonObject());
            status.addProperty("ready", true);
            status.addProperty("restartCount", 0);
            status.addProperty("image", image);
            status.addProperty("imageID", "hollow://" + image);
            status.addProperty("started", !over);
            return status;
        }

        private JsonObject terminated() {
            return Trees.of("exitCode", 0, "reason", "Completed", "startedAt", now, "finishedAt", now);
        }
    }

    /**
     * Says that the nodes live, as kubelets do: each renews a Lease, and repeats its status with new times where nothing else in it
     * has changed. The first time is drawn for each node, so that they do not all come at once.
     */
    static final class Heartbeats implements Controller {
        private static final String NAMESPACE = "kube-node-lease";
        private static final int LEASE_SECONDS = 40;
        private static final double JITTER = 0.04;

        private final Registry registry;
        private final ControlLoop schedule;
        private final WorldOptions.Heartbeats often;
        private final SplittableRandom random = new SplittableRandom();

        Heartbeats(Registry registry, ControlLoop schedule, WorldOptions.Heartbeats often) {
            this.registry = registry;
            this.schedule = schedule;
            this.often = often;
        }

        void start() {
            if (often.lease().isPositive()) {
                schedule.in(Duration.ZERO, this::beat);
                schedule.every(often.lease(), this::beat);
            }
        }

        @Override
        public void forEachConcerned(Change change, Consumer<ObjectKey> look) {
            ObjectKey key = change.object().key();
            if (often.status().isPositive()
                    && change instanceof Change.Added
                    && key.table().equals("nodes")) {
                look.accept(key);
            }
        }

        @Override
        public void sync(ObjectKey key) {
            registry.find(ResourceTable.NODES, key)
                    .ifPresent(node -> reportAfter(0.5 + random.nextDouble(), key, node.uid()));
        }

        private void reportAfter(double intervals, ObjectKey key, String uid) {
            long nanos = (long) (intervals * often.status().toNanos());
            schedule.asideIn(Duration.ofNanos(nanos), () -> report(key, uid));
        }

        private void report(ObjectKey key, String uid) {
            if (registry.find(ResourceTable.NODES, key)
                    .filter(node -> node.uid().equals(uid))
                    .isPresent()) {
                reportAfter(1 + JITTER * random.nextDouble(), key, uid);
                String now = registry.times().now();
                registry.edit(ResourceTable.NODES, key, node -> repeatStatus(node, now));
            }
        }

        /** Of a node that is said to be out of reach no kubelet reports. */
        private static void repeatStatus(JsonObject node, String now) {
            if (!Conditions.status(node, "Ready").equals(Optional.of("Unknown"))) {
                Trees.objects(node, "status", "conditions")
                        .forEach(condition -> condition.addProperty("lastHeartbeatTime", now));
            }
        }

        private void beat() {
            registry.store().list(ResourceTable.NODES.storage(), "").objects().forEach(this::renew);
        }

        private void renew(StoredObject node) {
            String name = node.name();
            // Go's MicroTime wants exactly six digits
            String now = registry.times()
                    .clock()
                    .instant()
                    .truncatedTo(ChronoUnit.SECONDS)
                    .toString()
                    .replace("Z", ".000000Z");
            if (registry.find(ResourceTable.LEASES, NAMESPACE, name).isEmpty()) {
                JsonObject metadata =
                        Trees.of("name", name, "ownerReferences", Owner.references(ResourceTable.NODES, node));
                JsonObject spec =
                        Trees.of("holderIdentity", name, "leaseDurationSeconds", LEASE_SECONDS, "renewTime", now);
                JsonObject lease = Trees.of("metadata", metadata, "spec", spec);
                registry.create(ResourceTable.LEASES, NAMESPACE, lease, false);
                return;
            }
            registry.change(ResourceTable.LEASES, NAMESPACE, name, false, lease -> {
                Trees.ensureObject(lease, "spec").addProperty("renewTime", now);
                return lease;
            });
        }
    }
}
