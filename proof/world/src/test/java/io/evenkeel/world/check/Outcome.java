package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.shape.FacetTable;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.world.life.Garbling;
import io.evenkeel.world.plugin.Whims;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What has to be true of the leader once nothing has gone wrong for a while. */
public final class Outcome {
    private static final String REFUSAL = "no shard can judge the pod by itself, and there is no overseer: ";

    private final HollowObjects objects;
    private final SchedulerConfiguration configuration;
    private final ClusterLimits limits;
    private final Reports reports;
    private final BiPredicate<String, String> mayNotKnow;
    private final BiPredicate<String, String> mayName;
    private final ObjectReader reader = new ObjectReader();
    private final Map<ResourceType, List<KubernetesObject>> read = new HashMap<>();

    /**
     * What is to be looked at.
     *
     * @param limits of what the scheduler keeps
     * @param reports the events that have been sent
     * @param mayNotKnow of a pod, by namespace and name, that it could not be told why it waits
     * @param mayName of a pod that it may name a node which nobody knows to take back
     */
    public Outcome(
            HollowObjects objects,
            SchedulerConfiguration configuration,
            ClusterLimits limits,
            Reports reports,
            BiPredicate<String, String> mayNotKnow,
            BiPredicate<String, String> mayName) {
        this.reports = reports;
        this.mayNotKnow = mayNotKnow;
        this.mayName = mayName;
        this.objects = objects;
        this.limits = limits;
        this.configuration = configuration;
    }

    /** @param degraded what the replica says of gangs */
    public void check(Scheduler scheduler, DegradedGangs degraded) {
        List<Pod> pods = unfinished();
        List<Pod> waiting = waiting(pods);
        same("what is recounted differs", List.of(), ClusterAudit.differences(scheduler.cluster()));
        same("nodes", names(read(ResourceTable.NODES)), nodesKnown(scheduler.cluster()));
        same("places of pods", places(pods), placesKnown(scheduler.cluster()));
        same("pods that wait", keys(waiting), keys(scheduler.queue().pods()));
        same("bindings that are never over", List.of(), List.copyOf(scheduler.onTheirWay()));
        nothingIsKeptInVain(scheduler);
        new Leftovers(keysAndUids()).check(scheduler);
        devicesAreWhereClaimsSay(scheduler.cluster(), pods);
        nothingThatFitsWaits(pods, waiting);
        GangOutcome gangs = new GangOutcome(configuration, this::read, Outcome::wasDisturbed);
        gangs.areToldOfWherePodsAreMissing(degraded, scheduler, pods);
        Set<String> waitForOthers = GangOutcome.waitForOthers(scheduler);
        for (Pod pod : waiting) {
            if (waitForOthers.contains(pod.key())) {
                gangs.isNotWhole(pod, pods, other -> isOurs(other.spec().schedulerName()));
            } else if (!mayNotKnow.test(pod.namespace(), pod.name())) {
                if (!isHeldBack(pod)) {
                    isToldWhy(pod);
                }
                gangs.isToldWhyNotExtended(pod);
                if (!mayName(pod)) {
                    isExpectedNowhere(pod);
                }
            }
        }
        areSaidRightly(pods);
        trees(ResourceTable.PODS).filter(this::waitsUnreadable).forEach(this::isToldThatItCannotBeRead);
    }

    private void areSaidRightly(List<Pod> pods) {
        PolicyOutcome policies = new PolicyOutcome(
                pods, read(ResourceTable.NODES).map(Node.class::cast).toList());
        policies().forEach(policies::isSaidRightly);
    }

    private List<PlacementPolicy> policies() {
        return read(ResourceTable.PLACEMENT_POLICIES)
                .map(PlacementPolicy.class::cast)
                .toList();
    }

    /** An engine that shares the cluster with others knows these nodes and who is on them. */
    public void checkShare(Scheduler scheduler, Predicate<Node> isKnown) {
        Set<String> known = read(ResourceTable.NODES)
                .map(Node.class::cast)
                .filter(isKnown)
                .map(Node::name)
                .collect(Collectors.toCollection(TreeSet::new));
        List<Pod> pods = unfinished().stream()
                .filter(pod -> known.contains(pod.spec().nodeName()))
                .toList();
        same("what is recounted differs", List.of(), ClusterAudit.differences(scheduler.cluster()));
        same("nodes", known, nodesKnown(scheduler.cluster()));
        Map<String, String> places = placesKnown(scheduler.cluster());
        places.values().retainAll(known);
        same("places of pods", places(pods), places);
        same("bindings that are never over", List.of(), List.copyOf(scheduler.onTheirWay()));
        nothingIsKeptInVain(scheduler);
        new Leftovers(keysAndUids()).check(scheduler);
        devicesAreWhereClaimsSay(scheduler.cluster(), unfinished());
    }

