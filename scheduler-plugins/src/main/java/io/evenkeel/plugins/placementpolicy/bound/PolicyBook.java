package io.evenkeel.plugins.placementpolicy.bound;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.Differences;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PolicyObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The policies that there are, each bound to its counts once, whatever number of pods it is about. */
public final class PolicyBook implements ClusterIndex {
    private static final String EVERYWHERE = "";

    private final ClusterView cluster;
    /** By namespace and name; those of the cluster are in none. */
    private final Map<String, SortedMap<String, BoundPolicy>> policies = new HashMap<>();

    private long changes;

    private PolicyBook(ClusterView cluster) {
        this.cluster = cluster;
    }

    public static PolicyBook of(ClusterView cluster) {
        return cluster.index(PolicyBook.class, PolicyBook::new);
    }

    /** The policies that are about the pod: of its namespace by name, then of the cluster by name. */
    public List<BoundPolicy> governing(Pod pod) {
        if (policies.isEmpty()) {
            return List.of();
        }
        List<BoundPolicy> governing = addGoverning(List.of(), policies.get(pod.namespace()), pod);
        return addGoverning(governing, policies.get(EVERYWHERE), pod);
    }

    private List<BoundPolicy> addGoverning(
            List<BoundPolicy> known, @Nullable SortedMap<String, BoundPolicy> some, Pod pod) {
        if (some == null) {
            return known;
        }
        List<BoundPolicy> all = known;
        cluster.work().add(some.size());
        for (BoundPolicy policy : some.values()) {
            if (policy.governs(pod)) {
                all = all.isEmpty() ? new ArrayList<>() : all;
                all.add(policy);
            }
        }
        return all;
    }

    /** Grows whenever there are other policies than before, or one asks for something else. */
    public long changes() {
        return changes;
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        if (before.orElse(null) instanceof PolicyObject old
                && after.orElse(null) instanceof PolicyObject now
                && now.isOfTheSameSpec(old)) {
            changes += now.asksForTheSameAs(old) ? 0 : 1;
            bound(old).ifPresent(bound -> bound.saysNow(now));
            return;
        }
        before.ifPresent(this::remove);
        after.ifPresent(this::add);
    }

    private Optional<BoundPolicy> bound(PolicyObject policy) {
        return Optional.ofNullable(policies.get(policy.meta().namespace()))
                .map(some -> some.get(policy.meta().name()));
    }

    private void add(KubernetesObject object) {
        if (object instanceof PolicyObject policy) {
            changes++;
            policies.computeIfAbsent(policy.meta().namespace(), _ -> new TreeMap<>())
                    .put(policy.meta().name(), new BoundPolicy(cluster, policy));
        }
    }

    private void remove(KubernetesObject object) {
        if (object instanceof PolicyObject policy) {
            changes++;
            SortedMap<String, BoundPolicy> all =
                    policies.getOrDefault(policy.meta().namespace(), new TreeMap<>());
            Optional.ofNullable(all.remove(policy.meta().name())).ifPresent(BoundPolicy::release);
            if (all.isEmpty()) {
                policies.remove(policy.meta().namespace());
            }
        }
    }

    public Collection<BoundPolicy> all() {
        return policies.values().stream()
                .flatMap(some -> some.values().stream())
                .toList();
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        differences.compare(() -> "policies", kept(), known());
    }

    private SortedMap<String, PolicyObject> kept() {
        SortedMap<String, PolicyObject> kept = new TreeMap<>();
        all().forEach(bound -> kept.put(key(bound.policy()), bound.policy()));
        return kept;
    }

    private SortedMap<String, PolicyObject> known() {
        SortedMap<String, PolicyObject> known = new TreeMap<>();
        cluster.objects().all(Kinds.PLACEMENT_POLICY).forEach(policy -> known.put(key(policy), policy));
        cluster.objects().all(Kinds.CLUSTER_PLACEMENT_POLICY).forEach(policy -> known.put(key(policy), policy));
        return known;
    }

    private static String key(PolicyObject policy) {
        return policy.kindName() + " " + policy.meta().key();
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        all().forEach(bound -> line.accept(
                "policy " + bound.policy().meta().key() + " " + bound.policy().spec()));
    }
}
