package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.plugins.devices.ScoredDevices;
import io.evenkeel.queue.ClusterChanges;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Two pods have all of a node with 3 CPUs, and others wait for some. What wakes them, and what not. */
class FitWakeUpsTest {
    private static final Node FULL = node("3");
    private static final Pod SMALL = pod("small", "1").nodeName("n1").build();
    private static final Pod LARGE = pod("large", "2").nodeName("n1").build();

    private final PluginHarness cluster = PluginHarness.cluster(FULL, SMALL, LARGE);
    private final NodeResourcesFit plugin = new NodeResourcesFit(cluster.context(), ScoredDevices::new);
    private final Pod waiting = pod("waiting", "2").build();

    @Test
    void aPodThatLeavesTooLittleRoomDoesNotHelp() {
        assertThat(helps(waiting, gone(SMALL))).isFalse();
        assertThat(helps(waiting, gone(LARGE))).isTrue();
    }

    @Test
    void aPodThatLeavesRoomWhereThereWasEnoughDoesNotHelp() {
        gone(SMALL);

        Optional<ClusterChange> change = gone(LARGE);
        assertThat(helps(pod("modest", "1").build(), change))
                .as("it is something else that is in its way there")
                .isFalse();
        assertThat(helps(waiting, change)).isTrue();
    }

    @Test
    void aPodThatAsksForLessDoesNotHelpWhereThatIsTooLittle() {
        Pod smaller = pod("large", "1500m").nodeName("n1").build();
        assertThat(helps(waiting, change(LARGE, smaller))).isFalse();
        gone(SMALL);
        assertThat(helps(
                        waiting,
                        change(smaller, pod("large", "500m").nodeName("n1").build())))
                .isTrue();
    }

    @Test
    void aLargerNodeDoesNotHelpWherePodsHaveTheRoom() {
        assertThat(helps(waiting, change(FULL, node("4")))).isFalse();
        assertThat(helps(waiting, change(node("4"), node("5")))).isTrue();
    }

    /** Those have to go for it that are less important; the room need not be free. */
    @Test
    void roomCountsThatLessImportantPodsHave() {
        Pod urgent = PodBuilder.from(waiting).priority(9).build();
        cluster.put(PodBuilder.from(LARGE).priority(9).build());

        assertThat(helps(urgent, change(FULL, node("4")))).isTrue();
        assertThat(helps(waiting, change(node("4"), FULL))).isFalse();
    }

    @Test
    void aClassHelpsAPodThatAsksForWhatStandsForItsDevicesFromNowOn() {
        Pod gpus = PodBuilder.pod("gpus").container("example.com/gpu", "1").build();
        Pod own = PodBuilder.pod("own")
                .container("deviceclass.resource.kubernetes.io/gpu", "1")
                .build();
        DeviceClass bare = deviceClass("");
        DeviceClass named = deviceClass("example.com/gpu");

        assertThat(helps(gpus, ClusterChanges.between(Optional.empty(), Optional.of(named))))
                .isTrue();
        assertThat(helps(own, ClusterChanges.between(Optional.empty(), Optional.of(named))))
                .isTrue();
        assertThat(helps(waiting, ClusterChanges.between(Optional.empty(), Optional.of(named))))
                .isFalse();
        assertThat(helps(gpus, ClusterChanges.between(Optional.of(bare), Optional.of(named))))
                .isTrue();
        assertThat(helps(own, ClusterChanges.between(Optional.of(bare), Optional.of(named))))
                .isFalse();
        assertThat(helps(gpus, ClusterChanges.between(Optional.of(named), Optional.of(bare))))
                .isFalse();
    }

    private static DeviceClass deviceClass(String resource) {
        return new DeviceClass(ObjectMeta.named("", "gpu"), List.of("a" + resource), List.of(), resource);
    }

    private boolean helps(Pod pod, Optional<ClusterChange> change) {
        return cluster.wakes(plugin, pod, change);
    }

    private Optional<ClusterChange> gone(Pod pod) {
        cluster.remove(pod);
        return ClusterChanges.between(Optional.of(pod), Optional.empty());
    }

    private Optional<ClusterChange> change(Node before, Node after) {
        cluster.put(after);
        return ClusterChanges.between(Optional.of(before), Optional.of(after));
    }

    private Optional<ClusterChange> change(Pod before, Pod after) {
        cluster.put(after);
        return ClusterChanges.between(Optional.of(before), Optional.of(after));
    }

    private static Node node(String cpus) {
        return NodeBuilder.node("n1").allocatable("cpu", cpus, "pods", "9").build();
    }

    private static PodBuilder pod(String name, String cpus) {
        return PodBuilder.pod(name).container("cpu", cpus);
    }
}
