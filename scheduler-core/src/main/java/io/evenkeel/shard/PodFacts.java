package io.evenkeel.shard;

import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.framework.run.GroupRunner;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.shard.ForeignTerms.Change;
import io.evenkeel.shard.ForeignTerms.Term;
import io.evenkeel.shard.PodsThatWait.Topic;
import io.evenkeel.shard.PodsThatWait.Way;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
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
    /** By claims go volumes; of groups it depends whether they are gangs. */
    private static final Map<String, Topic.Kind> TOPICS = Map.of(
            Kinds.PERSISTENT_VOLUME_CLAIM.name(), Topic.Kind.CLAIM,
            Kinds.POD_GROUP.name(), Topic.Kind.GROUP,
            Kinds.COSCHEDULING_POD_GROUP.name(), Topic.Kind.GROUP);

    /** The same, and by device classes go extended resources, of namespaces terms. */
    private static final Set<String> DECIDING = Stream.concat(
                    TOPICS.keySet().stream(), Stream.of(Kinds.DEVICE_CLASS.name(), Kinds.NAMESPACE.name()))
            .collect(Collectors.toUnmodifiableSet());

    private final Supplier<Scheduler> engine;
    private final Function<String, OptionalInt> shardOf;
    private final PodsThatWait waiting;
    private final Map<String, PolicyObject> policies = new HashMap<>();
    /** The keys of the pods that carry terms. */
    private final Map<String, Carrier> carriers = new HashMap<>();

    private int carriersThatWait;

    private record Carrier(ObjectMeta pod, boolean waits) {}

    private final ShardMap map;
    private Optional<ForeignTerms> terms = Optional.empty();

    PodFacts(ShardMap map, Supplier<Scheduler> engine, Function<String, OptionalInt> shardOf, PodsThatWait waiting) {
        this.map = map;
        this.engine = engine;
        this.shardOf = shardOf;
        this.waiting = waiting;
    }

    @Override
    public boolean isInGang(Pod pod) {
        return groups(pod).filter(groups -> groups.mayBeInGang(pod)).isPresent();
    }

    private Optional<GroupRunner> groups(Pod pod) {
        return engine.get().engine().profileOf(pod).map(SchedulingProfile::groups);
    }

    @Override
    public boolean asksForDevices(Pod pod) {
        return engine.get().cluster().needsDevices(pod);
    }

    /** The pod without all that devices are given for: who gives them judges that alone, and whatever becomes of it. */
    PodBuilder withoutDevices(Pod pod) {
        PodBuilder without = PodBuilder.from(pod).withoutResourceClaims();
        ExtendedResources resources = engine.get().cluster().extendedResources();
        if (resources.areAskedForBy(pod)) {
            without.containers(
                    withoutDevices(pod.spec().containers(), resources),
                    withoutDevices(pod.spec().initContainers(), resources));
        }
        return without;
    }

    private static List<Container> withoutDevices(List<Container> containers, ExtendedResources resources) {
        return containers.stream()
                .map(container -> container.asking(
                        withoutDevices(container.requests(), resources), withoutDevices(container.limits(), resources)))
                .toList();
    }

    private static Map<String, Quantity> withoutDevices(Map<String, Quantity> amounts, ExtendedResources resources) {
        Map<String, Quantity> others = new HashMap<>(amounts);
        others.keySet().removeIf(resource -> resources.classOf(resource).isPresent());
        return others;
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

    /** Takes in what the pod shuns. */
    Change putTerms(Pod pod) {
        if (pod.status().isFinished()) {
            return removeTerms(pod.key());
        }
        boolean carriesAny = carriesTerms(pod) && (pod.isPlaced() || isToBePlaced(pod));
        boolean carried = carriers.containsKey(pod.key());
        if (!carriesAny) {
            return carried ? removeTerms(pod.key()) : Change.NONE;
        }
        forgetCarrier(pod.key());
        carriers.put(pod.key(), new Carrier(pod.meta(), !pod.isPlaced()));
        carriersThatWait += pod.isPlaced() ? 0 : 1;
        return terms().put(pod);
    }

    /**
     * What a waiting pod shuns counts once the overseer has a place for it in view: one that waits is in nobody's way. And only where it may
     * be placed here: one that may not would bind others to its words for ever.
     */
    private boolean isToBePlaced(Pod pod) {
        return ShardTrace.of(pod, map).hasPlaceInView()
                && !map.hasNoOverseer()
                && pod.spec().schedulingGates().isEmpty()
                && engine.get().engine().profileOf(pod).isPresent();
    }

    /** Whether it has required anti-affinity whose domains reach across shards. */
    boolean carriesTerms(Pod pod) {
        List<PodAffinityTerm> shunned = pod.spec().podAffinity().requiredAntiAffinity();
        return !shunned.isEmpty() && shunned.stream().anyMatch(term -> !map.keepsWhole(term.topologyKey()));
    }

    /** Whether the pod of that name is known to carry some. */
    boolean isCarrier(String key) {
        return carriers.containsKey(key);
    }

    /** Whether one of them waits, so that the overseer waits for others to know of it. */
    boolean carriesAnyThatWaits() {
        return carriersThatWait > 0;
    }

    Change removeTerms(String key) {
        return forgetCarrier(key) ? terms().remove(key) : Change.NONE;
    }

    private boolean forgetCarrier(String key) {
        Carrier known = carriers.remove(key);
        carriersThatWait -= known != null && known.waits ? 1 : 0;
        return known != null;
    }

    /** Forgets what did not come as pods were listed. */
    Change forgetTerms(Predicate<ObjectMeta> gone) {
        Set<String> keys = new HashSet<>();
        carriers.forEach((key, carrier) -> {
            if (gone.test(carrier.pod)) {
                keys.add(key);
            }
        });
        List<Term> terms = new ArrayList<>();
        keys.forEach(key -> terms.addAll(removeTerms(key).gone()));
        return new Change(List.of(), terms);
    }

    /** Those of the pods whom one of the terms matches, and whose way is such a one. */
    Collection<Pod> matchedBy(List<Term> changed, Predicate<Way> concerned) {
        Map<String, Pod> matched = new LinkedHashMap<>();
        for (Term term : changed) {
            terms().matchedBy(term, waiting).forEach(pod -> matched.put(pod.key(), pod));
        }
        matched.keySet()
                .removeIf(key -> waiting.find(key)
                        .filter(known -> concerned.test(known.way()))
                        .isEmpty());
        return matched.values();
    }

    /** Takes the object in, and tells whose way it may change of those that wait. */
    List<Pod> put(KubernetesObject object) {
        if (object instanceof PolicyObject policy) {
            PolicyObject before = policies.put(nameOf(policy), policy);
            if (before == null) {
                return under(policy);
            }
            return before.spec().selector().equals(policy.spec().selector())
                    ? List.of()
                    : Stream.concat(under(before).stream(), under(policy).stream())
                            .toList();
        }
        return concernedBy(object);
    }

    /**
     * The object is gone; tells the same.
     *
     * @param gone of which no more may have been read than who it was
     */
    List<Pod> remove(KubernetesObject gone) {
        PolicyObject policy = policies.remove(nameOf(gone));
        return policy == null ? concernedBy(gone) : under(policy);
    }

    /** All of the kind have been listed; tells the same. */
    List<Pod> listed(String kind, Predicate<ObjectMeta> gone) {
        boolean isOneGone =
                policies.values().removeIf(policy -> policy.kindName().equals(kind) && gone.test(policy.meta()));
        return isOneGone || DECIDING.contains(kind) ? waiting.pods() : List.of();
    }

    private List<Pod> under(PolicyObject policy) {
        return policy instanceof PlacementPolicy
                ? waiting.matching(policy.meta().namespace(), policy.spec().selector())
                : waiting.matching(policy.spec().selector());
    }

    private List<Pod> concernedBy(KubernetesObject object) {
        String kind = object.kindName();
        Topic.Kind topic = TOPICS.get(kind);
        if (topic != null) {
            return waiting.about(new Topic(topic, object.meta().key()));
        }
        if (kind.equals(Kinds.DEVICE_CLASS.name())) {
            return waiting.pods();
        }
        boolean isInTerms = kind.equals(Kinds.NAMESPACE.name()) && !carriers.isEmpty() && terms().dependOnNamespaces();
        return isInTerms ? waiting.in(object.meta().name()) : List.of();
    }

    private static String nameOf(KubernetesObject object) {
        return object.kindName() + " " + object.meta().key();
    }

    /** What the pod's way depends on, beside the facts of all. */
    List<Topic> topicsOf(Pod pod) {
        List<Topic> topics = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            volume.claimOf(pod)
                    .ifPresent(claim -> topics.add(new Topic(Topic.Kind.CLAIM, pod.namespace() + "/" + claim)));
        }
        groups(pod)
                .flatMap(groups -> groups.groupOf(pod))
                .ifPresent(group -> topics.add(new Topic(Topic.Kind.GROUP, group.namespace() + "/" + group.name())));
        return topics;
    }
}
