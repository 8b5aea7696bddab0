package io.evenkeel.plugins.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceAllocation.Result;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceClaim.Condition;
import io.evenkeel.model.device.ResourceClaim.Consumer;
import io.evenkeel.model.device.ResourceClaim.DeviceState;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.Tree;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.plugins.volumes.live.StorageServer;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods with claims of devices, while claims, slices and nodes come and go, writes fail, answers are lost, devices do not get ready
 * and the scheduler starts anew: no device is in two claims, and no pod is bound before its claims have devices of its node, are
 * entered for it, and are ready. Once all behaves again, nothing is kept for nobody, and whoever fits is in place. Other seeds with
 * {@code -Devenkeel.seed}.
 */
class DeviceFaultTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 1_500);
    private static final String DRIVER = "gpu.example.com";
    private static final String READY = "Attached";
    private static final String LOST = "Lost";
    private static final List<String> KINDS = List.of("Pod", "Node", "ResourceClaim", "ResourceSlice", "DeviceClass");

    private SplittableRandom random = new SplittableRandom(1);
    private DeviceServer server = new DeviceServer(random);
    private Scheduler scheduler = scheduler();
    private long now;
    private int created;

    static LongStream seeds() {
        return Rotation.seeds(20);
    }

    private Scheduler scheduler() {
        return new Scheduler(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new AtRandom(random),
                new SchedulerSettings(
                        Set.copyOf(KINDS),
                        8,
                        Duration.ofDays(1_000),
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(5),
                        ClusterLimits.LEAST,
                        HintLimits.LEAST),
                this::send,
                SchedulerObserver.NONE,
                () -> now);
    }

    /** Claims are patched, and no device is ever in two of them. */
    private static final class DeviceServer extends StorageServer {
        private final RandomGenerator random;

        DeviceServer(RandomGenerator random) {
            super(random, KINDS);
            this.random = random;
        }

        Map<String, ResourceClaim> deviceClaims() {
            return all("ResourceClaim", ResourceClaim.class);
        }

        @Override
        public void put(KubernetesObject object) {
            super.put(object);
            Map<Object, String> owners = new HashMap<>();
            for (ResourceClaim claim : deviceClaims().values()) {
                for (Result result : results(claim)) {
                    Object device = List.of(result.pool(), result.device());
                    String other = owners.put(device, claim.key());
                    assertThat(other)
                            .as("%s is in %s and in %s", device, other, claim.key())
                            .isNull();
                }
            }
        }

        @Override
        protected KubernetesObject withVersion(KubernetesObject object, String version) {
            return object instanceof ResourceClaim claim
                    ? new ResourceClaim(
                            claim.meta().withVersion(version, 0),
                            claim.spec(),
                            claim.allocation(),
                            claim.reservedFor(),
                            claim.devices())
                    : super.withVersion(object, version);
        }

        @Override
        protected Optional<KubernetesObject> patched(KubernetesObject now, Map<String, Object> changes) {
            ResourceClaim claim = (ResourceClaim) now;
            if (!(changes.get("status") instanceof Map<?, ?> status)) {
                assertThat(changes.toString()).contains("resource.kubernetes.io/delete-protection");
                return Optional.of(claim);
            }
            Optional<DeviceAllocation> allocation = claim.allocation();
            List<DeviceState> devices = claim.devices();
            if (status.containsKey("allocation")) {
                allocation = Optional.ofNullable(status.get("allocation")).map(DeviceServer::read);
                if (claim.allocation().isPresent() && allocation.isPresent()) {
                    return Optional.empty(); // it is immutable
                }
                devices = List.of();
            }
            List<Consumer> consumers = new ArrayList<>(claim.reservedFor());
            if (status.get("reservedFor") instanceof List<?> entered) {
                for (Object each : entered) {
                    Map<?, ?> entry = (Map<?, ?>) each;
                    consumers.removeIf(consumer -> consumer.uid().equals(entry.get("uid")));
                    if (!entry.containsKey("$patch")) {
                        consumers.add(new Consumer(
                                "",
                                String.valueOf(entry.get("resource")),
                                String.valueOf(entry.get("name")),
                                String.valueOf(entry.get("uid"))));
                    }
                }
            } else {
                consumers.clear();
            }
            return allocation.isEmpty() && !consumers.isEmpty()
                    ? Optional.empty()
                    : Optional.of(changed(claim, allocation, consumers, devices));
        }

        private static DeviceAllocation read(Object allocation) {
            Tree fields = new Tree();
            ((Map<?, ?>) allocation)
                    .forEach((name, value) -> fields.put(
                            String.valueOf(name), name.equals("allocationTimestamp") ? "2026-01-01T00:00:00Z" : value));
            Tree claim = new Tree()
                    .put("apiVersion", "resource.k8s.io/v1")
                    .put("kind", "ResourceClaim")
                    .put("metadata", new Tree().put("name", "c"))
                    .put("status", new Tree().put("allocation", fields));
            return ((ResourceClaim) new ObjectReader().read(claim.json()))
                    .allocation()
                    .orElseThrow();
        }

        private static ResourceClaim changed(
                ResourceClaim claim,
                Optional<DeviceAllocation> allocation,
                List<Consumer> consumers,
                List<DeviceState> devices) {
            return new ResourceClaim(claim.meta(), claim.spec(), allocation, List.copyOf(consumers), devices);
        }

        /** A controller and a driver: claims lose the pods that are gone, and then their devices; devices get ready, or are lost. */
        boolean workOnClaims(boolean faithfully) {
            Set<String> uids =
                    pods().values().stream().map(pod -> pod.meta().uid()).collect(Collectors.toSet());
            for (ResourceClaim claim : deviceClaims().values()) {
                List<Consumer> left = claim.reservedFor().stream()
                        .filter(consumer -> uids.contains(consumer.uid()))
                        .toList();
                if (!left.equals(claim.reservedFor())) {
                    put(changed(
                            claim,
                            left.isEmpty() ? Optional.empty() : claim.allocation(),
                            left,
                            left.isEmpty() ? List.of() : claim.devices()));
                    return true;
                }
                if (claim.devices().isEmpty() && (faithfully || random.nextInt(3) == 0)) {
                    String type = faithfully || random.nextBoolean() ? READY : LOST;
                    List<DeviceState> states = results(claim).stream()
                            .filter(result -> !result.bindingConditions().isEmpty())
                            .map(result -> new DeviceState(
                                    DRIVER,
                                    result.pool(),
                                    result.device(),
                                    "",
                                    List.of(new Condition(type, "True", "Because", "so it is"))))
                            .toList();
                    if (!states.isEmpty()) {
                        put(changed(claim, claim.allocation(), claim.reservedFor(), states));
                        return true;
                    }
                }
            }
            return false;
        }
    }

    private static List<Result> results(ResourceClaim claim) {
        return claim.allocation().map(DeviceAllocation::results).orElse(List.of());
    }

    private static boolean isReady(ResourceClaim claim) {
        return results(claim).stream()
                .filter(result -> !result.bindingConditions().isEmpty())
                .allMatch(result -> claim.devices().stream()
                        .anyMatch(state -> state.device().equals(result.device())
                                && state.conditions().stream()
                                        .anyMatch(condition -> condition.type().equals(READY))));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noDeviceIsInTwoClaimsAndNoPodIsBoundBeforeItHasItsDevices(long seed) {
        random = new SplittableRandom(seed);
        server = new DeviceServer(random);
        scheduler = scheduler();
        server.put(new DeviceClass(ObjectMeta.named("", "gpu"), List.of(), List.of(), ""));
        for (int step = 0; step < STEPS; step++) {
            step();
            if (step % 50 == 0) {
                assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
            }
        }
        settle();
        assertThat(ClusterAudit.differences(scheduler.cluster())).isEmpty();
        assertThat(scheduler.onTheirWay()).isEmpty();
        assertThat(ClusterDump.of(scheduler.cluster()).lines().toList())
                .noneMatch(line -> line.contains("assumed to have") || line.contains("decided for pod"));
        server.assertNothingThatFitsStillWaits();
    }

    private void send(Command command) {
        if (command instanceof Command.Bind bind && isThere(bind.pod())) {
            Map<String, ResourceClaim> claims = server.deviceClaims();
            for (PodResourceClaim each : bind.pod().spec().resourceClaims()) {
                ResourceClaim claim = claims.get(bind.pod().namespace() + "/" + each.resourceClaimName());
                // one that was deleted and made anew while its pod was on its way is not what was decided on
                assertThat(claim == null || isGivenTo(bind.pod(), bind.node(), claim) || isNews(claim))
                        .as("%s is bound to %s with %s", bind.pod().key(), bind.node(), claim)
                        .isTrue();
            }
        }
        server.submit(command);
    }

    private boolean isThere(Pod pod) {
        return Optional.ofNullable(server.pods().get(pod.key()))
                .filter(there -> there.meta().uid().equals(pod.meta().uid()))
                .isPresent();
    }

    private static boolean isGivenTo(Pod pod, String node, ResourceClaim claim) {
        return claim.isReservedFor(pod.meta().uid())
                && isReady(claim)
                && results(claim).stream().allMatch(result -> result.pool().equals(node));
    }

    /** Whether the scheduler has not heard of this claim yet. */
    private boolean isNews(ResourceClaim claim) {
        return scheduler
                .cluster()
                .objects()
                .like(claim)
                .filter(known -> known.meta().uid().equals(claim.meta().uid()))
                .isEmpty();
    }

    private void step() {
        now += random.nextLong(TimeUnit.MILLISECONDS.toNanos(200));
        switch (random.nextInt(18)) {
            case 0 -> createPod();
            case 1 -> deletePod();
            case 2 -> changeNode();
            case 3 -> changeClaims();
            case 4, 5 -> server.work(false);
            case 6 -> server.workOnClaims(false);
            case 7 -> {
                if (random.nextInt(5) == 0) {
                    server.breakWatch(KINDS.get(random.nextInt(KINDS.size())));
                }
            }
            case 8 -> {
                if (random.nextInt(40) == 0) {
                    server.restartWatches();
                    scheduler = scheduler();
                }
            }
            // news of a claim take less than a minute
            case 9 ->
                now += random.nextInt(10) == 0 && server.isHeardOf("ResourceClaim") ? TimeUnit.SECONDS.toNanos(700) : 0;
            case 10, 11 -> server.nextAnswer().ifPresent(scheduler::handle);
            case 12, 13, 14, 15 -> server.nextEvent().ifPresent(scheduler::handle);
            default -> scheduler.scheduleNext();
        }
        scheduler.tick();
    }

    private void createPod() {
        String name = "p" + random.nextInt(12);
        if (server.pods().containsKey("default/" + name)) {
            return;
        }
        PodBuilder pod = PodBuilder.pod(name).uid(name + "-" + created++).container("cpu", "1");
        for (int claim = random.nextInt(3); claim > 0; claim--) {
            // no two of one claim
            pod.resourceClaim("c" + (2 * random.nextInt(5) + claim % 2));
        }
        server.put(pod.build());
    }

    private void deletePod() {
        List<String> keys = List.copyOf(server.pods().keySet());
        if (!keys.isEmpty() && random.nextInt(2) == 0) {
            server.remove("Pod", keys.get(random.nextInt(keys.size())));
        }
    }

    private void changeNode() {
        String name = "n" + random.nextInt(4);
        boolean isUsed = server.pods().values().stream()
                .anyMatch(pod -> pod.spec().nodeName().equals(name));
        if (random.nextInt(10) == 0 && !isUsed) {
            server.remove("Node", name);
            server.remove("ResourceSlice", name);
        } else {
            server.put(NodeBuilder.node(name)
                    .hostname(name)
                    .allocatable("cpu", "4", "memory", "8Gi", "pods", "110")
                    .build());
            server.put(slice(name));
        }
    }

    private static ResourceSlice slice(String node) {
        return new ResourceSlice(
                ObjectMeta.named("", node),
                DRIVER,
                new ResourceSlice.Pool(node, 1, 1),
                new DeviceNodes(node, Optional.empty(), false),
                false,
                List.of(device("gpu-0", List.of(), List.of()), device("gpu-1", List.of(READY), List.of(LOST))),
                List.of());
    }

    private static Device device(String name, List<String> conditions, List<String> failures) {
        return new Device(
                name, Map.of(), Map.of(), List.of(), DeviceNodes.NONE, List.of(), false, conditions, failures, false);
    }

    private void changeClaims() {
        String claim = "c" + random.nextInt(10);
        boolean isUsed = server.pods().values().stream()
                .anyMatch(pod -> pod.spec().resourceClaims().stream()
                        .anyMatch(each -> each.resourceClaimName().equals(claim)));
        if (!server.deviceClaims().containsKey("default/" + claim)) {
            server.put(claim(claim));
        } else if (!isUsed && random.nextInt(2) == 0) {
            server.remove("ResourceClaim", "default/" + claim);
        }
    }

    private ResourceClaim claim(String name) {
        ObjectMeta meta =
                PodBuilder.pod(name).uid(name + "-" + created++).build().meta();
        Wanted wanted =
                new Wanted("", "gpu", List.of(), "ExactCount", 1 + random.nextInt(2), false, List.of(), Map.of());
        return new ResourceClaim(
                meta,
                new ResourceClaim.Spec(List.of(new DeviceRequest("gpu", List.of(wanted), false)), List.of(), List.of()),
                Optional.empty(),
                List.of(),
                List.of());
    }

    /** From now on all behaves; goes on until nothing happens any more, however long is waited. */
    private void settle() {
        for (int quiet = 0; quiet < 30; quiet++) {
            server.settle(scheduler, () -> server.workOnClaims(true));
            now += TimeUnit.SECONDS.toNanos(40);
            scheduler.tick();
        }
    }
}
