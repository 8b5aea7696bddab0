package io.evenkeel.model.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Container;
import io.evenkeel.model.ContainerStatus;
import io.evenkeel.model.HostPort;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.ResourceList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodReaderTest {
    private final Pod pod = TestObjects.pod();

    @Test
    void readsMetadata() {
        assertThat(pod.meta())
                .isEqualTo(new ObjectMeta(
                        "shop",
                        "web-1",
                        "6f0c",
                        Labels.of("app", "web", "pod-template-hash", "abc"),
                        Labels.EMPTY,
                        Optional.of(new OwnerReference("apps/v1", "ReplicaSet", "web", "2")),
                        true,
                        "812",
                        0));
    }

    @Test
    void readsThePlainFieldsOfTheSpec() {
        PodSpec spec = pod.spec();

        assertThat(spec.nodeName()).isEqualTo("n1");
        assertThat(spec.schedulerName()).isEqualTo("evenkeel");
        assertThat(spec.priority()).isEqualTo(1000);
        assertThat(spec.preempts()).isFalse();
        assertThat(spec.hostNetwork()).isTrue();
        assertThat(spec.hostUsers()).isFalse();
        assertThat(spec.nodeSelector()).isEqualTo(Labels.of("disk", "ssd"));
        assertThat(spec.schedulingGates()).containsExactly("example.com/quota");
        assertThat(spec.imageVolumes()).containsExactly("registry.example.com/model:7");
    }

    @Test
    void readsTheVolumesThatDecideWhereAPodCanRunAndNoOthers() {
        assertThat(pod.spec().volumes())
                .containsExactly(
                        new PodVolume("data", PodVolume.Source.PERSISTENT_VOLUME_CLAIM, "data-web-1", List.of(), false),
                        new PodVolume("scratch", PodVolume.Source.EPHEMERAL),
                        new PodVolume("disk", PodVolume.Source.GCE_PERSISTENT_DISK, "d", List.of(), true));
        assertThat(pod.spec().volumes().stream().flatMap(volume -> volume.claimOf(pod).stream()))
                .containsExactly("data-web-1", "web-1-scratch");
    }

    @Test
    void readsClaimsToDevices() {
        assertThat(pod.spec().resourceClaims())
                .containsExactly(new PodResourceClaim("gpu", "", "one-gpu"), new PodResourceClaim("net", "nic", ""));
    }

    @Test
    void readsRequestsAndLimits() {
        assertThat(pod.spec().containers())
                .containsExactly(
                        new Container(
                                "app",
                                "registry.example.com/web:1",
                                ResourceList.of("cpu", "500m", "memory", "1Gi"),
                                ResourceList.of("cpu", "1", "example.com/gpu", "2"),
                                List.of(
                                        new HostPort("0.0.0.0", "TCP", 9090),
                                        new HostPort("127.0.0.1", "UDP", 53),
                                        new HostPort("0.0.0.0", "TCP", 80)),
                                false,
                                true),
                        new Container("bare", "pause", Map.of(), Map.of(), List.of(), false, false));
        assertThat(pod.spec().overhead()).isEqualTo(ResourceList.of("cpu", "10m"));
        assertThat(pod.spec().podRequests()).contains(ResourceList.of("cpu", "3"));
        assertThat(pod.spec().podLimits()).isEqualTo(ResourceList.of("cpu", "4"));
    }

    @Test
    void anInitContainerThatAlwaysRestartsIsASidecar() {
        assertThat(pod.spec().initContainers())
                .containsExactly(
                        new Container(
                                "setup", "busybox", ResourceList.of("cpu", "1"), Map.of(), List.of(), false, false),
                        new Container(
                                "proxy", "envoy", ResourceList.of("memory", "64Mi"), Map.of(), List.of(), true, false));
    }

    @Test
    void tolerationsDefaultToEqualAndEveryEffect() {
        assertThat(pod.spec().tolerations())
                .containsExactly(
                        new Toleration(
                                "dedicated", Toleration.Operator.EQUAL, "web", Optional.of(TaintEffect.NO_SCHEDULE)),
                        new Toleration("", Toleration.Operator.EXISTS, "", Optional.empty()));
    }

    @Test
    void readsSpreadConstraintsWithTheirDefaults() {
        assertThat(pod.spec().topologySpread())
                .containsExactly(
                        new TopologySpreadConstraint(
                                2,
                                "topology.kubernetes.io/zone",
                                WhenUnsatisfiable.DO_NOT_SCHEDULE,
                                LabelSelector.matchingLabels(Labels.of("app", "web")),
                                3,
                                NodeInclusionPolicy.IGNORE,
                                NodeInclusionPolicy.HONOR,
                                List.of("pod-template-hash")),
                        TopologySpreadConstraint.of(
                                1, "kubernetes.io/hostname", WhenUnsatisfiable.SCHEDULE_ANYWAY, LabelSelector.NOTHING));
    }

    @Test
    void readsNodeAffinity() {
        NodeSelectorTerm required = new NodeSelectorTerm(
                List.of(new NodeSelectorRequirement("cores", NodeSelectorRequirement.Operator.GT, List.of("3"))),
                List.of(new NodeSelectorRequirement(
                        "metadata.name", NodeSelectorRequirement.Operator.NOT_IN, List.of("n9"))));
        NodeSelectorTerm preferred = new NodeSelectorTerm(
                List.of(new NodeSelectorRequirement("gpu", NodeSelectorRequirement.Operator.DOES_NOT_EXIST, List.of())),
                List.of());

        assertThat(pod.spec().nodeAffinity())
                .isEqualTo(new NodeAffinity(
                        Optional.of(new NodeSelector(List.of(required))),
                        List.of(new PreferredSchedulingTerm(7, preferred))));
    }

    @Test
    void anAbsentSelectorIsNothingAndAnEmptyOneEverything() {
        PodAffinity affinity = pod.spec().podAffinity();
        LabelSelector web = LabelSelector.matchingLabels(Labels.of("app", "web"));
        LabelSelector db = LabelSelector.matchingLabels(Labels.of("app", "db"));
        LabelSelector teamA = LabelSelector.matchingLabels(Labels.of("team", "a"));

        assertThat(affinity.requiredAffinity())
                .containsExactly(new PodAffinityTerm(db, "zone", List.of("a", "b"), LabelSelector.NOTHING));
        assertThat(affinity.preferredAffinity())
                .containsExactly(new WeightedPodAffinityTerm(
                        5, new PodAffinityTerm(LabelSelector.EVERYTHING, "host", List.of(), LabelSelector.EVERYTHING)));
        assertThat(affinity.requiredAntiAffinity()).containsExactly(new PodAffinityTerm(web, "host", List.of(), teamA));
        assertThat(affinity.preferredAntiAffinity())
                .containsExactly(new WeightedPodAffinityTerm(
                        9, new PodAffinityTerm(LabelSelector.NOTHING, "host", List.of(), LabelSelector.NOTHING)));
    }

    @Test
    void readsTheStatus() {
        PodStatus status = new PodStatus(
                "Running",
                "n2",
                List.of(
                        new ContainerStatus(
                                "app", ResourceList.of("cpu", "400m"), Optional.of(ResourceList.of("cpu", "300m"))),
                        new ContainerStatus("bare", Map.of(), Optional.empty()),
                        new ContainerStatus("proxy", Map.of(), Optional.of(Map.of()))),
                true,
                ResourceList.of("cpu", "2"),
                Optional.of(ResourceList.of("cpu", "1")));

        assertThat(pod.status())
                .isEqualTo(PodStatusBuilder.from(status).ready(true).build());
    }

    @Test
    void aBarePodIsWhatTheBuilderMakes() {
        String json = "{'kind':'Pod','metadata':{'name':'p'},'spec':{'resources':null,'affinity':{}}}";

        assertThat(new ObjectReader().read(json.replace('\'', '"')))
                .isEqualTo(PodBuilder.pod("p").build());
    }

    @Test
    void equalSetsOfManyValuesAreReadIntoOne() {
        String values = IntStream.range(0, 10_000).mapToObj(i -> "'v" + i + "'").collect(Collectors.joining(","));
        String json = """
            {'kind':'Pod','metadata':{'name':'p'},'spec':{'affinity':{'nodeAffinity':{
            'requiredDuringSchedulingIgnoredDuringExecution':{'nodeSelectorTerms':[{'matchExpressions':[
            {'key':'rack','operator':'In','values':[%s]}]}]}}}}}
            """.formatted(values).replace('\'', '"');
        ObjectReader reader = new ObjectReader();

        List<String> first = valuesOf((Pod) reader.read(json));
        List<String> second = valuesOf((Pod) reader.read(json));

        assertThat(first).hasSize(10_000).contains("v77").doesNotContain("v");
        assertThat(second).isSameAs(first);
    }

    private static List<String> valuesOf(Pod pod) {
        return pod.spec()
                .nodeAffinity()
                .required()
                .orElseThrow()
                .terms()
                .getFirst()
                .matchExpressions()
                .getFirst()
                .values();
    }
}