    /**
     * Of all engines that share the cluster together.
     *
     * @param engines all of them, by their names
     * @param degraded what each says of gangs
     * @param shards how nodes are parted among them
     */
    public void checkTogether(
            Map<String, Scheduler> engines, Map<String, DegradedGangs> degraded, ShardSettings shards) {
        List<Pod> pods = unfinished();
        List<Pod> all = waiting(pods);
        Map<String, String> refused = refused(all, pods, shards);
        List<Pod> waiting =
                all.stream().filter(pod -> !refused.containsKey(pod.key())).toList();
        Set<String> known = engines.values().stream()
                .flatMap(scheduler -> scheduler.queue().pods().stream())
                .map(Pod::key)
                .collect(Collectors.toCollection(TreeSet::new));
        same("pods that wait", keys(waiting), known);
        GangOutcome gangs = new GangOutcome(configuration, this::read, Outcome::wasDisturbed);
        boolean hasOverseer = engines.containsKey(Shards.OVERSEER);
        Set<String> waitForOthers = gangsOf(engines, degraded, gangs, pods);
        for (Pod pod : all) {
            pod.status()
                    .shard()
                    .filter(condition -> condition.reason().equals("Asked"))
                    .ifPresent(condition -> {
                        throw new Violation(
                                pod.key() + " is to be on " + condition.message() + ", and nobody binds it");
                    });
            if (hasOverseer) {
                isNotAnnounced(pod);
            }
            if (waitForOthers.contains(pod.key())) {
                gangs.isNotWhole(pod, pods, other -> isOurs(other.spec().schedulerName()));
            } else if (!mayNotKnow.test(pod.namespace(), pod.name())) {
                if (!isHeldBack(pod) || refused.containsKey(pod.key())) {
                    isToldWhy(pod);
                    isToldWhetherItIsRefused(pod, refused.getOrDefault(pod.key(), ""));
                }
                if (!mayName(pod)) {
                    isExpectedNowhere(pod);
                }
            }
        }
        if (hasOverseer) {
            areSaidRightly(pods);
        }
        nothingThatFitsWaits(pods, waiting);
        Engine judge = judge(pods);
        waiting.stream()
                .filter(pod -> pod.labels().getOrDefault("app", "").equals("hopeless"))
                .forEach(pod -> isToldTheTruth(pod, judge));
    }

    /** By their keys, the pods that no shard can judge where there is no overseer, each with the reason. */
    private Map<String, String> refused(List<Pod> waiting, List<Pod> pods, ShardSettings shards) {
        Map<String, String> refused = new TreeMap<>();
        if (shards.refusesAcross()) {
            waiting.forEach(pod -> byGang(pod)
                    .or(() -> byDevices(pod))
                    .or(() -> byPolicy(pod))
                    .or(() -> byVolumes(pod))
                    .or(() -> reachesAcross(pod, pods, shards))
                    .ifPresent(why -> refused.put(pod.key(), why)));
        }
        return refused;
    }

    private static Optional<String> byGang(Pod pod) {
        return Gangs.of(pod).map(_ -> "it is in a gang");
    }

    private static Optional<String> byDevices(Pod pod) {
        return DeviceUse.concerns(pod) ? Optional.of("it claims devices") : Optional.empty();
    }

    private Optional<String> byPolicy(Pod pod) {
        return new Policies(policies()).govern(pod) ? Optional.of("a PlacementPolicy is about it") : Optional.empty();
    }

