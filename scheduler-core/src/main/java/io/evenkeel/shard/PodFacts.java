package io.evenkeel.shard;

import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.framework.run.GroupRunner;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What {@link Reach} goes by, as the engine knows it; and policies and terms of anti-affinity, which the gate knows better. A policy
 * counts as soon as it is there, and whatever its status.
 */
final class PodFacts implements Reach.Facts {
    /** Of device classes go by extended resources, of namespaces terms; of groups it depends whether they are gangs. */
    private static final Set<String> DECIDING = Stream.of(
                    Kinds.DEVICE_CLASS, Kinds.NAMESPACE, Kinds.POD_GROUP, Kinds.COSCHEDULING_POD_GROUP)
            .map(Kind::name)
            .collect(Collectors.toUnmodifiableSet());

    private final Supplier<Scheduler> engine;
    private final Function<String, OptionalInt> shardOf;
    private final Map<String, PolicyObject> policies = new HashMap<>();
    private final Map<String, Set<String>> podsByClaim = new HashMap<>();
    /** The keys of the pods that carry terms. */
    private final Map<String, Carrier> carriers = new HashMap<>();

    private int carriersThatWait;

    private record Carrier(ObjectMeta pod, boolean waits) {}

    private final ShardMap map;
    private Optional<ForeignTerms> terms = Optional.empty();

    PodFacts(ShardMap map, Supplier<Scheduler> engine, Function<String, OptionalInt> shardOf) {
        this.map = map;
        this.engine = engine;
        this.shardOf = shardOf;
    }

    @Override
    public boolean isInGang(Pod pod) {
        Engine known = engine.get().engine();
        return known.profileOf(pod)
                .map(profile -> isInGang(pod, profile.groups()))
                .orElse(false);
    }

    /** A group whose terms are not known yet may be one. */
    private static boolean isInGang(Pod pod, GroupRunner groups) {
        Optional<GroupRunner.Membership> membership = groups.isEmpty() ? Optional.empty() : groups.membershipOf(pod);
        if (membership.isEmpty()) {
            return false;
        }
        try {
            return groups.termsFor(membership.get(), pod)
                    .map(found -> found.isGang())
                    .orElse(true);
        } catch (RuntimeException unknown) {
            return true;
        }
    }

    @Override
    public boolean asksForDevices(Pod pod) {
        return engine.get().cluster().needsDevices(pod);
    }

    @Override
    public boolean isUnderPolicy(Pod pod) {
        return !policies.isEmpty()
                && policies.values().stream()
                        .anyMatch(policy -> mayBeOf(policy, pod.namespace())
                                && policy.spec().selector().matches(pod.labels()));
    }

    private static boolean mayBeOf(PolicyObject policy, String namespace) {
        return !(policy instanceof PlacementPolicy) || policy.meta().namespace().equals(namespace);
    }

    @Override
    public Optional<PersistentVolumeClaim> claim(String namespace, String name) {
        return engine.get().cluster().objects().find(Kinds.PERSISTENT_VOLUME_CLAIM, namespace + "/" + name);
    }

    @Override
    public OptionalInt shardOf(String node) {
        return shardOf.apply(node);
    }

    @Override
    public Optional<String> foreignTerm(Pod pod) {
        return carriers.isEmpty() ? Optional.empty() : terms().matching(pod);
    }

    /** The engine is there by now. */
    private ForeignTerms terms() {
        if (terms.isEmpty()) {
            terms = Optional.of(new ForeignTerms(map, engine.get().cluster().namespaces()));
        }
        return terms.get();
    }

    /** Whether objects of the kind decide whose pods are, beside claims and policies. */
    static boolean decides(String kind) {
        return DECIDING.contains(kind);
    }

    /** What becomes of terms by news of a pod. */
    enum Terms {
        SAME,
        /** There is one that no pod has carried. */
        NEW,
        /** Some may be there no more. */
        FEWER
    }

