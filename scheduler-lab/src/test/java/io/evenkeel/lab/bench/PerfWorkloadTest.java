package io.evenkeel.lab.bench;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.lab.bench.Bench.Figures;
import io.evenkeel.lab.bench.PerfCase.PerfCluster;
import io.evenkeel.lab.bench.PerfCase.PerfPods;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class PerfWorkloadTest {
    private static final PluginRegistry PLUGINS = InTreePlugins.registry();

    private static final int NODES = 30;

    @Rotated(7)
    @ParameterizedTest
    @FieldSource("io.evenkeel.lab.bench.PerfWorkload#ALL")
    void everyPodIsPlacedWhereItMayBeButThoseThatFitNowhere(PerfWorkload workload) {
        Figures figures = new Bench(InTreePlugins.registry(), 40).measure(small(workload));

        int impossible = workload.name().equals("Unschedulable") ? 1 : 0;
        int comeAmongThem = workload.name().equals("PreemptionAsync") ? 1 : 0;
        assertThat(figures.placed()).isEqualTo(small(workload).pods() + comeAmongThem);
        assertThat(figures.unschedulable()).isEqualTo(impossible);
    }

    @ParameterizedTest
    @FieldSource("io.evenkeel.lab.bench.PerfWorkload#ALL")
    void noTwoPodsHaveTheSameName(PerfWorkload workload) {
        List<Pod> pods = new ArrayList<>(PerfPods.residents(PerfCase.of(workload, 1, PLUGINS)));
        int residents = pods.size();
        pods.addAll(PerfPods.newcomers(PerfCase.of(workload, 1, PLUGINS)));

        assertThat(residents).isEqualTo(PerfCase.of(workload, 1, PLUGINS).residents());
        assertThat(pods).extracting(Pod::key).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @FieldSource("io.evenkeel.lab.bench.PerfWorkload#ALL")
    void isFoundByItsName(PerfWorkload workload) {
        assertThat(workload.id()).startsWith("perf:");
        assertThat(PerfWorkload.find(workload.id().substring(5))).contains(workload);
    }

    @Test
    void theFloorIsOfTheUsualSizeAlone() {
        PerfCase usual = PerfCase.of(perf("SchedulingBasic"), 1, PLUGINS);

        assertThat(usual).isEqualTo(new PerfCase(perf("SchedulingBasic"), 5_000, 10_000, 1, PLUGINS));
        assertThat(usual.floor()).hasValue(270);
        assertThat(new PerfCase(perf("SchedulingBasic"), 500, 10_000, 1, PLUGINS).floor())
                .isEmpty();
        assertThat(PerfCase.of(perf("PreemptionBasic"), 1, PLUGINS).floor()).isEmpty();
    }

    @Test
    void residentsAreAsManyANode() {
        assertThat(new PerfCase(perf("SchedulingBasic"), 500, 1, 1, PLUGINS).residents())
                .isEqualTo(100);
        assertThat(PerfCase.of(perf("SchedulingBasic"), 1, PLUGINS).smaller(1_000, 500))
                .isEqualTo(new PerfCase(perf("SchedulingBasic"), 1_000, 500, 1, PLUGINS));
        assertThat(PerfCase.of(perf("SchedulingPodAntiAffinity"), 1, PLUGINS).smaller(1_000, 10_000))
                .isEqualTo(new PerfCase(perf("SchedulingPodAntiAffinity"), 1_000, 400, 1, PLUGINS));
    }

    @Test
    void residentsOfNamespacesAreInAHundredOfThem() {
        List<Pod> residents =
                PerfPods.residents(PerfCase.of(perf("SchedulingRequiredPodAntiAffinityWithNSSelector"), 1, PLUGINS));

        assertThat(residents.stream().collect(groupingBy(Pod::namespace, counting())))
                .hasSize(100)
                .allSatisfy((namespace, count) -> assertThat(count).isEqualTo(40));
    }

    @Test
    void impossiblePodsComeAmongTheOthers() {
        List<Pod> pods = PerfPods.newcomers(PerfCase.of(perf("Unschedulable"), 1, PLUGINS));

        assertThat(pods).hasSize(10_000 + 294);
        assertThat(pods.get(34).name()).isEqualTo("other-34");
        assertThat(pods.get(34).spec().priority()).isEqualTo(10);
    }

    @Test
    void podsThatPreemptFindFourOnEachNode() {
        List<KubernetesObject> objects = small(perf("PreemptionBasic")).objects();

        assertThat(objects)
                .filteredOn(Pod.class::isInstance)
                .hasSize(4 * NODES)
                .allSatisfy(pod -> assertThat(((Pod) pod).isPlaced()).isTrue());
    }

    @Test
    void oneNodeInFiveIsTaintedWherePodsSpreadOverTheOthers() {
        assertThat(PerfCluster.objects(small(perf("SchedulingWithNodeInclusionPolicy"))))
                .filteredOn(
                        object -> object instanceof Node node && !node.taints().isEmpty())
                .hasSize(NODES / 5);
    }

    /** So many that a pod comes among them where others do, and that each finds a node of its own where it must. */
    private static PerfCase small(PerfWorkload workload) {
        return new PerfCase(workload, NODES, workload.intruders().isPresent() ? 40 : 10, 1, PLUGINS);
    }

    static PerfWorkload perf(String name) {
        return PerfWorkload.find(name).orElseThrow();
    }
}
