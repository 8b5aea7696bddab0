package io.evenkeel.whatif.moves;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.whatif.moves.MoveRun.EvictionAnswer;
import io.evenkeel.whatif.rebalance.Move;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A cluster of owners, pods and nodes with room for so many of them, whose controllers, scheduler and kubelets take a step each second.
 * What goes wrong in it is done to it by tests.
 */
final class SimulatedCluster implements Scene {
    /** How many pods a node has room for. */
    final Map<String, Integer> nodes = new TreeMap<>();

    final Map<String, Integer> replicas = new TreeMap<>();
    /** How many ready pods of an owner an eviction leaves at least. */
    final Map<String, Integer> budgets = new HashMap<>();

    final Map<String, Pod> pods = new LinkedHashMap<>();
    final Map<String, HeldPlace> holds = new LinkedHashMap<>();
    /** Owners whose pods are never ready. */
    final List<String> broken = new ArrayList<>();

    final List<String> rollingOut = new ArrayList<>();
    private final RandomGenerator random;
    private int made;

    static final class HeldPlace {
        final Pod pod;
        final String node;
        Optional<String> takenBy = Optional.empty();

        HeldPlace(Pod pod, String node) {
            this.pod = pod;
            this.node = node;
        }
    }

    SimulatedCluster(RandomGenerator random) {
        this.random = random;
    }

    static OwnerReference owner(String name) {
        return new OwnerReference("apps/v1", "ReplicaSet", name, name);
    }

    /** A ready pod on a node, or one that waits. */
    Pod add(String owner, String node) {
        String name = owner + "-" + made++;
        Pod pod = PodBuilder.pod(name)
                .uid(name)
                .controller(owner(owner))
                .nodeName(node)
                .build();
        pods.put(name, node.isEmpty() ? pod : ready(pod));
        replicas.merge(owner, 0, Integer::sum);
        return pods.get(name);
    }

    private static Pod ready(Pod pod) {
        return PodBuilder.from(pod)
                .status(PodStatusBuilder.running().ready(true).build())
                .build();
    }

    List<Pod> of(String owner) {
        return pods.values().stream()
                .filter(pod -> nameOfOwner(pod).equals(owner))
                .toList();
    }

    List<Pod> staying(String owner) {
        return of(owner).stream().filter(pod -> !pod.meta().terminating()).toList();
    }

    static String nameOfOwner(Pod pod) {
        return pod.meta().controller().orElseThrow().name();
    }

    // what the state machine asks

    @Override
    public Optional<Pod> pod(String uid) {
        return Optional.ofNullable(pods.get(uid));
    }

    @Override
    public Optional<String> unrest(Move move) {
        String owner = nameOfOwner(move.pod());
        if (rollingOut.contains(owner)) {
            return Optional.of("it is rolling out");
        }
        List<Pod> its = of(owner);
        boolean isCalm = its.size() == replicas.get(owner)
                && its.stream()
                        .allMatch(pod -> pod.status().ready() && !pod.meta().terminating());
        return isCalm ? Optional.empty() : Optional.of("not all of its pods are ready");
    }

    @Override
    public boolean isComplete(OwnerReference owner) {
        return staying(owner.name()).size() >= replicas.get(owner.name());
    }

    @Override
    public Optional<String> objection(Move move) {
        boolean isThere = pod(move.pod().meta().uid())
                .filter(pod -> pod.spec().nodeName().equals(move.from()))
                .isPresent();
        if (!isThere) {
            return Optional.of("it is not on " + move.from());
        }
        boolean isHeld = holds.containsKey(move.pod().meta().uid());
        return isHeld || hasRoom(move.to()) ? Optional.empty() : Optional.of(move.to() + " has no room");
    }

    @Override
    public Hold hold(Pod pod) {
        HeldPlace place = holds.get(pod.meta().uid());
        if (place == null) {
            return Hold.NONE;
        }
        return place.takenBy.<Hold>map(Hold.Taken::new).orElse(Hold.OPEN);
    }

    boolean hasRoom(String node) {
        long taken = pods.values().stream()
                .filter(pod -> pod.spec().nodeName().equals(node))
                .count();
        long held = holds.values().stream()
                .filter(place -> place.node.equals(node) && !isUsed(place))
                .count();
        return nodes.containsKey(node) && taken + held < nodes.get(node);
    }

    private boolean isUsed(HeldPlace place) {
        return place.takenBy
                .map(uid -> Optional.ofNullable(pods.get(uid))
                        .filter(pod -> !pod.isPlaced())
                        .isEmpty())
                .orElse(false);
    }

    // what it does

    EvictionAnswer evict(Pod asked) {
        Pod pod = pods.get(asked.meta().uid());
        if (pod == null) {
            return new EvictionAnswer.Gone();
        }
        String owner = nameOfOwner(pod);
        long ready = staying(owner).stream().filter(one -> one.status().ready()).count();
        if (!pod.meta().terminating() && ready - 1 < budgets.getOrDefault(owner, 0)) {
            return new EvictionAnswer.NotNow("the budget needs " + budgets.get(owner), Optional.empty());
        }
        delete(pod);
        return new EvictionAnswer.Accepted();
    }

    void delete(Pod pod) {
        pods.computeIfPresent(
                pod.meta().uid(), (_, one) -> new Pod(one.meta().withTerminating(true), one.spec(), one.status()));
    }

    void placeOn(Pod pod, String node) {
        pods.put(pod.meta().uid(), PodBuilder.from(pod).nodeName(node).build());
    }

    void removeNode(String node) {
        nodes.remove(node);
        pods.values().removeIf(pod -> pod.spec().nodeName().equals(node));
    }

    void second() {
        pods.values().removeIf(pod -> pod.meta().terminating() && random.nextInt(5) == 0);
        replicas.forEach((owner, wanted) -> {
            List<Pod> its = staying(owner);
            for (int more = its.size(); more < wanted; more++) {
                came(add(owner, ""));
            }
            its.stream().skip(wanted).forEach(this::delete);
        });
        for (Pod pod : List.copyOf(pods.values())) {
            if (!pod.isPlaced()) {
                nodeFor(pod).ifPresent(node -> placeOn(pod, node));
            } else if (!pod.status().ready()
                    && !pod.meta().terminating()
                    && !broken.contains(nameOfOwner(pod))
                    && random.nextInt(3) == 0) {
                pods.put(pod.meta().uid(), ready(pod));
            }
        }
    }

    private void came(Pod pod) {
        holds.values().stream()
                .filter(place ->
                        place.takenBy.isEmpty() && nameOfOwner(place.pod).equals(nameOfOwner(pod)))
                .findFirst()
                .ifPresent(place -> place.takenBy = Optional.of(pod.meta().uid()));
    }

    private Optional<String> nodeFor(Pod pod) {
        Optional<String> held = holds.values().stream()
                .filter(place -> place.takenBy.equals(Optional.of(pod.meta().uid())) && nodes.containsKey(place.node))
                .map(place -> place.node)
                .findFirst();
        if (held.isPresent()) {
            return held;
        }
        List<String> free = nodes.keySet().stream().filter(this::hasRoom).toList();
        return free.isEmpty() ? Optional.empty() : Optional.of(free.get(random.nextInt(free.size())));
    }

    Set<String> owners() {
        return replicas.keySet();
    }
}
