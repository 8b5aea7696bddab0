package io.evenkeel.policies;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** The policies that there are, each bound to its counts once, whatever number of pods it is about. */
public final class PolicyBook implements ClusterIndex {
    /** Of the policies that are about a pod so many hold. */
    public static final int MOST = 16;

    private static final String EVERYWHERE = "";
    private static final int MOST_CLASSES = 4096;

    private final ClusterView cluster;
    /** By namespace and name; policies of the cluster are in none. */
    private final Map<String, SortedMap<String, BoundPolicy>> policies = new HashMap<>();

    /** By namespace. */
    private final Map<String, Set<String>> keys = new HashMap<>();

    private final Map<PodClass, List<BoundPolicy>> governing = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<PodClass, List<BoundPolicy>> eldest) {
            return size() > MOST_CLASSES;
        }
    };
    private final Map<List<BoundPolicy>, List<BoundPolicy>> sets = new HashMap<>();
    private final Set<BoundPolicy> leftOut = new HashSet<>();

    private long changes;

    /** Pods that no policy tells apart. */
    private record PodClass(String namespace, Labels labels) {}

    private PolicyBook(ClusterView cluster) {
        this.cluster = cluster;
    }

    public static PolicyBook of(ClusterView cluster) {
        return cluster.index(PolicyBook.class, PolicyBook::new);
    }

    /**
     * The policies that hold for the pod: of its namespace by name, then of the cluster by name; the same list for all pods that
     * have the same. Where there are more than {@link #MOST}, those of the cluster come first.
     */
    public List<BoundPolicy> governing(Pod pod) {
        if (policies.isEmpty()) {
            return List.of();
        }
        Set<String> keys = keysOf(pod.namespace());
        PodClass podClass = new PodClass(pod.namespace(), pod.labels().retain(keys::contains));
        List<BoundPolicy> known = governing.get(podClass);
        if (known == null) {
            known = sets.computeIfAbsent(find(pod), set -> set);
            governing.put(podClass, known);
        }
        return known;
    }

    /** The policies that are about the pod and do not hold for it, as so many others do. */
    public List<BoundPolicy> leftOut(Pod pod) {
        List<BoundPolicy> governing = governing(pod);
        return governing.size() < MOST
                ? List.of()
                : Stream.of(pod.namespace(), EVERYWHERE)
                        .flatMap(scope -> policies.getOrDefault(scope, Collections.emptySortedMap()).values().stream())
                        .filter(policy -> policy.governs(pod) && !governing.contains(policy))
                        .toList();
    }

    /** The labels that tell the namespace's policies which pods they are about. */
    private Set<String> keysOf(String namespace) {
        return keys.computeIfAbsent(namespace, _ -> {
            Set<String> all = new HashSet<>();
            for (String scope : List.of(namespace, EVERYWHERE)) {
                for (BoundPolicy policy : policies.getOrDefault(scope, Collections.emptySortedMap())
                        .values()) {
                    all.addAll(policy.policy().spec().selector().keys());
                }
            }
            return all;
        });
    }

    private List<BoundPolicy> find(Pod pod) {
        List<BoundPolicy> ofCluster = new ArrayList<>();
        List<BoundPolicy> all = new ArrayList<>();
        add(EVERYWHERE, pod, 0, ofCluster);
        add(pod.namespace(), pod, ofCluster.size(), all);
        all.addAll(ofCluster);
        return List.copyOf(all);
    }

    /** @param others how many hold for it already */
    private void add(String scope, Pod pod, int others, List<BoundPolicy> chosen) {
        Collection<BoundPolicy> some =
                policies.getOrDefault(scope, Collections.emptySortedMap()).values();
        cluster.work().addOnce(some.size());
        for (BoundPolicy policy : some) {
            if (policy.governs(pod)) {
                if (others + chosen.size() < MOST) {
                    chosen.add(policy);
                } else {
                    policy.leaveOut(pod);
                    leftOut.add(policy);
                }
            }
        }
    }

    private void forgetWhoGoverns() {
        keys.clear();
        governing.clear();
        sets.clear();
        leftOut.forEach(BoundPolicy::leaveOutNobody);
        leftOut.clear();
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
        if (after.or(() -> before).orElseThrow() instanceof Namespace) {
            forgetWhoGoverns();
        }
    }

    private Optional<BoundPolicy> bound(PolicyObject policy) {
        return Optional.ofNullable(policies.get(policy.meta().namespace()))
                .map(some -> some.get(policy.meta().name()));
    }

    private void add(KubernetesObject object) {
        if (object instanceof PolicyObject policy) {
            changes++;
            forgetWhoGoverns();
            SortedMap<String, BoundPolicy> all =
                    policies.computeIfAbsent(policy.meta().namespace(), _ -> new TreeMap<>());
            all.put(policy.meta().name(), new BoundPolicy(cluster, policy));
            cluster.work().addRules(policy.spec().rules().size());
            goThrough(all);
        }
    }

    private void remove(KubernetesObject object) {
        if (object instanceof PolicyObject policy) {
            changes++;
            forgetWhoGoverns();
            SortedMap<String, BoundPolicy> all =
                    policies.getOrDefault(policy.meta().namespace(), new TreeMap<>());
            goThrough(all);
            Optional.ofNullable(all.remove(policy.meta().name())).ifPresent(BoundPolicy::release);
            if (all.isEmpty()) {
                policies.remove(policy.meta().namespace());
            }
        }
    }

    /** All policies of a scope are gone through for the pods that they are about. */
    private void goThrough(SortedMap<String, BoundPolicy> scope) {
        cluster.work().add(scope.size());
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
