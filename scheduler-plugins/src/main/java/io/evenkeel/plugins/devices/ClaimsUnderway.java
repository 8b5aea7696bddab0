package io.evenkeel.plugins.devices;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.plugins.devices.DeviceBook.Answer;
import io.evenkeel.plugins.devices.ExtendedClaims.Asked;
import io.evenkeel.plugins.devices.ExtendedClaims.Made;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.IntStream;
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
 *
 * <p>Until devices are written, pods of a group that are on one node may exchange them, so that there are some for one more:
 *
 * <pre>
 *   p, which takes a whole GPU or a half, is placed on n1      p's claim has the whole GPU
 *   q, which does too, is placed there                         p's claim has a half, and q's the other
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
    private final Map<String, Supposed> supposed = new HashMap<>();
    /** The claims with devices that are not being written yet, by their pods' keys. */
    private final Map<String, List<ResourceClaim>> unsettled = new LinkedHashMap<>();
    /** The pods that what-ifs have taken from where they were before all of them. */
    private final Set<String> wereThere = new HashSet<>();

    private GroupMembers members = GroupMembers.NONE;
    private int whatIfs;
    private DeviceBook.Budget budget;

    /**
     * What a pod has got that was placed by a what-if.
     *
     * @param exchange what others have got instead for that
     */
    private record Supposed(List<ResourceClaim> claims, Optional<Exchange> exchange) {}

    /**
     * Devices of which others have other ones, so that a pod has some.
     *
     * @param others the claims of the others
     * @param before what each of them has
     * @param after what each has instead
     * @param own what each of the pod's claims gets then
     */
    record Exchange(
            List<ResourceClaim> others,
            List<DeviceAllocation> before,
            List<DeviceAllocation> after,
            List<DeviceAllocation> own) {}

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

    /** Who knows which pods are of one group. */
    void tell(GroupMembers groups) {
        members = groups;
    }

    /** The claims have these devices from now on, for this pod. */
    void assume(Pod pod, List<ResourceClaim> claims, List<DeviceAllocation> allocations) {
        for (int i = 0; i < claims.size(); i++) {
            book.assume(claims.get(i), allocations.get(i));
            decidedFor.put(DeviceBook.idOf(claims.get(i)), pod);
        }
        unsettled.put(pod.key(), claims);
    }

    /** What the claims have; they keep it from now on. */
    List<DeviceAllocation> settle(Pod pod, List<ResourceClaim> claims, List<DeviceAllocation> given) {
        unsettled.remove(pod.key());
        return IntStream.range(0, claims.size())
                .mapToObj(i -> book.assumed(claims.get(i)).orElse(given.get(i)))
                .toList();
    }

    /** Whether any pods have devices that they may exchange. */
    boolean mayExchange() {
        return !unsettled.isEmpty();
    }

    /** The nodes of pods that may exchange devices with this one. */
    NodeSet nodesOfOthers(Pod pod) {
        NodeSet there = new NodeSet();
        for (String key : unsettled.keySet()) {
            int row = pods.find(key);
            if (row != PodTable.NONE && areOfOneGroup(pods.pod(row), pod)) {
                there.add(pods.node(row));
            }
        }
        return there;
    }

    /** Other devices for others of the pod's group on the node, with which there are some for these claims of the pod. */
    Optional<Exchange> exchange(Pod pod, List<ResourceClaim> claims, int node, DeviceBook.Budget looks) {
        List<ResourceClaim> others = new ArrayList<>();
        List<DeviceAllocation> before = new ArrayList<>();
        unsettled.forEach((key, theirs) -> {
            int row = pods.find(key);
            if (row != PodTable.NONE
                    && pods.node(row) == node
                    && !key.equals(pod.key())
                    && areOfOneGroup(pods.pod(row), pod)) {
                for (ResourceClaim claim : theirs) {
                    book.assumed(claim).ifPresent(allocation -> {
                        others.add(claim);
                        before.add(allocation);
                    });
                }
            }
        });
        List<ResourceClaim> all = new ArrayList<>(others);
        all.addAll(claims);
        if (others.isEmpty() || !book.dependsOnChoice(all, node)) {
            return Optional.empty();
        }
        others.forEach(book::forget);
        Answer answer = answer(all, node, looks);
        for (int i = 0; i < others.size(); i++) {
            book.assume(others.get(i), before.get(i));
        }
        return answer instanceof Answer.Found(List<DeviceAllocation> found)
                ? Optional.of(new Exchange(
                        others, before, found.subList(0, others.size()), found.subList(others.size(), found.size())))
                : Optional.empty();
    }

    void make(Exchange exchange) {
        give(exchange.others(), exchange.before(), exchange.after());
    }

    /** Those that still have what they had. */
    private void give(List<ResourceClaim> claims, List<DeviceAllocation> before, List<DeviceAllocation> after) {
        for (int i = 0; i < claims.size(); i++) {
            if (book.assumed(claims.get(i)).equals(Optional.of(before.get(i)))) {
                book.assume(claims.get(i), after.get(i));
            }
        }
    }

    private boolean areOfOneGroup(Pod pod, Pod other) {
        Optional<GroupKey> group = members.groupOf(pod);
        return group.isPresent() && group.equals(members.groupOf(other));
    }

    /**
     * Whether the pod may count on devices that the claim gets by a decision: one for itself, for one of its group, or for one that
     * a what-if has placed, which is taken to be bound by then.
     */
    boolean mayCountOn(ResourceClaim claim, Pod pod) {
        return holderOf(claim)
                .filter(other -> isSame(other, pod) || supposed.containsKey(other.key()) || areOfOneGroup(other, pod))
                .isPresent();
    }

    /** What the pod asks for by extended resources; a claim that was made for an earlier decision may not be shown yet. */
    Optional<Asked> asked(Pod pod) {
        return extended.asked(pod)
                .map(asked -> asked.orLeft(key -> book.isAssumed(key) && !decidedFor.containsKey(key)));
    }

    /** Takes that back, but for what the server shows by now, and for what another pod has since. */
    void forget(Pod pod, List<ResourceClaim> claims) {
        unsettled.remove(pod.key());
        for (ResourceClaim claim : claims.reversed()) {
            if (holderOf(claim).filter(holder -> isSame(holder, pod)).isPresent()) {
                book.forget(claim);
                decidedFor.remove(DeviceBook.idOf(claim));
            }
        }
        if (!decidedFor.isEmpty()) {
            decidedFor.remove(ExtendedClaims.keyFor(pod));
        }
    }

    static boolean isSame(Pod pod, Pod other) {
        return pod.key().equals(other.key())
                && pod.meta().uid().equals(other.meta().uid());
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
        supposed.put(pod.key(), suppose(pod, without(pod, pods.node(row)), pods.node(row)));
    }

    private Supposed suppose(Pod pod, List<ResourceClaim> without, int node) {
        if (!without.isEmpty()) {
            if (answer(without, node, budget) instanceof Answer.Found(List<DeviceAllocation> allocations)) {
                assume(pod, without, allocations);
                return new Supposed(without, Optional.empty());
            }
            Optional<Exchange> exchange = exchange(pod, without, node, budget);
            if (exchange.isPresent()) {
                make(exchange.get());
                assume(pod, without, exchange.get().own());
                return new Supposed(without, exchange);
            }
        }
        return new Supposed(List.of(), Optional.empty());
    }

    private List<ResourceClaim> without(Pod pod, int node) {
        if (!(reader.read(pod) instanceof ClaimReader.Answer.Claims(List<ResourceClaim> claims))) {
            return List.of();
        }
        Stream<ResourceClaim> made = asked(pod)
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
    private static Answer answer(List<ResourceClaim> claims, int node, DeviceBook.Budget looks) {
        try {
            return looks.allocate(claims, node);
        } catch (RuntimeException | StackOverflowError thrown) {
            return new Answer.Failed(thrown.toString());
        }
    }

    @Override
    public void podRemoved(int row) {
        if (whatIfs > 0) {
            Pod pod = pods.pod(row);
            Supposed given = supposed.remove(pod.key());
            if (given != null) {
                forget(pod, given.claims());
                given.exchange().ifPresent(exchange -> give(exchange.others(), exchange.after(), exchange.before()));
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
