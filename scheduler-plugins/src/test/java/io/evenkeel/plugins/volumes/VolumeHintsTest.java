package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.RandomCluster.oneOf;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.queue.ClusterChanges;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A pod that a volume plugin kept from a node, and that it lets onto it after some change, is woken by that change. */
@Rotated(3)
class VolumeHintsTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 1_500);
    private static final int WAITING = 5;

    private final ClusterState cluster = new ClusterState(FeatureGates.with(Map.of("VolumeLimitScaling", true)));
    private final TreeContext context = new TreeContext(cluster.view(), Optional.empty());
    private final Map<String, KubernetesObject> objects = new TreeMap<>();
    private int pods;
    private int helped;
    private int slept;

    static LongStream seeds() {
        return Rotation.seeds(4);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void restrictions(long seed) {
        play(new RandomStorage(seed, 3), new VolumeRestrictions(context), seed, (_, _) -> true);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void limits(long seed) {
        play(new RandomStorage(seed, 3), new NodeVolumeLimits(context), seed, this::happensToLimits);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void binding(long seed) {
        play(new RandomStorage(seed, 3), new VolumeBinding(context), seed, (_, _) -> true);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void zones(long seed) {
        play(new RandomStorage(seed, 3), new VolumeZone(context), seed, (_, _) -> true);
    }

    /**
     * That a class, a volume or a claim goes while pods have it, or that a volume becomes another, may leave a node with fewer
     * volumes, but the API server lets none of it happen; and what becomes of others' claims changes no number.
     */
    private boolean happensToLimits(Pod waiting, ClusterChange change) {
        return switch (change.after().or(change::before).orElseThrow()) {
            case StorageClass _ -> false;
            case VolumeAttachment _ ->
                change.before().isEmpty() || change.after().isEmpty();
            case PersistentVolumeClaim claim -> change.after().isPresent() && uses(waiting, claim);
            case PersistentVolume volume ->
                change.after().isPresent()
                        && claimsOf(waiting)
                                .anyMatch(claim -> claim.volumeName().equals(volume.name()));
            default -> true;
        };
    }

    /** Whether the pod has a volume of the claim, be it one that is made for the pod. */
    private static boolean uses(Pod pod, PersistentVolumeClaim claim) {
        return pod.meta().namespace().equals(claim.meta().namespace())
                && pod.spec().volumes().stream()
                        .flatMap(volume -> volume.claimOf(pod).stream())
                        .anyMatch(claim.meta().name()::equals);
    }

    private Stream<PersistentVolumeClaim> claimsOf(Pod pod) {
        return objects.values().stream()
                .filter(PersistentVolumeClaim.class::isInstance)
                .map(PersistentVolumeClaim.class::cast)
                .filter(claim -> uses(pod, claim));
    }

    private <P extends PreFilterPlugin & BatchFilterPlugin & WakeUpPlugin> void play(
            RandomStorage storage, P plugin, long seed, BiPredicate<Pod, ClusterChange> happens) {
        for (int step = 0; step < STEPS; step++) {
            Map<Pod, Map<String, Status>> before = new HashMap<>();
            List<Pod> waiting = IntStream.range(0, WAITING)
                    .mapToObj(number -> storage.random().nextBoolean()
                            ? storage.pod("w" + number)
                            : storage.modestPod("w" + number))
                    .toList();
            waiting.forEach(pod -> before.put(pod, Verdicts.of(cluster, plugin, pod)));
            Optional<ClusterChange> change = change(storage);
            for (Pod pod : waiting) {
                boolean isWoken =
                        change.filter(some -> wakes(plugin, pod, some)).isPresent();
                boolean isHelped =
                        change.filter(some -> happens.test(pod, some)).isPresent()
                                && isHelped(before.get(pod), Verdicts.of(cluster, plugin, pod));
                assertThat(isWoken || !isHelped)
                        .as(
                                "seed %dL, step %d: %s by %s",
                                seed, step, pod.spec().volumes(), change)
                        .isTrue();
                helped += isHelped ? 1 : 0;
                slept += isWoken ? 0 : 1;
            }
        }
        assertThat(helped).as("how often a change helped").isGreaterThan(10);
        assertThat(slept).as("how often a change woke nobody").isGreaterThan(STEPS / 2);
    }

    /** Where the plugin has turned it away from no node, it is not asked. */
    private static boolean isHelped(Map<String, Status> before, Map<String, Status> after) {
        boolean wasTurnedAway = before.values().stream().anyMatch(Status::isRejected);
        return wasTurnedAway
                && after.entrySet().stream()
                        .anyMatch(node -> node.getValue().isSuccess()
                                && !before.getOrDefault(node.getKey(), Status.unschedulable())
                                        .isSuccess());
    }

    private boolean wakes(WakeUpPlugin plugin, Pod waiting, ClusterChange change) {
        return Verdicts.with(
                cluster,
                waiting,
                info -> plugin.wakeUps().stream()
                        .anyMatch(wakeUp ->
                                change.isAnyOf(wakeUp.kinds()) && wakeUp.hint().mayHelp(info, change)));
    }

    /** Puts or removes one object; nothing where no filter reads the difference. */
    private Optional<ClusterChange> change(RandomStorage storage) {
        KubernetesObject next = storage.anything();
        if (next instanceof Pod pod) {
            next = PodBuilder.from(pod).uid("uid-" + ++pods).build();
        }
        String key = next.kindName() + " " + next.meta().key();
        Optional<KubernetesObject> before = Optional.ofNullable(objects.get(key));
        boolean isRemoved = before.isPresent() && oneOf(storage.random(), true, false, false);
        Optional<KubernetesObject> after = isRemoved ? Optional.empty() : Optional.of(next);
        after.ifPresentOrElse(
                object -> {
                    cluster.put(object);
                    objects.put(key, object);
                },
                () -> cluster.remove(objects.remove(key)));
        return ClusterChanges.between(before, after);
    }
}
