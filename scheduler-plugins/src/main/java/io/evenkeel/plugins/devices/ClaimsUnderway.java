package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.ExtendedClaims.Made;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The claims that have their devices by a decision which the API server does not show yet, each with the pod that was decided. A
 * pod that is placed hypothetically, as those of a gang are while places are looked for, gets devices too, and gives them back
 * when it is taken away.
 *
 * <pre>
 *   what-if: p of the gang on n1       p's claim has gpu-0 of n1
 *   where can q go?                    not on n1, which had one device
 *   the what-if ends                   gpu-0 is free
 *   p is decided for n1                p's claim has gpu-0, until the server shows it, or p is not bound after all
 * </pre>
 */
final class ClaimsUnderway implements ClusterIndex {
    private final ClusterView cluster;
    private final PodTable pods;
    private final DeviceBook book;
    private final ClaimReader reader;
    private final ExtendedClaims extended;
    private final Map<String, Pod> decidedFor = new HashMap<>();
    private final Map<String, List<ResourceClaim>> supposed = new HashMap<>();
    private int whatIfs;

    private ClaimsUnderway(ClusterView cluster) {
        this.cluster = cluster;
        pods = cluster.pods();
        book = DeviceBook.of(cluster);
        reader = new ClaimReader(cluster.objects());
        extended = ExtendedClaims.of(cluster);
    }

    static ClaimsUnderway of(ClusterView cluster) {
        return cluster.index(ClaimsUnderway.class, ClaimsUnderway::new);
    }

    /** The claims have these devices from now on, for this pod. */
    void assume(Pod pod, List<ResourceClaim> claims, List<DeviceAllocation> allocations) {
        for (int i = 0; i < claims.size(); i++) {
            book.assume(claims.get(i), allocations.get(i));
            decidedFor.put(DeviceBook.idOf(claims.get(i)), pod);
        }
    }

    /** Takes that back, but for what the server shows by now. */
    void forget(List<ResourceClaim> claims) {
        for (ResourceClaim claim : claims.reversed()) {
            book.forget(claim);
            decidedFor.remove(DeviceBook.idOf(claim));
        }
    }

    /** The pod whose decision gave the claim its devices. */
    Optional<Pod> holderOf(ResourceClaim claim) {
        return Optional.ofNullable(decidedFor.get(DeviceBook.idOf(claim)));
    }

    @Override
    public Runnable whatIfBegins() {
        whatIfs++;
        return () -> whatIfs--;
    }

    @Override
    public void podPlaced(int row) {
        Pod pod = pods.pod(row);
        if (whatIfs == 0
                || !cluster.needsDevices(pod)
                || !(reader.read(pod) instanceof ClaimReader.Answer.Claims(List<ResourceClaim> claims))) {
            return;
        }
        Stream<ResourceClaim> made =
                extended.asked(pod).flatMap(asked -> extended.on(asked, pods.node(row))).map(Made::claim).stream();
        List<ResourceClaim> without = Stream.concat(claims.stream(), made)
                .filter(claim ->
                        claim.allocation().isEmpty() && book.assumed(claim).isEmpty())
                .toList();
        if (!without.isEmpty()
                && book.allocate(without, pods.node(row))
                        instanceof DeviceBook.Answer.Found(List<DeviceAllocation> allocations)) {
            assume(pod, without, allocations);
            supposed.put(pod.key(), without);
        }
    }

    @Override
    public void podRemoved(int row) {
        if (!supposed.isEmpty()) {
            List<ResourceClaim> given = supposed.remove(pods.pod(row).key());
            if (given != null) {
                forget(given);
            }
        }
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (!decidedFor.isEmpty()
                && before.or(() -> after).orElseThrow() instanceof ResourceClaim claim
                && book.assumed(claim).isEmpty()) {
            decidedFor.remove(DeviceBook.idOf(claim));
            decidedFor.remove(claim.key());
        }
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        differences.require(
                whatIfs > 0 || supposed.isEmpty(),
                () -> "claims have devices for pods that are on no node: " + supposed.keySet());
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        decidedFor.forEach((claim, pod) -> line.accept("claim " + claim + " decided for pod " + pod.key()));
    }
}
