package io.evenkeel.world.check;

import com.google.gson.JsonObject;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.world.life.Garbling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the servers' log says of pods that engines of shards put on nodes, whichever of them decided it. No engine alone knows it, so
 * nothing is asked of one. Who schedules alone may begin with what is old, so it is not judged so:
 *
 * <pre>
 * too much on a node, a port twice,            wrong where it was so however nodes and labels were of late, as nobody may
 *   or together against anti-affinity            decide it: only pods count that replicas put there in time
 * claims that are not bound, or to volumes       the same
 *   out of reach; too many volumes of a driver;
 *   a claim that is for another pod alone
 * a skew, away from whom it wants to be near,  right where it was so at some time of late, as others come and go between decision
 *   against taints, node affinity, policies      and binding
 * </pre>
 *
 * Of devices {@link Grants} counts by the log.
 */
public final class Recount {
    private static final Map<String, Kind<?>> STORAGE = Stream.of(
                    Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME, Kinds.STORAGE_CLASS, Kinds.CSI_NODE)
            .collect(Collectors.toUnmodifiableMap(Kind::plural, kind -> kind));

    private final LongSupplier clock;
    private final Shards shards;
    private final ObjectReader reader = new ObjectReader();
    private final List<Moment> moments = new ArrayList<>();
    private final Map<String, Decided> decided = new HashMap<>();
    /** For which pods, by UID, which place has been asked for last, and since when. */
    private final Map<String, Decided> asked = new HashMap<>();
    /** The UIDs of pods that replicas have put somewhere, and not too late for anybody to count on it. */
    private final Set<String> placed = new HashSet<>();
    /** The UIDs of pods for which a place was asked too late. */
    private final Set<String> askedLate = new HashSet<>();

    private Optional<Arrival> arriving = Optional.empty();
    private long window;

    /**
     * What there is from now on.
     *
     * @param pods by UID, without those that have ended; one that a place is asked for counts there
     * @param unreadable the nodes that cannot be read: who has read one before knows it still, others do not
     * @param storage claims, volumes and what has to do with them, by kind and key
     * @param policies by UID
     */
    private record Moment(
            long from,
            Map<String, Node> nodes,
            Map<String, Pod> pods,
            Set<String> unreadable,
            Map<String, KubernetesObject> storage,
            Map<String, PlacementPolicy> policies) {
        boolean isUnderPolicy(Pod pod) {
            return new Policies(List.copyOf(policies.values())).govern(pod);
        }
    }

    private record Decided(String node, long at) {}

    /** @param isLate whether nobody waits for the answer any more */
    private record Arrival(ApiCall call, boolean isLate) {}

    /**
     * Nothing is there yet.
     *
     * @param window for how long what a replica knows may be old
     */
    public Recount(LongSupplier clock, Shards shards, long window) {
        this.clock = clock;
        this.shards = shards;
        this.window = window;
        moments.add(new Moment(Long.MIN_VALUE, Map.of(), Map.of(), Set.of(), Map.of(), Map.of()));
    }

    /** What replicas know is not older than this from now on. */
    public void window(long nanos) {
        window = nanos;
    }

    /** An engine has decided this. */
    public void decided(String shard, Pod pod, String node) {
        shards.decided(shard, pod, node);
        decided.put(pod.meta().uid(), new Decided(node, clock.getAsLong()));
    }

    /** A request is carried out between this and {@link #carriedOut}. */
    public void carriesOut(ApiCall call, boolean isLate) {
        arriving = Optional.of(new Arrival(call, isLate));
    }

    public void carriedOut() {
        arriving = Optional.empty();
    }

    static boolean asksFor(JsonObject condition) {
        return Trees.text(condition, "type").equals(PodCondition.SHARD)
                && Trees.text(condition, "reason").equals("Asked");
    }

    static Optional<String> askedNode(Pod pod) {
        return pod.status()
                .shard()
                .filter(condition -> condition.reason().equals("Asked"))
                .map(PodCondition::message);
    }

    private static boolean isUnreadable(JsonObject object) {
        return object.toString().contains(Garbling.AMOUNT);
    }

    private Moment now() {
        return moments.getLast();
    }

    private void becomes(Map<String, Node> nodes, Map<String, Pod> pods, Set<String> unreadable) {
        moments.add(new Moment(clock.getAsLong(), nodes, pods, unreadable, now().storage, now().policies));
    }

