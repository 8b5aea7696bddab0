package io.evenkeel.cluster.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.value.Quantity;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ExtendedResourcesTest {
    private static final String GPU = "example.com/gpu";

    private final ClusterState cluster = new ClusterState(FeatureGates.DEFAULTS);
    private final ExtendedResources resources = cluster.view().extendedResources();

    private static DeviceClass deviceClass(String name, String created, String resource) {
        return new DeviceClass(ObjectMeta.named("", name).withCreated(created), List.of(), List.of(), resource);
    }

    @Test
    void aClassStandsBehindItsOwnNameAndTheOneThatItSays() {
        assertThat(resources.isEmpty()).isTrue();
        cluster.put(deviceClass("a", "", ""));
        cluster.put(deviceClass("b", "", GPU));

        assertThat(resources.classOf("deviceclass.resource.kubernetes.io/a")).contains("a");
        assertThat(resources.classOf("deviceclass.resource.kubernetes.io/b")).contains("b");
        assertThat(resources.classOf(GPU)).contains("b");
        assertThat(resources.classOf("example.com/fpga")).isEmpty();
    }

    @Test
    void ofSeveralTheNewestCountsAndOfEquallyOldOnesTheFirstByName() {
        cluster.put(deviceClass("old", "2026-01-01T00:00:00Z", GPU));
        cluster.put(deviceClass("z", "2026-01-02T00:00:00Z", GPU));
        cluster.put(deviceClass("new", "2026-01-02T00:00:00Z", GPU));
        assertThat(resources.classOf(GPU)).contains("new");

        cluster.put(deviceClass("new", "2026-01-02T00:00:00Z", "example.com/fpga"));
        assertThat(resources.classOf(GPU)).contains("z");
        cluster.remove(deviceClass("z", "2026-01-02T00:00:00Z", GPU));
        assertThat(resources.classOf(GPU)).contains("old");
        cluster.remove(deviceClass("old", "2026-01-01T00:00:00Z", GPU));
        assertThat(resources.classOf(GPU)).isEmpty();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void theVersionSaysWhetherAnyMayBeAnother() {
        int before = resources.version();
        cluster.put(deviceClass("a", "", GPU));
        assertThat(resources.version()).isNotEqualTo(before);

        int after = resources.version();
        cluster.put(new DeviceClass(ObjectMeta.named("", "a"), List.of("true"), List.of(), GPU));
        assertThat(resources.version()).isEqualTo(after);
    }

    @Test
    void whatAPodAsksForInSumSaysThatItAsksForNone() {
        Pod gpu = asking("cpu", GPU);
        Pod other = asking("cpu", "example.com/fpga");
        assertThat(mayAsk(gpu)).isFalse();
        cluster.put(deviceClass("a", "", GPU));
        assertThat(mayAsk(gpu)).isTrue();
        assertThat(mayAsk(other)).isFalse();
        assertThat(mayAsk(asking("deviceclass.resource.kubernetes.io/a"))).isTrue();
        cluster.remove(deviceClass("a", "", GPU));
        assertThat(mayAsk(gpu)).isFalse();
    }

    private static Pod asking(String... resources) {
        return PodBuilder.pod("p")
                .container(Arrays.stream(resources).collect(Collectors.toMap(each -> each, _ -> Quantity.of(1))))
                .build();
    }

    private boolean mayAsk(Pod pod) {
        return cluster.view()
                .read(
                        pod,
                        read -> resources.mayBeAmong(
                                read.shape().resources().value().asked()));
    }

    @Test
    void whereTheFeatureIsOffThereAreNone() {
        ClusterState other = new ClusterState(FeatureGates.with(Map.of("DRAExtendedResource", false)));
        ExtendedResources none = other.view().extendedResources();
        other.put(deviceClass("a", "", GPU));

        assertThat(none.isEmpty()).isTrue();
        assertThat(none.classOf(GPU)).isEmpty();
        assertThat(none.version()).isZero();
    }
}
