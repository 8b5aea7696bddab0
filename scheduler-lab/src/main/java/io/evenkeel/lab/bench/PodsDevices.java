package io.evenkeel.lab.bench;

import io.evenkeel.lab.bench.FillLimits.FillingPods;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.PodResourceClaim;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PodStatus.MadeClaim;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.device.Device;
import io.evenkeel.model.device.Device.Attribute;
import io.evenkeel.model.device.Device.Capacity;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.DeviceClass;
import io.evenkeel.model.device.DeviceNodes;
import io.evenkeel.model.device.DeviceRequest;
import io.evenkeel.model.device.DeviceRequest.Wanted;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.device.ResourceSlice;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Nodes with GPUs of two models, and pods that ask for one by a claim of their own, as a template makes it: by its class and by an
 * expression that half of the devices match.
 */
final class PodsDevices {
    private static final String DRIVER = "gpu.example.com";
    private static final String CLASS = "gpu";
    private static final String REQUEST = "gpu";
    private static final int ON_A_NODE = 16;

    /** As many devices are of the model that the pods want. */
    static final int MOST_PODS_ON_A_NODE = ON_A_NODE / 2;

    private PodsDevices() {}

    static void addObjects(BenchCase benchCase, List<KubernetesObject> objects) {
        objects.add(new DeviceClass(
                ObjectMeta.named("", CLASS), List.of("device.driver == '" + DRIVER + "'"), List.of(), ""));
        for (int node = 0; node < benchCase.nodes(); node++) {
            objects.add(slice("node-" + node));
        }
        for (int pod = 0; pod < benchCase.filled() + benchCase.pods(); pod++) {
            objects.add(claim(benchCase, pod));
        }
    }

    static void claim(PodBuilder pod, int index) {
        MadeClaim made = new MadeClaim(REQUEST, Optional.of(claimName(index)));
        pod.uid("uid-" + index)
                .resourceClaim(new PodResourceClaim(REQUEST, "", "one-gpu"))
                .status(PodStatusBuilder.from(PodStatus.PENDING)
                        .claims(List.of(made))
                        .build());
    }

    private static String claimName(int pod) {
        return "claim-" + pod;
    }

    private static ResourceSlice slice(String node) {
        List<Device> devices = new ArrayList<>();
        for (int index = 0; index < ON_A_NODE; index++) {
            devices.add(new Device(
                    "gpu-" + index,
                    Map.of(
                            "model", new Attribute.Text(index % 2 == 0 ? "a100" : "t4"),
                            "index", new Attribute.Int(index)),
                    Map.of("memory", new Capacity(Quantity.parse("80Gi"), Optional.empty())),
                    List.of(),
                    DeviceNodes.NONE,
                    List.of(),
                    false,
                    List.of(),
                    List.of(),
                    false));
        }
        return new ResourceSlice(
                ObjectMeta.named("", node + "-gpus"),
                DRIVER,
                new ResourceSlice.Pool(node, 1, 1),
                new DeviceNodes(node, Optional.empty(), false),
                false,
                devices,
                List.of());
    }

    private static ResourceClaim claim(BenchCase benchCase, int pod) {
        ObjectMeta meta = new ObjectMeta(
                "default",
                claimName(pod),
                "uid-of-" + claimName(pod),
                Labels.EMPTY,
                Optional.of(new OwnerReference("v1", "Pod", Workload.DRA.id() + "-" + pod, "uid-" + pod)),
                false);
        Wanted one = new Wanted(
                "",
                CLASS,
                List.of("device.attributes['" + DRIVER + "'].model == 'a100'" + " && device.capacity['" + DRIVER
                        + "'].memory.compareTo(quantity('40Gi')) >= 0"),
                "ExactCount",
                1,
                false,
                List.of(),
                Map.of());
        return new ResourceClaim(
                meta,
                new ResourceClaim.Spec(List.of(new DeviceRequest(REQUEST, List.of(one), false)), List.of(), List.of()),
                pod < benchCase.filled() ? Optional.of(allocation(benchCase, pod)) : Optional.empty(),
                List.of(),
                List.of());
    }

    /** Of the first of its node's devices that no pod before it has. */
    private static DeviceAllocation allocation(BenchCase benchCase, int pod) {
        String node = "node-" + FillingPods.nodeInTurn(benchCase, pod);
        NodeSelectorRequirement onNode = new NodeSelectorRequirement(
                NodeSelectorTerm.NAME_FIELD, NodeSelectorRequirement.Operator.IN, List.of(node));
        return new DeviceAllocation(
                List.of(new DeviceAllocation.Result(
                        REQUEST,
                        DRIVER,
                        node,
                        "gpu-" + 2 * (pod / benchCase.nodes()),
                        false,
                        List.of(),
                        List.of(),
                        List.of(),
                        "",
                        Map.of())),
                List.of(),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(List.of(), List.of(onNode))))),
                "");
    }
}