    private Optional<String> byVolumes(Pod pod) {
        Map<String, PersistentVolumeClaim> claims = read(ResourceTable.PERSISTENT_VOLUME_CLAIMS)
                .map(PersistentVolumeClaim.class::cast)
                .collect(Collectors.toMap(PersistentVolumeClaim::key, claim -> claim));
        return pod.spec().volumes().stream()
                .flatMap(volume -> volume.claimOf(pod).stream())
                .flatMap(name -> Optional.ofNullable(claims.get(pod.namespace() + "/" + name)).stream())
                .filter(claim ->
                        !claim.isBound() || claim.terms().accessModes().contains(VolumeTerms.READ_WRITE_ONCE_POD))
                .findFirst()
                .map(claim -> "its claim " + claim.meta().name() + " is "
                        + (claim.isBound() ? VolumeTerms.READ_WRITE_ONCE_POD : "not bound"));
    }

    /** Where its words name one shard, this one has all nodes that a pod is spread over. */
    private static Optional<String> reachesAcross(Pod pod, List<Pod> pods, ShardSettings shards) {
        boolean isInOneShard =
                !pod.spec().nodeSelector().getOrDefault(shards.nodeLabel(), "").isEmpty();
        for (TopologySpreadConstraint constraint : pod.spec().topologySpread()) {
            boolean isKept = isInOneShard && constraint.nodeAffinityPolicy() == NodeInclusionPolicy.HONOR;
            if (constraint.isHard() && !isKept) {
                return Optional.of("it is to be spread by " + constraint.topologyKey());
            }
        }
        if (!pod.spec().podAffinity().requiredAffinity().isEmpty()) {
            return Optional.of("it has required affinity to pods");
        }
        return shunnedAcross(pod, shards)
                .findFirst()
                .map(term -> "it has required anti-affinity by " + term.topologyKey())
                .or(() -> pods.stream()
                        .filter(other -> other.isPlaced() && other.namespace().equals(pod.namespace()))
                        .flatMap(other -> shunnedAcross(other, shards))
                        .filter(term -> term.labelSelector().matches(pod.labels()))
                        .findFirst()
                        .map(term ->
                                "the required anti-affinity by " + term.topologyKey() + " of another pod matches it"));
    }

    private static Stream<PodAffinityTerm> shunnedAcross(Pod pod, ShardSettings shards) {
        return pod.spec().podAffinity().requiredAntiAffinity().stream()
                .filter(term -> !term.topologyKey().equals(Node.HOSTNAME)
                        && !term.topologyKey().equals(shards.nodeLabel()));
    }

    /** @param why empty where it is not */
    private static void isToldWhetherItIsRefused(Pod pod, String why) {
        String told = pod.status().scheduled().orElseThrow().message();
        if (!why.isEmpty()) {
            same("why " + pod.key() + " is refused", REFUSAL + why, told);
        } else if (told.startsWith(REFUSAL)) {
            throw new Violation(pod.key() + " is not refused any more, and is told so: " + told);
        }
    }

    /** Whom it shuns would be bound by a pod that only waits. */
    private static void isNotAnnounced(Pod pod) {
        boolean isAnnounced = pod.status()
                .shard()
                .filter(told ->
                        told.reason().equals("Announced") && told.status().equals("True"))
                .isPresent();
        if (isAnnounced && pod.spec().schedulingGates().isEmpty()) {
            throw new Violation(pod.key() + " waits, and binds those that it shuns");
        }
    }

    /** The overseer alone says what is true of gangs, and keeps pods from being tried until all of theirs are there: of these the keys. */
    private static Set<String> gangsOf(
            Map<String, Scheduler> engines, Map<String, DegradedGangs> degraded, GangOutcome gangs, List<Pod> pods) {
        engines.forEach((shard, scheduler) -> {
            if (shard.equals(Shards.OVERSEER)) {
                gangs.areToldOfWherePodsAreMissing(degraded.get(shard), scheduler, pods);
            } else {
                same(
                        "gangs of shard " + shard,
                        Set.of(),
                        degraded.get(shard).all().keySet());
                same("pods of gangs that wait in shard " + shard, Set.of(), GangOutcome.waitForOthers(scheduler));
            }
        });
        return Optional.ofNullable(engines.get(Shards.OVERSEER))
                .map(GangOutcome::waitForOthers)
                .orElse(Set.of());
    }

    /** As one scheduler would have said it of all nodes. */
    private static void isToldTheTruth(Pod pod, Engine judge) {
        if (judge.decide(pod) instanceof Decision.Unschedulable unschedulable) {
            same(
                    "why " + pod.key() + " waits",
                    unschedulable.diagnosis().message(),
                    pod.status().scheduled().orElseThrow().message());
        }
    }

