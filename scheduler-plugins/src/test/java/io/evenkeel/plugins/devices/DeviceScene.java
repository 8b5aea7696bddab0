package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.DeviceObjects.ClaimBuilder;
import io.evenkeel.plugins.devices.DeviceObjects.SliceBuilder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A cluster with the nodes n1, in zone a, and n2, in zone b, and the class "any", which has no selectors. */
final class DeviceScene {
    final ClusterState cluster;
    final DeviceBook book;

    DeviceScene() {
        this(Map.of());
    }

    DeviceScene(Map<String, Boolean> gates) {
        this(FeatureGates.with(gates));
    }

    DeviceScene(FeatureGates gates) {
        cluster = new ClusterState(gates);
        book = DeviceBook.of(cluster.view());
        put(NodeBuilder.node("n1").label("zone", "a").build());
        put(NodeBuilder.node("n2").label("zone", "b").build());
        put(DeviceObjects.deviceClass("any"));
    }

    static DeviceScene without(String gate) {
        return new DeviceScene(Map.of(gate, false));
    }

    DeviceScene put(KubernetesObject... objects) {
        Arrays.stream(objects).forEach(cluster::put);
        return this;
    }

    DeviceScene put(SliceBuilder... slices) {
        Arrays.stream(slices).map(SliceBuilder::build).forEach(cluster::put);
        return this;
    }

    DeviceScene put(ClaimBuilder... claims) {
        Arrays.stream(claims).map(ClaimBuilder::build).forEach(cluster::put);
        return this;
    }

    int node(String name) {
        return cluster.view().nodes().findPresent(name);
    }

    Answer answer(String node, ClaimBuilder... claims) {
        return book.allocate(claims(claims), node(node));
    }

    static List<ResourceClaim> claims(ClaimBuilder... claims) {
        return Arrays.stream(claims).map(ClaimBuilder::build).toList();
    }

    List<DeviceAllocation> allocations(String node, ClaimBuilder... claims) {
        return ((Answer.Found) answer(node, claims)).allocations();
    }

    /** The devices that claims get on n1, as {@code request: device}, or why not. */
    String devices(ClaimBuilder... claims) {
        return devicesOn("n1", claims);
    }

    String devicesOn(String node, ClaimBuilder... claims) {
        return text(answer(node, claims));
    }

    static String text(Answer answer) {
        return switch (answer) {
            case Answer.Found(List<DeviceAllocation> allocations) ->
                allocations.stream().map(DeviceScene::text).collect(Collectors.joining(" | "));
            case Answer.None(String reason) -> reason;
            case Answer.Failed(String message) -> "error: " + message;
        };
    }

    private static String text(DeviceAllocation allocation) {
        return allocation.results().stream()
                .map(result -> result.request() + ": " + result.device()
                        + (result.consumed().isEmpty() ? "" : " " + new TreeMap<>(result.consumed())))
                .collect(Collectors.joining(", "));
    }

    List<String> audit() {
        return ClusterAudit.differences(cluster.view());
    }
}