    /** The log has this of an object in this table now, which may be a claim, or a volume. */
    public void other(String table, JsonObject tree, boolean isGone) {
        Optional.ofNullable(STORAGE.get(table)).ifPresent(kind -> {
            KubernetesObject object = reader.read(typed(tree, kind.name(), kind.apiVersion()));
            Map<String, KubernetesObject> storage = new TreeMap<>(now().storage);
            String key = kind.name() + " " + object.meta().key();
            if (isGone) {
                storage.remove(key);
            } else {
                storage.put(key, object);
            }
            moments.add(
                    new Moment(clock.getAsLong(), now().nodes, now().pods, now().unreadable, storage, now().policies));
        });
    }

    /** The log has this of a PlacementPolicy now. */
    public void policy(JsonObject tree, boolean isGone) {
        Map<String, PlacementPolicy> policies = new TreeMap<>(now().policies);
        PlacementPolicy policy =
                (PlacementPolicy) reader.read(typed(tree, PlacementPolicy.KIND, "evenkeel.io/v1alpha1"));
        if (isGone) {
            policies.remove(policy.meta().uid());
        } else {
            policies.put(policy.meta().uid(), policy);
        }
        moments.add(new Moment(clock.getAsLong(), now().nodes, now().pods, now().unreadable, now().storage, policies));
    }

    /** The log has this of a node now. */
    public void node(JsonObject tree, boolean isGone) {
        Map<String, Node> nodes = new TreeMap<>(now().nodes);
        Set<String> unreadable = new HashSet<>(now().unreadable);
        String name = Trees.text(tree, "metadata", "name");
        unreadable.remove(name);
        if (isGone) {
            nodes.remove(name);
        } else if (isUnreadable(tree)) {
            unreadable.add(name);
        } else {
            Node node = (Node) reader.read(typed(tree, "Node", "v1"));
            nodes.put(name, node);
            shards.node(node);
        }
        becomes(nodes, now().pods, unreadable);
    }

    private static String typed(JsonObject tree, String kind, String apiVersion) {
        JsonObject typed = tree.deepCopy();
        typed.addProperty("kind", kind);
        typed.addProperty("apiVersion", apiVersion);
        return typed.toString();
    }

    /**
     * The log has this of a pod now.
     *
     * @param isByReplica whether a replica has just put it on its node
     */
    public void pod(JsonObject tree, boolean isGone, boolean isByReplica) {
        if (isUnreadable(tree)) {
            return;
        }
        Pod pod = (Pod) reader.read(typed(tree, "Pod", "v1"));
        String uid = pod.meta().uid();
        Map<String, Pod> pods = new TreeMap<>(now().pods);
        if (isGone || pod.status().isFinished()) {
            pods.remove(uid);
        } else {
            pods.put(uid, pod);
        }
        askedNode(pod)
                .filter(node -> !asked.containsKey(uid) || !asked.get(uid).node.equals(node))
                .ifPresent(node -> asked.put(uid, new Decided(node, clock.getAsLong())));
        boolean asks = arriving.filter(arrival -> Shards.asks(arrival.call)).isPresent();
        if (asks) {
            if (arriving.orElseThrow().isLate) {
                askedLate.add(uid);
            } else {
                askedLate.remove(uid);
            }
        }
        becomes(now().nodes, pods, now().unreadable);
        if (isByReplica && arriving.isPresent()) {
            Arrival arrival = arriving.get();
            boolean isStray = arrival.isLate || shards.isStray(arrival.call);
            if (!isStray) {
                placed.add(uid);
                if (shards.isOfShard(arrival.call)) {
                    judge(pod);
                }
            }
        }
    }

    private void judge(Pod pod) {
        long since = Stream.of(decided, asked)
                        .map(places -> places.get(pod.meta().uid()))
                        .filter(place ->
                                place != null && place.node.equals(pod.spec().nodeName()))
                        .mapToLong(Decided::at)
                        .min()
                        .orElse(clock.getAsLong())
                - window;
        List<Moment> late = new ArrayList<>();
        for (Moment moment : moments.reversed()) {
            late.add(moment);
            if (moment.from <= since) {
                break;
            }
        }
        String node = pod.spec().nodeName();
        List<String> wrong = List.of();
        boolean isRight = false;
        for (Moment moment : late) {
            if (moment.nodes.containsKey(node)) {
                Pod then = moment.pods.getOrDefault(pod.meta().uid(), pod);
                wrong = amongPlaced(moment).wrongBesideOthers(then, node);
                isRight = isRight || wrong.isEmpty();
            }
        }
        if (!isRight && !wrong.isEmpty()) {
            throw new Violation(pod.key() + " is bound to " + node + " where it was wrong all the time: " + wrong);
        }
        if (!pod.spec().volumes().isEmpty()) {
            judgeVolumes(pod, late);
        }
        if (!asked.containsKey(pod.meta().uid()) && late.stream().allMatch(moment -> moment.isUnderPolicy(pod))) {
            throw new Violation(pod.key() + " is bound to " + node + ", a policy is about it, and nobody asks for it");
        }
        if (!askedLate.contains(pod.meta().uid()) && !wasRight(late, pod)) {
            throw new Violation(pod.key() + " is bound to " + node + " where it was never right: "
                    + wrongAmong(now(), now(), now().policies, pod, true));
        }
    }

