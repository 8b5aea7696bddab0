package io.evenkeel.world.check;

import io.evenkeel.cluster.ClusterDump;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.world.check.Gangs.Gang;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What one replica's engine has been told, kept in the plainest way. A pod never leaves its node but by
 * going altogether, so old news that say so are not believed; and of a pod on its way, a look-up may be the first to tell.
 */
final class Told {
    private static final Pattern GIVEN = Pattern.compile("claim (.+) assumed to have \\[(.*)]");
    private static final Pattern LATE = Pattern.compile("claim (.+) waits no more for \\[.*]");
    private static final Set<CommandResult.BindFailure> GONE =
            Set.of(CommandResult.BindFailure.GONE, CommandResult.BindFailure.OTHER_UID);

    private final Map<String, Node> nodes = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    /** All that is neither a node nor a pod, by kind and key. */
    private final Map<String, Map<String, KubernetesObject>> others = new HashMap<>();
    /** The UIDs of pods whose names others have by now, by key: a look-up has told so, and the watch has not. */
    private final Map<String, String> supplanted = new HashMap<>();

    /**
     * At which event a claim has last been told to have a node, a volume or devices, or to have none any more, by its kind and key.
     */
    private final Map<String, Long> settled = new HashMap<>();
    /** Of those on their way, by UID. */
    private Map<String, Decided> decided = Map.of();

    /** The devices that claims are given and do not show yet, by the claims' UIDs, or keys where they have none. */
    private Map<String, Set<String>> given = Map.of();

    private Map<String, Set<String>> givenBefore = Map.of();
    /** The UIDs of claims with devices that did not get ready in time. */
    private Set<String> late = Set.of();

    /** The places that are held for pods to come, each with one like it. */
    private List<OfPlace.Held> held = List.of();

    private final Map<String, Set<String>> relisted = new TreeMap<>();
    private final Set<String> listedWhole = new HashSet<>();
    private final Versions versions = new Versions();
    private final Predicate<KubernetesObject> isThere;
    private final boolean isGated;
    private long events;

    /** @param events how many had been taken in */
    private record Decided(long since, long events) {}

    /** @param isThere whether the servers have just this object now */
    Told(Predicate<KubernetesObject> isThere) {
        this(isThere, false);
    }

    private Told(Predicate<KubernetesObject> isThere, boolean isGated) {
        this.isThere = isThere;
        this.isGated = isGated;
    }

    /** Of an engine behind a gate, which takes away what comes to be another's, and lets old news in later. */
    static Told behindGate() {
        return new Told(_ -> false, true);
    }

    /** Just these, and nothing is on its way. */
    static Told of(Collection<KubernetesObject> objects) {
        Told told = behindGate();
        objects.forEach(told::put);
        return told;
    }

    Collection<Node> nodes() {
        return nodes.values();
    }

    Collection<Pod> pods() {
        return pods.values();
    }

    Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    Optional<Pod> podOfKey(String key) {
        return Optional.ofNullable(pods.get(key));
    }

    /** The pod of this UID, if there is one. */
    Optional<Pod> pod(String uid) {
        return pods.values().stream().filter(pod -> isSame(pod, uid)).findFirst();
    }

    /** How many of the gang are needed; 0 where nothing is known of that. */
    int needed(Gang gang) {
        String key = gang.namespace() + "/" + gang.name();
        return gang.isOfPodGroup()
                ? Optional.ofNullable(others(CoschedulingPodGroup.KIND).get(key))
                        .map(group -> ((CoschedulingPodGroup) group).minMember())
                        .orElse(0)
                : Optional.ofNullable(others("ReplicaSet").get(key))
                        .filter(known -> known.meta().uid().equals(gang.identity()))
                        .map(known -> ((WorkloadOwner) known).replicas())
                        .orElse(0);
    }

    /** All of a kind that is neither node nor pod. */
    <T extends KubernetesObject> List<T> all(Kind<T> kind) {
        return others(kind.name()).values().stream().map(kind.type()::cast).toList();
    }

    private Map<String, KubernetesObject> others(String kind) {
        return others.computeIfAbsent(kind, _ -> new TreeMap<>());
    }

    /** The kinds of which everything has been told once. */
    Set<String> listedWhole() {
        return listedWhole;
    }

    /** How many events it has taken in. */
    long events() {
        return events;
    }

    /** These are on their way now; those that were not before have been decided by what has been told so far. */
    void decided(Collection<OnItsWay> onTheirWay) {
        Map<String, Decided> now = new HashMap<>();
        for (OnItsWay each : onTheirWay) {
            String uid = each.pod().meta().uid();
            Decided before = decided.get(uid);
            now.put(uid, before != null && before.since == each.since() ? before : new Decided(each.since(), events));
        }
        decided = now;
    }

    boolean isDecided(Pod pod) {
        return decided.containsKey(pod.meta().uid());
    }