    private List<Pod> unfinished() {
        return read(ResourceTable.PODS)
                .map(Pod.class::cast)
                .filter(pod -> !pod.status().isFinished())
                .toList();
    }

    private List<Pod> waiting(List<Pod> pods) {
        return pods.stream()
                .filter(pod -> !pod.isPlaced() && isOurs(pod.spec().schedulerName()))
                .toList();
    }

    /**
     * What has been read of pods, each once, is of pods that are there, but for the few that are kept for the next: facets
     * that are in no shape, and those of shapes that no pod has.
     */
    private void nothingIsKeptInVain(Scheduler scheduler) {
        int most = scheduler.pods().size() + 2 * limits.idleFacets();
        PodShapes shapes = scheduler.cluster().shapes();
        for (FacetTable<?> table : List.of(
                shapes.shapes(),
                shapes.resources(),
                shapes.tolerations(),
                shapes.nodeRequirements(),
                shapes.hostPorts(),
                shapes.images(),
                shapes.spread(),
                shapes.affinity())) {
            if (table.all().size() > most) {
                throw new Violation("kept are " + table.all() + ", which are more than the pods, " + most);
            }
        }
    }

    /** None is kept for a claim that does not say so, and none is free that a claim says it has; and claims forget who is gone. */
    private void devicesAreWhereClaimsSay(ClusterView cluster, List<Pod> pods) {
        List<ResourceClaim> claims = read(ResourceTable.RESOURCE_CLAIMS)
                .map(ResourceClaim.class::cast)
                .toList();
        Set<String> had = claims.stream()
                .flatMap(claim -> claim.allocation().stream())
                .flatMap(allocation -> allocation.results().stream())
                .map(result -> "device " + result.driver() + "/" + result.pool() + "/" + result.device())
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> held = new TreeSet<>();
        ClusterDump.of(cluster).lines().forEach(line -> {
            if (line.contains(" assumed to have ") || line.contains(" decided for pod ")) {
                throw new Violation("nothing is on its way, and kept is: " + line);
            }
            if (line.startsWith("device ")) {
                held.add(line.substring(0, line.indexOf(" has ")));
            }
        });
        same("devices in use", had, held);
        Set<String> uids = pods.stream().map(pod -> pod.meta().uid()).collect(Collectors.toSet());
        claims.stream()
                .filter(claim -> claim.reservedFor().stream().anyMatch(consumer -> !uids.contains(consumer.uid())))
                .forEach(claim -> {
                    throw new Violation(claim.key() + " is reserved for a pod that is gone: " + claim.reservedFor());
                });
    }

    /** What plugins hold for pods, they hold where the pods are; of pods that are gone nobody tells them. */
    public void checkReserved(Map<String, String> reserved) {
        read(ResourceTable.PODS)
                .map(Pod.class::cast)
                .filter(pod -> reserved.containsKey(pod.meta().uid()))
                .forEach(pod -> same(
                        "what is reserved for " + pod.key(),
                        pod.spec().nodeName(),
                        reserved.get(pod.meta().uid())));
    }

    /** No place is held for a pod to come, as none is moved any more. */
    public void checkHeld(Scheduler scheduler) {
        same("places that are held", 0, scheduler.queue().held().size());
    }

    private boolean isOurs(String schedulerName) {
        return configuration.profiles().stream()
                .anyMatch(profile -> profile.schedulerName().equals(schedulerName));
    }

    /** Nothing happens while it is looked at, so each is read once, if it can be read. */
    private Stream<KubernetesObject> read(ResourceType type) {
        return read
                .computeIfAbsent(
                        type,
                        _ -> trees(type)
                                .filter(tree -> !isUnreadable(tree))
                                .map(tree -> reader.read(tree.toString()))
                                .toList())
                .stream();
    }

    private Stream<JsonObject> trees(ResourceType type) {
        return objects.list(type, "").stream()
                .map(text -> JsonParser.parseString(text).getAsJsonObject());
    }

    /** By how many processors it asks for. */
    private static boolean isUnreadable(JsonObject object) {
        return object.toString().contains(Garbling.AMOUNT);
    }

    private boolean waitsUnreadable(JsonObject pod) {
        return isUnreadable(pod)
                && isOurs(Trees.text(pod, "spec", "schedulerName"))
                && Trees.text(pod, "spec", "nodeName").isEmpty()
                && Trees.text(pod, "metadata", "deletionTimestamp").isEmpty();
    }

