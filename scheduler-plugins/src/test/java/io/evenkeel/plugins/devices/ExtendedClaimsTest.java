package io.evenkeel.plugins.devices;

import static io.evenkeel.model.build.NodeBuilder.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus.Mapping;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.devices.ExtendedClaims.Asked;
import io.evenkeel.plugins.devices.ExtendedClaims.Made;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ExtendedClaimsTest {
    private static final String GPU = "example.com/gpu";
    private static final String NIC = "deviceclass.resource.kubernetes.io/nic";

    private final ClusterState cluster = new ClusterState();
    private final ExtendedClaims claims = ExtendedClaims.of(cluster.view());

    ExtendedClaimsTest() {
        cluster.put(new DeviceClass(ObjectMeta.named("", "gpus"), List.of(), List.of(), GPU));
        cluster.put(new DeviceClass(ObjectMeta.named("", "nic"), List.of(), List.of(), ""));
        cluster.put(node("bare").allocatable("cpu", "8").build());
        cluster.put(node("gpus").allocatable("cpu", "8", GPU, "1").build());
        cluster.put(node("used").allocatable(GPU, "0", NIC, "3").build());
        cluster.put(node("both").allocatable(GPU, "1", NIC, "3").build());
    }

    private static PodBuilder pod() {
        return PodBuilder.pod("shop", "p").uid("u");
    }

    private List<String> requests(Pod pod, String node) {
        return made(pod, node)
                .map(made -> made.claim().spec().requests().stream()
                        .map(ExtendedClaimsTest::describe)
                        .toList())
                .orElse(List.of());
    }

    private Optional<Made> made(Pod pod, String node) {
        return claims.on(claims.asked(pod).orElseThrow(), cluster.view().nodes().findPresent(node));
    }

    private ObjectMeta metaFor(Pod pod) {
        return made(pod, "bare").orElseThrow().claim().meta();
    }

    private static String describe(DeviceRequest request) {
        DeviceRequest.Wanted wanted = request.alternatives().getFirst();
        return request.name() + ": " + wanted.count() + " of " + wanted.deviceClass();
    }

    @Test
    void onlyResourcesThatStandForDevicesAreMeant() {
        Pod without =
                pod().container("cpu", "1", "example.com/fpga", "1", GPU, "0").build();
        assertThat(cluster.view().needsDevices(without)).isFalse();
        assertThat(claims.asked(without)).isEmpty();

        Pod with = pod().container("cpu", "1", "example.com/fpga", "1", GPU, "2")
                .initContainer(NIC, "1")
                .build();
        assertThat(cluster.view().needsDevices(with)).isTrue();
        assertThat(claims.asked(with))
                .contains(new Asked(with, List.of(NIC, GPU), List.of("example.com/fpga"), Optional.empty()));
    }

    @Test
    void eachContainerHasARequestOfItsOwnByItsPlaceAndThatOfTheResource() {
        Pod pod = pod().container("cpu", "1", GPU, "2")
                .container(NIC, "1", GPU, "1", "zzz.com/z", "1")
                .build();

        assertThat(requests(pod, "bare"))
                .containsExactly(
                        "container-0-request-1: 2 of gpus",
                        "container-1-request-0: 1 of nic",
                        "container-1-request-1: 1 of gpus");
        assertThat(made(pod, "bare").orElseThrow().mappings())
                .containsExactly(
                        new Mapping("c1", NIC, "container-1-request-0"),
                        new Mapping("c0", GPU, "container-0-request-1"),
                        new Mapping("c1", GPU, "container-1-request-1"));
    }

    @Test
    void whatANodeOffersItselfIsNotInItsClaim() {
        Pod pod = pod().container(NIC, "1", GPU, "1").build();
        Asked asked = claims.asked(pod).orElseThrow();
        NodeTable nodes = cluster.view().nodes();

        assertThat(requests(pod, "gpus")).containsExactly("container-0-request-0: 1 of nic");
        assertThat(requests(pod, "used")).containsExactly("container-0-request-1: 1 of gpus");
        assertThat(made(pod, "both")).isEmpty();
        assertThat(claims.offerTheSame(asked, nodes.findPresent("gpus"), nodes.findPresent("used")))
                .isFalse();
        cluster.put(node("used").allocatable(GPU, "9").build());
        assertThat(claims.offerTheSame(asked, nodes.findPresent("gpus"), nodes.findPresent("used")))
                .isTrue();
    }

    @Test
    void whatAPodAsksNoneOfIsNotMeant() {
        Pod pod = pod().container(NIC, "1", GPU, "0").build();
        assertThat(claims.asked(pod)).contains(new Asked(pod, List.of(NIC), List.of(), Optional.empty()));
    }

    @Test
    void aClaimOfThePodWithoutTheAnnotationIsAsAnyOther() {
        Pod pod = pod().container(GPU, "1").build();
        ResourceClaim made = made(pod, "bare").orElseThrow().claim();
        ObjectMeta meta = made.meta();
        ResourceClaim plain = new ResourceClaim(
                new ObjectMeta(meta.namespace(), "c", "uid-c", Labels.EMPTY, meta.controller(), false),
                made.spec(),
                Optional.empty(),
                List.of(),
                List.of());
        cluster.put(plain);
        assertThat(claims.asked(pod).flatMap(Asked::left)).isEmpty();
        assertThat(ExtendedClaims.isOf(pod, plain)).isFalse();
        assertThat(ExtendedClaims.isOf(pod, made)).isTrue();
        assertThat(ExtendedClaims.isOf(pod().uid("v").build(), made)).isFalse();
    }

    /** NodeResourcesFit may have been told to ignore them. */
    @Test
    void aNodeHasToKnowTheOtherExtendedResources() {
        Asked asked = claims.asked(pod().container(GPU, "1", NIC, "1", "example.com/fpga", "1")
                        .build())
                .orElseThrow();
        cluster.put(node("fpga").allocatable("example.com/fpga", "0").build());
        NodeTable nodes = cluster.view().nodes();

        assertThat(claims.fitsOtherwise(asked, nodes.findPresent("bare"))).isFalse();
        assertThat(claims.fitsOtherwise(asked, nodes.findPresent("fpga"))).isTrue();
    }

    @Test
    void containersThatHaveEndedUseWhatOthersWillUse() {
        Pod pod = pod().initContainer(GPU, "2")
                .sidecar(GPU, "1")
                .initContainer(GPU, "5")
                .initContainer(GPU, "4")
                .container(GPU, "1")
                .build();
        List<String> names = pod.spec().initContainers().stream()
                .map(container -> container.name())
                .toList();
        String last = pod.spec().containers().getFirst().name();

        assertThat(requests(pod, "bare"))
                .containsExactly(
                        "container-1-request-0: 1 of gpus",
                        "container-2-request-0: 4 of gpus",
                        "container-4-request-0: 1 of gpus");
        assertThat(made(pod, "bare").orElseThrow().mappings())
                .containsExactly(
                        new Mapping(names.get(1), GPU, "container-1-request-0"),
                        new Mapping(last, GPU, "container-4-request-0"),
                        new Mapping(names.get(0), GPU, "container-1-request-0"),
                        new Mapping(names.get(0), GPU, "container-4-request-0"),
                        new Mapping(names.get(2), GPU, "container-4-request-0"),
                        new Mapping(names.get(2), GPU, "container-2-request-0"),
                        new Mapping(names.get(3), GPU, "container-4-request-0"),
                        new Mapping(names.get(3), GPU, "container-2-request-0"));
    }

    /** Whatever the number of its containers: each of the first would share what all the others use. */
    @Test
    void whatIsMoreThanAClaimMayHaveIsOneRequest() {
        PodBuilder builder = pod();
        for (int i = 0; i < 40; i++) {
            builder.initContainer("cpu", "1", GPU, i == 7 ? "1000000000" : "999999999")
                    .container(GPU, "1");
        }
        Pod pod = builder.build();
        ResourceClaim claim = made(pod, "bare").orElseThrow().claim();

        assertThat(requests(pod, "bare")).containsExactly("container-0-request-1: 1000000000 of gpus");
        assertThat(DeviceBook.of(cluster.view())
                        .allocate(List.of(claim), cluster.view().nodes().findPresent("bare")))
                .isEqualTo(new DeviceBook.Answer.Failed("claim " + claim.key()
                        + ": number of requested devices 1000000000 exceeds the claim limit of 32"));
        assertThat(requests(pod().container(GPU, "30", NIC, "3").build(), "bare"))
                .containsExactly("container-0-request-0: 3 of nic", "container-0-request-1: 30 of gpus");
        assertThat(requests(pod().container(GPU, "2").container(GPU, "30").build(), "bare"))
                .containsExactly("container-0-request-0: 2 of gpus", "container-1-request-0: 30 of gpus");
    }

    @Test
    void theClaimIsThePodsAndHasTheSameNameEachTime() {
        ObjectMeta meta = metaFor(pod().container(GPU, "1").build());

        assertThat(meta.key()).matches("shop/p-extended-resources-[b-z2-9]{5}");
        assertThat(metaFor(pod().container(NIC, "1").build())).isEqualTo(meta);
        assertThat(metaFor(pod().uid("v").container(NIC, "1").build()).name()).isNotEqualTo(meta.name());
        assertThat(meta.annotations()).isEqualTo(Labels.of(Annotations.EXTENDED_RESOURCE_CLAIM, "true"));
        assertThat(meta.controller().orElseThrow().uid()).isEqualTo("u");
        assertThat(metaFor(PodBuilder.pod("shop", "p".repeat(70))
                                .container(NIC, "1")
                                .build())
                        .name())
                .hasSize(63);
    }

    @Test
    void oneThatIsLeftFromBeforeIsFoundByItsPod() {
        Pod pod = pod().container(GPU, "1").build();
        ResourceClaim claim = made(pod, "bare").orElseThrow().claim();
        assertThat(claims.asked(pod).flatMap(Asked::left)).isEmpty();

        cluster.put(claim);
        assertThat(claims.asked(pod).flatMap(Asked::left)).contains(claim);
        assertThat(claims.asked(pod().uid("v").container(GPU, "1").build()).flatMap(Asked::left))
                .isEmpty();
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        cluster.remove(claim);
        assertThat(claims.asked(pod).flatMap(Asked::left)).isEmpty();
    }

    @Test
    void aClaimElsewhereThatNamesThePodIsNotThePods() {
        Pod pod = pod().container(GPU, "1").build();
        ResourceClaim claim = made(pod, "bare").orElseThrow().claim();
        Stream.of(PodBuilder.pod("mill", "p"), PodBuilder.pod("shop", "q"))
                .map(other -> metaFor(other.uid("u").container(GPU, "1").build()))
                .forEach(meta ->
                        cluster.put(new ResourceClaim(meta, claim.spec(), Optional.empty(), List.of(), List.of())));

        assertThat(claims.asked(pod).flatMap(Asked::left)).isEmpty();
    }
}
