package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.ExtendedClaims.Made;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The claims that have their devices by a decision which the API server does not show yet, each with the pod that was decided. A
 * pod that is placed hypothetically, as those of a gang are while places are looked for, gets devices too, and gives them back
 * when it is taken away. One that was on a node before and is put back gets nothing: it has what it had.
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
    /** What pods have got that were placed by the what-ifs, be it nothing. */
    private final Map<String, List<ResourceClaim>> supposed = new HashMap<>();
    /** The pods that what-ifs have taken from where they were before all of them. */
    private final Set<String> wereThere = new HashSet<>();

    private int whatIfs;
    private DeviceBook.Budget budget;

    private ClaimsUnderway(ClusterView cluster) {
        this.cluster = cluster;
        pods = cluster.pods();
        book = DeviceBook.of(cluster);
        budget = book.budget();
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

    /** Takes that back, but for what the server shows by now, and for what another pod has since. */
    void forget(Pod pod, List<ResourceClaim> claims) {
        for (ResourceClaim claim : claims.reversed()) {
            if (holderOf(claim).filter(holder -> isSame(holder, pod)).isPresent()) {
                book.forget(claim);
                decidedFor.remove(DeviceBook.idOf(claim));
            }
        }
    }

    static boolean isSame(Pod pod, Pod other) {
        return pod.key().equals(other.key())
                && pod.meta().uid().equals(other.meta().uid());
    }

    /**
     * Whether a what-if has placed the pod and gave this claim its devices, and the claim is the pod's alone. Who asks about that
     * pod then asks for another like it, which needs devices of its own.
     */
    boolean isSupposedFor(Pod pod, ResourceClaim claim) {
        return supposed.getOrDefault(pod.key(), List.of()).contains(claim) && ClaimReader.isMadeFor(pod, claim);
    }

    /** The pod whose decision gave the claim its devices. */
    Optional<Pod> holderOf(ResourceClaim claim) {
        return Optional.ofNullable(decidedFor.get(DeviceBook.idOf(claim)));
    }

    @Override
    public Runnable whatIfBegins() {
        if (whatIfs == 0) {
            budget = book.budget();
        }
        whatIfs++;
        return () -> {
            whatIfs--;
            if (whatIfs == 0) {
                wereThere.clear();
            }
        };
    }

    @Override
    public void podPlaced(int row) {
        Pod pod = pods.pod(row);
        if (whatIfs == 0 || !cluster.needsDevices(pod) || wereThere.contains(pod.key())) {
            return;
        }
        List<ResourceClaim> given = List.of();
        List<ResourceClaim> without = without(pod, pods.node(row));
        if (!without.isEmpty()
                && answer(without, pods.node(row)) instanceof Answer.Found(List<DeviceAllocation> allocations)) {
            assume(pod, without, allocations);
            given = without;
        }
        supposed.put(pod.key(), given);
    }

    private List<ResourceClaim> without(Pod pod, int node) {
        if (!(reader.read(pod) instanceof ClaimReader.Answer.Claims(List<ResourceClaim> claims))) {
            return List.of();
        }
        Stream<ResourceClaim> made = extended
                .asked(pod)
                .filter(asked -> asked.left().isEmpty())
                .flatMap(asked -> extended.on(asked, node))
                .map(Made::claim)
                .stream();
        return Stream.concat(claims.stream(), made)
                .filter(claim ->
                        claim.allocation().isEmpty() && book.assumed(claim).isEmpty())
                .toList();
    }

    /** A search that breaks is a fault of the claims, not of the cluster. */
    private Answer answer(List<ResourceClaim> claims, int node) {
        try {
            return budget.allocate(claims, node);
        } catch (RuntimeException | StackOverflowError thrown) {
            return new Answer.Failed(thrown.toString());
        }
    }

    @Override
    public void podRemoved(int row) {
        if (whatIfs > 0) {
            Pod pod = pods.pod(row);
            List<ResourceClaim> given = supposed.remove(pod.key());
            if (given != null) {
                forget(pod, given);
            } else if (cluster.needsDevices(pod)) {
                wereThere.add(pod.key());
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
    public Consumer<Predicate<ObjectMeta>> listBegins(String kind) {
        return _ -> decidedFor.keySet().removeIf(id -> !book.isAssumed(id));
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
