package io.evenkeel.plugins.volumes.live;

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
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.StorageClass.BindingMode;
import io.evenkeel.model.storage.VolumeSource;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.QueueSettings.HintLimits;
import io.evenkeel.rotation.Rotation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods with volumes, while claims, volumes and nodes come and go, writes fail, answers are lost, provisioners give up and the
 * scheduler starts anew: no pod is bound before its claims are, nor where its volumes are not, and no volume becomes two
 * claims'. Once all behaves again, nothing is reserved for nobody, and whoever fits is in place. Other seeds with
 * {@code -Devenkeel.seed}.
 */
class VolumeFaultTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 1_500);
    private static final List<String> KINDS = List.of(
            "Pod",
            "Node",
            "StorageClass",
            "CSINode",
            "CSIDriver",
            "CSIStorageCapacity",
            "VolumeAttachment",
            "PersistentVolume",
            "PersistentVolumeClaim");

    private SplittableRandom random = new SplittableRandom(1);
    private StorageServer server = new StorageServer(random, KINDS);
    private VolumeController controller = new VolumeController(server, random);
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

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void noPodIsBoundBeforeItsVolumesAreThereAndNothingIsReservedForNobody(long seed) {
        random = new SplittableRandom(seed);
        server = new StorageServer(random, KINDS);
        controller = new VolumeController(server, random);
        scheduler = scheduler();
        server.put(storageClass("made", "driver"));
        server.put(storageClass("kept", "kubernetes.io/no-provisioner"));
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
                .noneMatch(line -> line.contains("reserved for") || line.contains("to be made near"));
        server.assertNothingThatFitsStillWaits();
    }

    private static StorageClass storageClass(String name, String provisioner) {
        return new StorageClass(
                ObjectMeta.named("", name), provisioner, Optional.of(BindingMode.WAIT_FOR_FIRST_CONSUMER), List.of());
    }

    private void send(Command command) {
        if (command instanceof Command.Bind bind) {
            Map<String, PersistentVolumeClaim> claims = server.claims();
            for (PodVolume volume : bind.pod().spec().volumes()) {
                PersistentVolumeClaim claim = claims.get(bind.pod().namespace() + "/" + volume.id());
                // one that was deleted and made anew while its pod was on its way is not what was decided on
                assertThat(claim == null || claim.isBound() || isNew(claim))
                        .as("%s is bound to %s before %s", bind.pod().key(), bind.node(), claim)
                        .isTrue();
            }
        }
        server.submit(command);
    }

    /** Whether the scheduler has not heard of this claim yet. */
    private boolean isNew(PersistentVolumeClaim claim) {
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
            case 3 -> changeStorage();
            case 4, 5 -> server.work(false);
            case 6 -> controller.work(false);
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
            case 9 -> now += random.nextInt(10) == 0 ? TimeUnit.SECONDS.toNanos(700) : 0;
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
        for (int volume = random.nextInt(3); volume > 0; volume--) {
            // no two of one claim
            pod.claim("c" + (2 * random.nextInt(5) + volume % 2));
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
        } else {
            server.put(NodeBuilder.node(name)
                    .hostname(name)
                    .zone("z" + random.nextInt(2))
                    .allocatable("cpu", "4", "memory", "8Gi", "pods", "110")
                    .build());
        }
        if (random.nextInt(3) == 0) {
            server.put(new CsiNode(ObjectMeta.named("", name), Map.of("driver", random.nextInt(5))));
        }
    }

    private void changeStorage() {
        String claim = "c" + random.nextInt(10);
        boolean isUsed = server.pods().values().stream()
                .anyMatch(pod -> pod.spec().volumes().stream()
                        .anyMatch(volume -> volume.id().equals(claim)));
        switch (random.nextInt(3)) {
            case 0 -> {
                if (!server.claims().containsKey("default/" + claim)) {
                    server.put(claim(claim));
                } else if (!isUsed) {
                    server.remove("PersistentVolumeClaim", "default/" + claim);
                }
            }
            case 1 -> server.put(volume("v" + created++));
            default -> releaseVolumes();
        }
    }

    /** Volumes of claims that are gone go as well. */
    private void releaseVolumes() {
        Set<String> uids = server.claims().values().stream()
                .map(claim -> claim.meta().uid())
                .collect(Collectors.toSet());
        server.volumes().values().stream()
                .filter(volume -> volume.claim()
                        .filter(claim -> !uids.contains(claim.uid()))
                        .isPresent())
                .forEach(volume -> server.remove("PersistentVolume", volume.name()));
    }

    private PersistentVolumeClaim claim(String name) {
        ObjectMeta meta =
                PodBuilder.pod(name).uid(name + "-" + created++).build().meta();
        return new PersistentVolumeClaim(
                meta,
                terms(random.nextBoolean() ? "made" : "kept"),
                Optional.of(Quantity.of(1 + random.nextInt(3))),
                Optional.empty(),
                "",
                false);
    }

    private PersistentVolume volume(String name) {
        NodeSelectorRequirement host = new NodeSelectorRequirement(
                "kubernetes.io/hostname", NodeSelectorRequirement.Operator.IN, List.of("n" + random.nextInt(4)));
        return new PersistentVolume(
                ObjectMeta.named("", name),
                VolumeSource.OTHER,
                terms("kept"),
                Quantity.of(1 + random.nextInt(4)),
                Optional.empty(),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(host), List.of())))),
                true);
    }

    private static VolumeTerms terms(String storageClass) {
        return new VolumeTerms(storageClass, Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");
    }

    /** From now on all behaves; goes on until nothing happens any more, however long is waited. */
    private void settle() {
        for (int quiet = 0; quiet < 30; quiet++) {
            server.settle(scheduler, () -> controller.work(true));
            now += TimeUnit.SECONDS.toNanos(40);
            scheduler.tick();
        }
    }
}