    /**
     * Its claims were bound once, to volumes that the node reaches. And beside the others that are there by now the node takes them, by
     * what it took once, and none is another's alone.
     */
    private void judgeVolumes(Pod pod, List<Moment> late) {
        String name = pod.spec().nodeName();
        Map<Pod, Node> places = new HashMap<>();
        now().pods.forEach((uid, each) -> {
            if (placed.contains(uid)) {
                places.put(each, now().nodes.get(each.spec().nodeName()));
            }
        });
        List<Pod> on = places.keySet().stream()
                .filter(each -> each.spec().nodeName().equals(name))
                .toList();
        List<Node> nodes = late.stream()
                .flatMap(moment -> Optional.ofNullable(moment.nodes.get(name)).stream())
                .distinct()
                .toList();
        List<List<String>> away = new ArrayList<>();
        List<List<String>> beside = new ArrayList<>();
        late.stream().map(Moment::storage).distinct().forEach(then -> {
            Storage storage = new Storage(Told.of(then.values()));
            Storage limited = new Storage(Told.of(Stream.concat(
                            now().storage.values().stream().filter(object -> !(object instanceof CsiNode)),
                            then.values().stream().filter(CsiNode.class::isInstance))
                    .toList()));
            for (Node node : nodes) {
                List<String> wrong = new ArrayList<>();
                storage.awayFromVolumes(pod, node, wrong);
                away.add(wrong);
                List<String> wrongBeside = new ArrayList<>();
                limited.wrongBesideOthers(pod, node, on, places, wrongBeside);
                beside.add(wrongBeside);
            }
        });
        for (List<List<String>> each : List.of(away, beside)) {
            if (!each.isEmpty() && each.stream().noneMatch(List::isEmpty)) {
                throw new Violation(pod.key() + " is bound to " + name + " with claims that were never right there: "
                        + each.getFirst());
            }
        }
    }

    /** Only those that replicas have put somewhere in time count, with the labels of that moment. */
    private Picture amongPlaced(Moment moment) {
        Picture picture = Picture.of(moment.nodes.values(), List.of());
        now().pods.forEach((uid, each) -> {
            if (placed.contains(uid)) {
                picture.place(moment.pods.getOrDefault(uid, each), each.spec().nodeName());
            }
        });
        return picture;
    }

    private boolean wasRight(List<Moment> late, Pod pod) {
        return late.stream().anyMatch(moment -> !moment.unreadable.isEmpty())
                || late.stream().map(Moment::policies).distinct().anyMatch(policies -> wasRight(late, policies, pod));
    }

    private boolean wasRight(List<Moment> late, Map<String, PlacementPolicy> policies, Pod pod) {
        for (boolean counted : new boolean[] {true, false}) {
            if (late.stream()
                    .anyMatch(moment ->
                            wrongAmong(moment, moment, policies, pod, counted).isEmpty())) {
                return true;
            }
        }
        // of nodes it may have heard sooner or later than of pods
        return late.stream()
                .anyMatch(ofNodes -> late.stream()
                        .anyMatch(ofPods ->
                                wrongAmong(ofNodes, ofPods, policies, pod, true).isEmpty()
                                        || wrongAmong(ofNodes, ofPods, policies, pod, false)
                                                .isEmpty()));
    }

    /** @param counted whether those count that are asked for, or decided, and not bound yet */
    private List<String> wrongAmong(
            Moment ofNodes, Moment ofPods, Map<String, PlacementPolicy> policies, Pod pod, boolean counted) {
        Picture picture = Picture.of(ofNodes.nodes.values(), policies.values());
        ofPods.pods.forEach((uid, each) -> {
            Optional<String> place = each.isPlaced()
                    ? Optional.of(each.spec().nodeName())
                    : Optional.of(each)
                            .filter(_ -> counted)
                            .flatMap(waits -> askedNode(waits)
                                    .or(() -> Optional.ofNullable(decided.get(uid))
                                            .filter(of -> of.at <= ofPods.from)
                                            .map(Decided::node)));
            if (!uid.equals(pod.meta().uid())) {
                place.ifPresent(node -> picture.place(each, node));
            }
        });
        Pod then = ofPods.pods.getOrDefault(pod.meta().uid(), pod);
        picture.place(then, pod.spec().nodeName());
        return picture.wrongAbout(then, pod.spec().nodeName());
    }
}
