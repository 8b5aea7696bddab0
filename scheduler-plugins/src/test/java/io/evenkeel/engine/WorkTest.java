package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.decision.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle.Scoring;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a pod asks for is counted as work, and the same is always as much. */
class WorkTest {
    private static final int NODES = 200;
    private static final VolumeTerms LATE =
            new VolumeTerms("late", Set.of("ReadWriteOnce"), VolumeTerms.FILESYSTEM, "");

    @Test
    void thatOfAPodGrowsWithItsTerms() {
        assertThat(unitsOf(WorkTest::withTerms, 1_000)).isGreaterThan(500 * unitsOf(WorkTest::withTerms, 1));
    }

    @Test
    void thatOfAPodGrowsWithItsConstraints() {
        assertThat(unitsOf(WorkTest::spread, 1_000)).isGreaterThan(500 * unitsOf(WorkTest::spread, 1));
    }

    @Test
    void thatOfAPodGrowsWithItsClaims() {
        assertThat(unitsOf(WorkTest::withClaims, 1_000)).isGreaterThan(500 * unitsOf(WorkTest::withClaims, 1));
    }

    @Test
    void sameIsAlwaysAsMuch() {
        assertThat(unitsOf(WorkTest::withTerms, 20)).isEqualTo(unitsOf(WorkTest::withTerms, 20));
    }

    /** Of the pod, beyond that of one with none. */
    private static long unitsOf(IntFunction<Pod> pod, int constraints) {
        return units(pod.apply(constraints)) - units(pod.apply(0));
    }

    /** The second time, when all is compiled. */
    private static long units(Pod pod) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(), InTreePlugins.registry(), new FirstByName(), Scoring.WHEN_NEEDED);
        for (int i = 0; i < NODES; i++) {
            engine.put(NodeBuilder.node("n" + i)
                    .label("zone", "z" + i % 3)
                    .allocatable("cpu", "8", "memory", "8Gi", "pods", "100")
                    .build());
        }
        pod.spec()
                .volumes()
                .forEach(volume -> engine.put(claim(volume.claimOf(pod).orElseThrow())));
        engine.put(new StorageClass(
                ObjectMeta.named("", LATE.storageClass()),
                "csi.example.com",
                Optional.of(StorageClass.BindingMode.WAIT_FOR_FIRST_CONSUMER),
                List.of()));
        engine.decide(pod);
        Work work = engine.cluster().work();
        long before = work.units();
        engine.decide(pod);
        return work.units() - before;
    }

    private static Pod withTerms(int terms) {
        List<PodAffinityTerm> away = IntStream.range(0, terms)
                .mapToObj(i -> new PodAffinityTerm(
                        LabelSelector.matchingLabels(Labels.of("app", "other-" + i)),
                        "zone",
                        List.of(),
                        LabelSelector.NOTHING))
                .toList();
        return PodBuilder.pod("p")
                .podAffinity(new PodAffinity(List.of(), List.of(), away, List.of()))
                .build();
    }

    private static PersistentVolumeClaim claim(String name) {
        return new PersistentVolumeClaim(
                ObjectMeta.named("default", name),
                LATE,
                Optional.of(Quantity.parse("1Gi")),
                Optional.empty(),
                "",
                false);
    }

    private static Pod withClaims(int claims) {
        PodBuilder pod = PodBuilder.pod("p");
        IntStream.range(0, claims).forEach(i -> pod.claim("claim-" + i));
        return pod.build();
    }

    private static Pod spread(int constraints) {
        PodBuilder pod = PodBuilder.pod("p");
        for (int i = 0; i < constraints; i++) {
            pod.spread(TopologySpreadConstraint.of(
                    1,
                    "zone",
                    WhenUnsatisfiable.DO_NOT_SCHEDULE,
                    LabelSelector.matchingLabels(Labels.of("app", "other-" + i))));
        }
        return pod.build();
    }
}
