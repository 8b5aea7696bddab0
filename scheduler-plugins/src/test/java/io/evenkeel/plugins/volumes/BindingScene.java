package io.evenkeel.plugins.volumes;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.plugins.PluginHarness;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster with VolumeBinding, whose first node pods are reserved for. */
final class BindingScene {
    private final PluginHarness cluster;
    private final VolumeBinding plugin;
    private final List<Reserved> reserved = new ArrayList<>();

    private record Reserved(CycleState state, PodInfo pod) {}

    BindingScene(KubernetesObject... objects) {
        cluster = PluginHarness.cluster(objects);
        plugin = new VolumeBinding(cluster.context());
    }

    void put(KubernetesObject object) {
        cluster.put(object);
    }

    void remove(KubernetesObject object) {
        cluster.remove(object);
    }

    Map<String, Status> verdicts(Pod pod) {
        return Verdicts.of(cluster.state(), plugin, pod);
    }

    /** What the only node hears. */
    Status verdict(Pod pod) {
        return Verdicts.ofOnly(cluster.state(), plugin, pod);
    }

    boolean wakes(Pod waiting, Optional<ClusterChange> change) {
        return cluster.wakes(plugin, waiting, change);
    }

    /** Which volumes are kept for the pod's claims. */
    List<String> reserve(Pod pod) {
        CycleState state = new CycleState();
        PodInfo info = cluster.state().admit(pod);
        plugin.preFilter(state, info);
        Status status = plugin.reserve(state, info, node());
        if (!status.isSuccess()) {
            throw new AssertionError(status.toString());
        }
        reserved.add(new Reserved(state, info));
        VolumeBook book = VolumeBook.of(cluster.state().view());
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimOf(pod).stream())
                .flatMap(claim -> book.ofClaim(ClaimBuilder.claim(claim).build()).stream()
                        .map(volume -> volume.name() + " for default/" + claim))
                .toList();
    }

    /** What is done for the pod that was reserved last, before it is bound. */
    Preparation preparation() {
        Reserved last = reserved.getLast();
        return plugin.prepare(last.state(), last.pod(), node().name()).orElseThrow();
    }

    boolean isNothingToPrepare() {
        Reserved last = reserved.getLast();
        return plugin.prepare(last.state(), last.pod(), node().name()).isEmpty();
    }

    /** The pod that was reserved last goes nowhere. */
    void unreserve() {
        Reserved last = reserved.removeLast();
        plugin.unreserve(last.state(), last.pod(), node().name());
    }

    private NodeInfo node() {
        return cluster.state()
                .view()
                .nodeInfo(cluster.state().view().nodes().present().first());
    }
}