    Terms putTerms(Pod pod) {
        if (pod.status().isFinished()) {
            return removeTerms(pod.key());
        }
        boolean carriesAny = carriesTerms(pod) && (pod.isPlaced() || mayBePlaced(pod));
        boolean carried = carriers.containsKey(pod.key());
        if (!carriesAny) {
            return carried ? removeTerms(pod.key()) : Terms.SAME;
        }
        forgetCarrier(pod.key());
        carriers.put(pod.key(), new Carrier(pod.meta(), !pod.isPlaced()));
        carriersThatWait += pod.isPlaced() ? 0 : 1;
        return terms().put(pod) ? Terms.NEW : Terms.SAME;
    }

    /** What a waiting pod shuns counts as soon as it may be placed here: one that is not would bind others to its words, and go nowhere. */
    private boolean mayBePlaced(Pod pod) {
        return !map.hasNoOverseer()
                && pod.spec().schedulingGates().isEmpty()
                && engine.get().engine().profileOf(pod).isPresent();
    }

    /** Whether it has required anti-affinity whose domains reach across shards. */
    boolean carriesTerms(Pod pod) {
        return pod.spec().podAffinity().requiredAntiAffinity().stream()
                .anyMatch(term -> !map.keepsWhole(term.topologyKey()));
    }

    /** Whether one of them waits, so that the overseer may wait for others to know of it. */
    boolean carriesAnyThatWaits() {
        return carriersThatWait > 0;
    }

    Terms removeTerms(String key) {
        if (!forgetCarrier(key)) {
            return Terms.SAME;
        }
        terms().remove(key);
        return Terms.FEWER;
    }

    private boolean forgetCarrier(String key) {
        Carrier known = carriers.remove(key);
        carriersThatWait -= known != null && known.waits ? 1 : 0;
        return known != null;
    }

    /** Forgets what did not come as pods were listed. */
    Terms forgetTerms(Predicate<ObjectMeta> gone) {
        Set<String> keys = new HashSet<>();
        carriers.forEach((key, carrier) -> {
            if (gone.test(carrier.pod)) {
                keys.add(key);
            }
        });
        keys.forEach(this::removeTerms);
        return keys.isEmpty() ? Terms.SAME : Terms.FEWER;
    }

    /** Whether others than before may be under a policy now. */
    boolean put(PolicyObject policy) {
        PolicyObject before = policies.put(nameOf(policy), policy);
        return before == null || !before.spec().selector().equals(policy.spec().selector());
    }

    boolean remove(PolicyObject policy) {
        return policies.remove(nameOf(policy)) != null;
    }

    boolean forgetPolicies(String kind, Predicate<ObjectMeta> gone) {
        return policies.values().removeIf(policy -> policy.kindName().equals(kind) && gone.test(policy.meta()));
    }

    private static String nameOf(PolicyObject policy) {
        return policy.kindName() + " " + policy.meta().key();
    }

    /** From now on the pod's way is asked for anew where one of its claims changes. */
    void attendTo(Pod pod) {
        for (PodVolume volume : pod.spec().volumes()) {
            volume.claimOf(pod)
                    .ifPresent(claim -> podsByClaim
                            .computeIfAbsent(pod.namespace() + "/" + claim, _ -> new LinkedHashSet<>())
                            .add(pod.key()));
        }
    }

    void disregard(Pod pod) {
        for (PodVolume volume : pod.spec().volumes()) {
            volume.claimOf(pod)
                    .ifPresent(claim -> podsByClaim.computeIfPresent(pod.namespace() + "/" + claim, (_, pods) -> {
                        pods.remove(pod.key());
                        return pods.isEmpty() ? null : pods;
                    }));
        }
    }

    /** The keys of pods that use the claim. */
    Set<String> usersOf(KubernetesObject claim) {
        return Set.copyOf(podsByClaim.getOrDefault(claim.meta().key(), Set.of()));
    }
}