    private Set<String> keysAndUids() {
        Set<String> there = new HashSet<>();
        for (ResourceType type : watched()) {
            trees(type).forEach(tree -> {
                there.add(Trees.text(tree, "metadata", "uid"));
                // an owner or a claim that is gone is known by the pods that it has left behind
                Trees.objects(tree, "metadata", "ownerReferences").forEach(owner -> {
                    there.add(Trees.text(owner, "uid"));
                    there.add(Trees.text(tree, "metadata", "namespace") + "/" + Trees.text(owner, "name") + "/"
                            + Trees.text(owner, "uid"));
                });
                Trees.objects(tree, "spec", "volumes")
                        .forEach(volume -> there.add(Trees.text(tree, "metadata", "namespace") + "/"
                                + Trees.text(volume, "persistentVolumeClaim", "claimName")));
                there.add(Trees.text(tree, "metadata", "namespace") + "/" + Trees.text(tree, "metadata", "name"));
            });
        }
        return there;
    }

    /** What schedulers hear of. */
    private static List<ResourceType> watched() {
        return Kinds.IN_TREE.all().stream()
                .flatMap(kind -> ResourceTable.find(kind.group(), kind.version(), kind.plural()).stream())
                .toList();
    }

    private static Set<String> names(Stream<KubernetesObject> objects) {
        return objects.map(object -> object.meta().name()).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> keys(List<Pod> pods) {
        return pods.stream().map(Pod::key).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> nodesKnown(ClusterView cluster) {
        Set<String> known = new TreeSet<>();
        for (int node = 0; node < cluster.nodes().end(); node++) {
            if (cluster.nodes().isPresent(node)) {
                known.add(cluster.nodes().name(node));
            }
        }
        return known;
    }

    private static Map<String, String> places(List<Pod> pods) {
        Map<String, String> places = new TreeMap<>();
        pods.stream()
                .filter(Pod::isPlaced)
                .forEach(pod -> places.put(pod.key(), pod.spec().nodeName()));
        return places;
    }

    private static Map<String, String> placesKnown(ClusterView cluster) {
        Map<String, String> places = new TreeMap<>();
        for (Pod pod : cluster.placedPods()) {
            int row = cluster.pods().find(pod.key());
            places.put(pod.key(), cluster.nodes().name(cluster.pods().node(row)));
        }
        return places;
    }

    /**
     * Asks an engine that has just been told everything: it has no wake-up to lose. Where one keeps a place that others might take,
     * until it is tried the next time, these must fit beside it; unless it may be what helps them.
     */
    private void nothingThatFitsWaits(List<Pod> pods, List<Pod> waiting) {
        List<Pod> keeping = waiting.stream()
                .filter(pod -> isExpected(pod) && (wasDisturbed(pod) || isHopeless(pod) || mayName(pod)))
                .toList();
        Engine judge = judge(pods);
        Engine lenient = judge(pods, type -> !type.equals(ResourceTable.PLACEMENT_POLICIES));
        for (Pod pod : waiting) {
            List<Pod> beside = keeping.stream()
                    .filter(other -> !other.key().equals(pod.key())
                            && other.spec().priority() >= pod.spec().priority())
                    .toList();
            boolean isJudged = pod.spec().schedulingGates().isEmpty()
                    && Gangs.of(pod).isEmpty()
                    && (beside.isEmpty() || !Sleepers.othersMayHelp(pod));
            if (isJudged) {
                mayWait(pod, beside.isEmpty() ? judge : judgeBeside(pods, beside));
            }
            if (isJudged && beside.isEmpty() && waitsForDomainsAlone(pod)) {
                fitsNowhere(pod, lenient);
            }
        }
        new GangOutcome(configuration, this::read, Outcome::wasDisturbed).noneThatFitsWaits(waiting);
    }

    /**
     * Whether by now nothing that policies say of it keeps it from a node: domains that take none are not waited for so long, where
     * others would take it as they are. For whom others would have to go there, it waits for these.
     */
    private boolean waitsForDomainsAlone(Pod pod) {
        List<PlacementPolicy> its = read(ResourceTable.PLACEMENT_POLICIES)
                .map(PlacementPolicy.class::cast)
                .filter(policy -> policy.meta().namespace().equals(pod.namespace())
                        && policy.spec().selector().matches(pod.labels()))
                .toList();
        return its.size() == 1
                && its.getFirst().spec().rules().stream()
                        .allMatch(rule -> rule.terms().relaxAfterSeconds().isPresent());
    }

    private static void mayWait(Pod pod, Engine judge) {
        List<Pod> victims = fitsNowhere(pod, judge).victims();
        if (!victims.isEmpty() && !wasDisturbed(pod)) {
            throw new Violation(pod.key() + " waits, though others may go for it: " + keys(victims));
        }
    }

    private static Decision.Unschedulable fitsNowhere(Pod pod, Engine judge) {
        if (judge.decide(pod) instanceof Decision.Unschedulable unschedulable) {
            return unschedulable;
        }
        throw new Violation(pod.key() + " waits, though it fits: a wake-up was lost");
    }

    private Engine judge(List<Pod> pods) {
        return judge(pods, _ -> true);
    }

    private Engine judge(List<Pod> pods, Predicate<ResourceType> isTold) {
        Engine judge = new Engine(
                configuration, InTreePlugins.registry(), new FirstByName(), SchedulingCycle.Scoring.WHEN_NEEDED);
        watched().stream()
                .filter(type -> !type.equals(ResourceTable.PODS) && isTold.test(type))
                .forEach(type -> read(type).forEach(judge::put));
        pods.forEach(judge::put);
        return judge;
    }

    private Engine judgeBeside(List<Pod> pods, List<Pod> nominated) {
        Engine judge = judge(pods);
        nominated.forEach(pod -> judge.put(
                PodBuilder.from(pod).nodeName(pod.status().nominatedNodeName()).build()));
        return judge;
    }

    private boolean mayName(Pod pod) {
        return mayName.test(pod.namespace(), pod.name());
    }

    private static boolean isExpected(Pod pod) {
        return !pod.status().nominatedNodeName().isEmpty();
    }

    /** Whether a plugin failed as it was looked for others to go, which nothing calls back afterwards. */
    private static boolean wasDisturbed(Pod pod) {
        return pod.status()
                .scheduled()
                .filter(told -> Whims.areToldOf(told.message()))
                .isPresent();
    }

    /** Whether it lacks a claim, or a claim its volume, so that nobody was asked whether others may go, who would have taken back what was said before. */
    private static boolean isHopeless(Pod pod) {
        return !pod.spec().resourceClaims().isEmpty()
                || (!pod.spec().volumes().isEmpty()
                        && pod.status()
                                .scheduled()
                                .filter(told -> told.message().contains("persistentvolume"))
                                .isPresent());
    }

    /** Whether it lacks a claim to devices: no scheduler says so of a pod that has no turn. */
    private boolean isHeldBack(Pod pod) {
        Map<String, ResourceClaim> claims = read(ResourceTable.RESOURCE_CLAIMS)
                .map(ResourceClaim.class::cast)
                .collect(Collectors.toMap(ResourceClaim::key, claim -> claim));
        return pod.spec().resourceClaims().stream()
                .map(each -> claims.get(pod.namespace() + "/" + each.resourceClaimName()))
                .anyMatch(claim -> claim == null || claim.meta().terminating());
    }

    private static void isToldWhy(Pod pod) {
        if (pod.status()
                .scheduled()
                .filter(told -> told.status().equals("False"))
                .isEmpty()) {
            throw new Violation(pod.key() + " waits, and no condition says why");
        }
    }

    /** Of one that cannot be read nobody tells by a condition. */
    private void isToldThatItCannotBeRead(JsonObject pod) {
        if (!reports.haveToldOf(Trees.text(pod, "metadata", "uid"))) {
            throw new Violation(Trees.text(pod, "metadata", "name") + " cannot be read, and no event says so");
        }
    }

    /**
     * As nobody is on its way any more, and what a pod fits nowhere takes back what was said before, unless the plugin that
     * should have said where it may fit soon failed.
     */
    private static void isExpectedNowhere(Pod pod) {
        if (isExpected(pod) && !wasDisturbed(pod) && !isHopeless(pod)) {
            throw new Violation(pod.key() + " waits, and its status still names "
                    + pod.status().nominatedNodeName());
        }
    }

    private static void same(String what, Object expected, Object actual) {
        if (!expected.equals(actual)) {
            throw new Violation(what + ": expected " + expected + ", the scheduler has " + actual);
        }
    }
}