    /** What the scheduler says of claims to devices. */
    void given(ClusterView cluster) {
        if (!all(Kinds.DEVICE_CLASS).isEmpty() || !given.isEmpty()) {
            String dump = ClusterDump.of(cluster);
            given = linesOf(dump, GIVEN)
                    .collect(Collectors.toMap(
                            line -> line.group(1), line -> Set.of(line.group(2).split(", ", -1))));
            late = linesOf(dump, LATE).map(line -> line.group(1)).collect(Collectors.toSet());
        }
    }

    private static Stream<Matcher> linesOf(String dump, Pattern which) {
        return dump.lines().map(which::matcher).filter(Matcher::matches);
    }

    /** These places are held, and nobody has come yet for whom they are. */
    void held(List<OfPlace.Held> places) {
        held = places;
    }

    List<OfPlace.Held> held() {
        return held;
    }

    /** For whom places are held on the node, of at least the priority of this pod. */
    static List<Pod> ahead(Pod pod, String node, List<OfPlace.Held> places) {
        return places.stream()
                .filter(place -> place.node().equals(node)
                        && place.pod().spec().priority() >= pod.spec().priority())
                .map(OfPlace.Held::pod)
                .toList();
    }

    /** The turn is over. */
    void endTurn() {
        givenBefore = given;
    }

    Map<String, Set<String>> given() {
        return given;
    }

    boolean isLate(ResourceClaim claim) {
        return late.contains(claim.meta().uid());
    }

    boolean isNewlyGiven(String id) {
        return !given.get(id).equals(givenBefore.get(id));
    }

    /**
     * Whether it counts for the claim still where this pod goes: not once something newer has been told. For example, of pods a
     * and b with a claim, which is made near one node at a time:
     *
     * <pre>
     * a is decided, to node-1                   b may go to node-1 alone
     * the claim is told to be made near node-1  the same, by what is told
     * and not to be made there after all        b may go anywhere: a fails as it writes, or waits for the volume
     * </pre>
     */
    boolean decides(Pod pod, PersistentVolumeClaim claim) {
        Decided when = decided.get(pod.meta().uid());
        return when == null || isAsBefore(claim, when);
    }

    /** The same of a claim to devices. */
    boolean decides(Pod pod, ResourceClaim claim) {
        Decided when = decided.get(pod.meta().uid());
        return when != null && isAsBefore(claim, when);
    }

    private boolean isAsBefore(KubernetesObject claim, Decided when) {
        return settled.getOrDefault(claim.kindName() + claim.meta().key(), 0L) <= when.events;
    }

    /** The event is taken in; {@code onTheirWay} are the pods, by UID, of which a result may tell something new. */
    void take(SchedulerEvent event, Predicate<String> onTheirWay) {
        events++;
        if (!isGated) {
            versions.take(event);
        }
        switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> {
                if (object instanceof Pod pod && isSupplanted(pod)) {
                    return;
                }
                relisted.computeIfPresent(object.kindName(), (_, there) -> {
                    there.add(object.meta().key());
                    return there;
                });
                put(object);
            }
            case ClusterEvent.Removed(KubernetesObject object) -> {
                supplanted.remove(object.meta().key());
                remove(object);
            }
            case Relist.Began(String kind) -> relisted.put(kind, new HashSet<>());
            case Relist.Present(String kind, var identity) ->
                identity.ifPresentOrElse(
                        there -> {
                            if (known(kind).noneMatch(object -> isEarlier(object.meta(), there))) {
                                relisted.get(kind).add(there.key());
                            }
                        },
                        () -> relisted.get(kind).addAll(keys(kind)));
            case Relist.Ended(String kind, var _) -> ended(kind);
            case CommandResult result -> {
                if (onTheirWay.test(result.pod().meta().uid())) {
                    takeResult(result);
                }
            }
            case SchedulerEvent.UnreadablePod _,
                    SchedulerEvent.ExtendersAnswered _,
                    SchedulerEvent.OfPlace _,
                    SchedulerEvent.Inquiry _ -> {}
        }
    }

    /** Another one of the name, which has to be gone for this one to be there. */
    private static boolean isEarlier(ObjectMeta known, ObjectMeta there) {
        return known.key().equals(there.key()) && !known.uid().equals(there.uid());
    }

    private void takeResult(CommandResult result) {
        switch (result) {
            case CommandResult.Found(Pod asked, Optional<Pod> found) -> {
                if (!isStillOpen(asked)) {
                    return;
                }
                if (found.isEmpty() || !isSame(found.get(), asked.meta().uid())) {
                    gone(asked);
                }
                // of one on no node the watch may have told newer things meanwhile
                found.filter(Pod::isPlaced).ifPresent(other -> {
                    if (!isSame(other, asked.meta().uid())) {
                        supplanted.put(asked.key(), asked.meta().uid());
                    }
                    put(other);
                });
            }
            case CommandResult.NotBound(Pod pod, var _, var why, var _) -> {
                // one that has been in place goes with the news of it: the watch is behind
                if (GONE.contains(why)
                        && !pod(pod.meta().uid()).map(Pod::isPlaced).orElse(false)) {
                    gone(pod);
                }
            }
            case CommandResult.Bound _, CommandResult.LookupFailed _ -> {}
            case CommandResult.OfPreparation _, CommandResult.OfEviction _ -> {}
        }
    }

    /** Whether a look-up has found another pod of the name already, and the watch is behind. */
    private boolean isSupplanted(Pod pod) {
        boolean supplants = !pod.meta().uid().equals(supplanted.get(pod.key()));
        if (supplants) {
            supplanted.remove(pod.key());
        }
        return !supplants;
    }

    /** Whether the watch has not been faster, in this very turn: shown on a node, or gone, nobody asks any more. */
    private boolean isStillOpen(Pod asked) {
        return pod(asked.meta().uid()).filter(known -> !known.isPlaced()).isPresent();
    }

    private void ended(String kind) {
        Set<String> there = relisted.remove(kind);
        if (there == null) {
            throw new Violation("a relist of " + kind + " ends that has not begun");
        }
        if (kind.equals("Pod")) {
            supplanted.clear();
        }
        if (!listedWhole.add(kind)) {
            // The first list may be of an older server's than a first try at it. All that follow are of the newest.
            known(kind)
                    .filter(object -> !there.contains(object.meta().key()) && isThere.test(object))
                    .findFirst()
                    .ifPresent(lost -> {
                        throw new Violation("a relist takes " + lost.meta().key() + " for gone, which is there");
                    });
        }
        keys(kind).retainAll(there);
    }

    private Stream<? extends KubernetesObject> known(String kind) {
        return switch (kind) {
            case "Node" -> nodes.values().stream();
            case "Pod" -> pods.values().stream();
            default -> others(kind).values().stream();
        };
    }

    private Set<String> keys(String kind) {
        return switch (kind) {
            case "Node" -> nodes.keySet();
            case "Pod" -> pods.keySet();
            default -> others(kind).keySet();
        };
    }

    private void put(KubernetesObject object) {
        switch (object) {
            case Node node -> nodes.put(node.meta().key(), node);
            case Pod pod -> putPod(pod);
            case PersistentVolumeClaim claim -> putClaim(claim);
            case ResourceClaim claim -> putClaim(claim);
            default -> others(object.kindName()).put(object.meta().key(), object);
        }
    }

    private void putClaim(KubernetesObject claim) {
        KubernetesObject before = others(claim.kindName()).put(claim.meta().key(), claim);
        boolean isAnother = claim instanceof ResourceClaim
                && (before == null || !before.meta().uid().equals(claim.meta().uid()));
        if (isAnother || isSettled(claim) || (before != null && isSettled(before))) {
            settled.put(claim.kindName() + claim.meta().key(), events);
        }
    }

    private static boolean isSettled(KubernetesObject claim) {
        return switch (claim) {
            case PersistentVolumeClaim volumes ->
                volumes.selectedNode().isPresent() || !volumes.volumeName().isEmpty();
            case ResourceClaim devices -> devices.allocation().isPresent();
            default -> false;
        };
    }

    private void putPod(Pod pod) {
        Optional<Pod> before = Optional.ofNullable(pods.get(pod.key()))
                .filter(other -> isSame(other, pod.meta().uid()));
        if (pod.status().isFinished()) {
            pods.remove(pod.key());
        } else if (pod.isPlaced() || !before.map(Pod::isPlaced).orElse(false)) {
            pods.put(pod.key(), pod);
        }
    }

    private void remove(KubernetesObject object) {
        switch (object) {
            case Node node -> nodes.remove(node.meta().key());
            case Pod pod -> gone(pod);
            default -> others(object.kindName()).remove(object.meta().key());
        }
    }

    private void gone(Pod pod) {
        if (pods.containsKey(pod.key())
                && isSame(pods.get(pod.key()), pod.meta().uid())) {
            pods.remove(pod.key());
        }
    }

    private static boolean isSame(Pod pod, String uid) {
        return pod.meta().uid().equals(uid);
    }

    /** For people. */
    static String described(SchedulerEvent event) {
        return switch (event) {
            case ClusterEvent.Put(KubernetesObject object) -> "put " + described(object);
            case ClusterEvent.Removed(KubernetesObject object) -> "removed " + described(object);
            case CommandResult.Bound(Pod pod, String node) -> "bound " + pod.key() + " to " + node;
            case CommandResult.NotBound(Pod pod, String node, var why, var message) ->
                "not bound " + pod.key() + " to " + node + ": " + why + " " + message;
            case CommandResult.Found(Pod pod, var found) -> "found " + pod.key() + " as " + found;
            case SchedulerEvent.OfPlace place ->
                "a place for the successor of " + place.pod().key();
            case SchedulerEvent.Inquiry _ -> "a question";
            default -> event.toString();
        };
    }

    private static String described(KubernetesObject object) {
        String place = object instanceof Pod pod && pod.isPlaced()
                ? " on " + pod.spec().nodeName()
                : "";
        return object.kindName() + " " + object.meta().key() + place + " at "
                + object.meta().resourceVersion();
    }
}
