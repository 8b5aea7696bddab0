package io.evenkeel.world.check;

import io.evenkeel.engine.Scheduler.OnItsWay;
import io.evenkeel.model.Container;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Quantity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Nodes and the pods on them, and by the plainest counting what is wrong about a pod's place. */
final class Picture {
    private static final String AGAINST_ANTI_AFFINITY = " against anti-affinity";

    /** @param isThere or has room left for it there, and nothing more */
    private record Placed(Pod pod, String node, boolean isThere) {}

    private static final Taint CORDONED = new Taint("node.kubernetes.io/unschedulable", "", TaintEffect.NO_SCHEDULE);

    private final Map<String, Node> nodes = new TreeMap<>();
    private final List<Placed> placed = new ArrayList<>();
    private final Optional<Storage> storage;
    private final Optional<DeviceUse> devices;
    private final Policies policies;

    private Picture(Collection<Node> nodes, Optional<Storage> storage, Optional<DeviceUse> devices, Policies policies) {
        this.storage = storage;
        this.devices = devices;
        this.policies = policies;
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    /** What is known by what has been told, and by what has been decided and not been told yet. */
    static Picture of(Told told, Collection<OnItsWay> onTheirWay) {
        Picture picture = new Picture(
                told.nodes(),
                Optional.of(new Storage(told)),
                Optional.of(new DeviceUse(told)),
                new Policies(told.all(Kinds.PLACEMENT_POLICY)));
        Set<String> inPlace = new HashSet<>();
        told.pods().stream().filter(Pod::isPlaced).forEach(pod -> {
            inPlace.add(pod.meta().uid());
            picture.place(pod, pod.spec().nodeName());
        });
        onTheirWay.stream()
                .filter(each -> !inPlace.contains(each.pod().meta().uid()))
                .forEach(each -> picture.place(each.pod(), each.node()));
        return picture;
    }

    /** These nodes, and nothing there yet; claims are left out of account. */
    static Picture of(Collection<Node> nodes, Collection<PlacementPolicy> policies) {
        return new Picture(nodes, Optional.empty(), Optional.empty(), new Policies(List.copyOf(policies)));
    }

    void place(Pod pod, String node) {
        placed.add(new Placed(pod, node, true));
    }

    /** Takes back what was placed last. */
    void takeBack() {
        placed.removeLast();
    }

    /**
     * A node that nothing is wrong with for the pod, which is on none.
     *
     * @param ahead pods for which room is left on a node: it must fit beside them too
     */
    Optional<String> nodeFor(Pod pod, Function<String, List<Pod>> ahead) {
        return nodes.keySet().stream()
                .filter(node -> fits(pod, node, List.of()) && fits(pod, node, ahead.apply(node)))
                .findFirst();
    }

    DeviceUse devices() {
        return devices.orElseThrow();
    }

    Policies policies() {
        return policies;
    }

    /** How many of those in place are such pods. */
    int count(Predicate<Pod> which) {
        return (int) placed.stream().filter(each -> which.test(each.pod)).count();
    }

    /**
     * Whether these fit one after the other, each beside those before it; false also where too much would have to be tried.
     *
     * @param ahead pods for which room is left on a node: each must fit beside them too
     */
    boolean fitInTurn(List<Pod> pods, BiFunction<Pod, String, List<Pod>> ahead, int mostTried) {
        return fitFrom(0, pods, ahead, new int[] {mostTried}, false);
    }

    /** Whether these fit when all of them are in place, each beside all others, however they came there, where no room is left. */
    boolean fitAtOnce(List<Pod> pods, BiFunction<Pod, String, List<Pod>> ahead, int mostTried) {
        return fitFrom(0, pods, ahead, new int[] {mostTried}, true);
    }

    private boolean fitFrom(
            int at, List<Pod> pods, BiFunction<Pod, String, List<Pod>> ahead, int[] left, boolean atOnce) {
        if (at == pods.size()) {
            int first = placed.size() - pods.size();
            List<Placed> all = List.copyOf(placed.subList(first, placed.size()));
            return !atOnce
                    || all.stream()
                            .allMatch(each -> ahead.apply(each.pod, each.node).isEmpty()
                                    && wrongAbout(each.pod, each.node).isEmpty());
        }
        Pod pod = pods.get(at);
        for (String node : nodes.keySet()) {
            if (left[0]-- <= 0) {
                return false;
            }
            boolean may = atOnce || (fits(pod, node, List.of()) && fits(pod, node, ahead.apply(pod, node)));
            if (may) {
                place(pod, node);
                boolean all = fitFrom(at + 1, pods, ahead, left, atOnce);
                takeBack();
                if (all) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether nothing is wrong with the pod on the node, with room left there for these. */
    boolean fits(Pod pod, String node, List<Pod> beside) {
        return wrongBeside(pod, node, beside).isEmpty();
    }

    /** What would be wrong with the pod on the node, with room left there for these. */
    List<String> wrongBeside(Pod pod, String node, List<Pod> beside) {
        boolean isAffinityAsked = isAffinityAsked(pod);
        beside.forEach(other -> placed.add(new Placed(other, node, false)));
        place(pod, node);
        List<String> wrong = wrongAbout(pod, node);
        takeBack();
        beside.forEach(_ -> takeBack());
        return wrong.stream()
                .filter(each -> isAffinityAsked || !each.endsWith(AGAINST_ANTI_AFFINITY))
                .toList();
    }

    /** What is wrong with where the pod is, all pods being in place. */
    List<String> wrongAbout(Pod pod, String name) {
        List<String> wrong = new ArrayList<>();
        Node node = nodes.get(name);
        if (node == null) {
            return List.of("there is no such node");
        }
        admits(pod, node, wrong);
        room(node, wrong);
        ports(pod, name, wrong);
        volumes(pod, node, wrong);
        devices(pod, node, wrong);
        if (wrong.isEmpty()) {
            apart(pod, node, wrong);
            near(pod, node, wrong);
            spread(pod, node, wrong);
            policies(pod, node, wrong);
        }
        return wrong;
    }

    /** The same, but only what nobody may ever decide: beside those that are there. */
    List<String> wrongBesideOthers(Pod pod, String name) {
        List<String> wrong = new ArrayList<>();
        Node node = nodes.get(name);
        room(node, wrong);
        ports(pod, name, wrong);
        apart(pod, node, wrong);
        return wrong;
    }

    /** The same where these are gone. */
    Picture without(Set<Pod> gone) {
        Picture left = new Picture(nodes.values(), storage, devices, policies);
        placed.stream().filter(each -> !gone.contains(each.pod)).forEach(left.placed::add);
        return left;
    }

    /** The pods on a node. */
    Stream<Pod> on(String node) {
        return placed.stream().filter(each -> each.node.equals(node)).map(Placed::pod);
    }

    private static void admits(Pod pod, Node node, List<String> wrong) {
        if (!selects(pod, node)) {
            wrong.add("against its node affinity");
        }
        boolean cordoned = node.unschedulable() && !tolerates(pod, CORDONED);
        if (cordoned || !node.taints().stream().allMatch(taint -> tolerates(pod, taint))) {
            wrong.add("without tolerating " + node.taints() + (cordoned ? " and that it is cordoned" : ""));
        }
    }

    private static boolean tolerates(Pod pod, Taint taint) {
        return taint.effect() == TaintEffect.PREFER_NO_SCHEDULE
                || pod.spec().tolerations().stream()
                        .anyMatch(toleration -> toleration.key().equals(taint.key())
                                && (toleration.effect().isEmpty()
                                        || toleration.effect().get() == taint.effect()));
    }

    private static boolean selects(Pod pod, Node node) {
        return node.labels().hasAll(pod.spec().nodeSelector())
                && pod.spec()
                        .nodeAffinity()
                        .required()
                        .map(required -> required.matches(node.labels(), node.name()))
                        .orElse(true);
    }

    private void room(Node node, List<String> wrong) {
        for (String resource : List.of("cpu", "memory")) {
            long used = on(node.name()).mapToLong(pod -> asks(pod, resource)).sum();
            long offered = milli(node.allocatable().get(resource));
            if (used > offered) {
                wrong.add("its pods ask for " + used + "m " + resource + " of " + offered + "m");
            }
        }
        long pods = on(node.name()).count();
        long offered = milli(node.allocatable().get("pods")) / 1_000;
        if (pods > offered) {
            wrong.add(pods + " pods where " + offered + " are allowed");
        }
    }

    private static long asks(Pod pod, String resource) {
        return pod.spec().containers().stream()
                .mapToLong(container -> milli(container.requests().get(resource)))
                .sum();
    }

    private static long milli(Quantity quantity) {
        return quantity == null ? 0 : quantity.milliValue();
    }

    private void ports(Pod pod, String node, List<String> wrong) {
        for (Container container : pod.spec().containers()) {
            container.hostPorts().forEach(port -> {
                long users = on(node).flatMap(other -> other.spec().containers().stream())
                        .flatMap(other -> other.hostPorts().stream())
                        .filter(other -> other.equals(port))
                        .count();
                if (users > 1) {
                    wrong.add(users + " pods use " + port);
                }
            });
        }
    }

    private void volumes(Pod pod, Node node, List<String> wrong) {
        if (storage.isPresent() && !pod.spec().volumes().isEmpty()) {
            Map<Pod, Node> places = new HashMap<>();
            placed.stream()
                    .filter(each -> each.isThere && !each.pod.spec().volumes().isEmpty())
                    .forEach(each -> places.put(each.pod, nodes.get(each.node)));
            storage.get().wrongAbout(pod, node, on(node.name()).toList(), places, wrong);
        }
    }

    private void devices(Pod pod, Node node, List<String> wrong) {
        if (devices.isPresent() && DeviceUse.concerns(pod)) {
            Map<Pod, String> places = new HashMap<>();
            placed.stream()
                    .filter(each -> each.isThere && DeviceUse.concerns(each.pod))
                    .forEach(each -> places.put(each.pod, each.node));
            devices.get().wrongAbout(pod, node, places, wrong);
        }
    }

    /** Both ways: nobody whom it will not have is in its domain, and nobody there will not have it. */
    private void apart(Pod pod, Node node, List<String> wrong) {
        for (Placed other : placed) {
            if (!other.pod.meta().uid().equals(pod.meta().uid())) {
                boolean objects = objects(pod, other.pod, node, nodes.get(other.node))
                        || objects(other.pod, pod, node, nodes.get(other.node));
                if (objects) {
                    wrong.add("together with " + other.pod.key() + " on " + other.node + AGAINST_ANTI_AFFINITY);
                }
            }
        }
    }

    /** Where neither the pod nor one in place has a rule about it, the reference asks none of those who wait either. */
    private boolean isAffinityAsked(Pod pod) {
        PodAffinity own = pod.spec().podAffinity();
        return !own.requiredAffinity().isEmpty()
                || !own.requiredAntiAffinity().isEmpty()
                || placed.stream()
                        .anyMatch(other -> other.pod.spec().podAffinity().requiredAntiAffinity().stream()
                                .anyMatch(term -> matches(term, other.pod, pod)
                                        && domain(term.topologyKey(), nodes.get(other.node))
                                                .isPresent()));
    }

    private static boolean objects(Pod owner, Pod other, Node one, Node two) {
        return owner.spec().podAffinity().requiredAntiAffinity().stream()
                .anyMatch(term -> matches(term, owner, other) && isSameDomain(term.topologyKey(), one, two));
    }

    /** Whom it wants to be near is in its domain; where there are no such pods at all, the first of them begins. */
    private void near(Pod pod, Node node, List<String> wrong) {
        for (PodAffinityTerm term : pod.spec().podAffinity().requiredAffinity()) {
            List<Placed> wanted = placed.stream()
                    .filter(other -> !other.pod.meta().uid().equals(pod.meta().uid())
                            && matches(term, pod, other.pod)
                            && domain(term.topologyKey(), nodes.get(other.node)).isPresent())
                    .toList();
            boolean begins = wanted.isEmpty()
                    && matches(term, pod, pod)
                    && domain(term.topologyKey(), node).isPresent();
            if (!begins
                    && wanted.stream()
                            .noneMatch(other -> isSameDomain(term.topologyKey(), node, nodes.get(other.node)))) {
                wrong.add("away from all that it has an affinity for");
            }
        }
    }

    private static boolean matches(PodAffinityTerm term, Pod owner, Pod other) {
        return owner.namespace().equals(other.namespace())
                && term.labelSelector().matches(other.labels());
    }

    private static boolean isSameDomain(String key, Node one, Node two) {
        return domain(key, one).isPresent() && domain(key, one).equals(domain(key, two));
    }

    private static Optional<String> domain(String key, Node node) {
        return node == null
                ? Optional.empty()
                : Optional.of(node.labels().getOrDefault(key, "")).filter(value -> !value.isEmpty());
    }

    private void spread(Pod pod, Node node, List<String> wrong) {
        for (TopologySpreadConstraint constraint : pod.spec().topologySpread()) {
            if (constraint.whenUnsatisfiable() == TopologySpreadConstraint.WhenUnsatisfiable.DO_NOT_SCHEDULE) {
                Map<String, Integer> counts = counts(constraint, pod);
                String here = domain(constraint.topologyKey(), node).orElse("");
                int fewest = counts.size() < constraint.minDomains()
                        ? 0
                        : counts.values().stream()
                                .mapToInt(Integer::intValue)
                                .min()
                                .orElse(0);
                int skew = counts.getOrDefault(here, 0) - fewest;
                if (skew > constraint.maxSkew()) {
                    wrong.add("skew " + skew + " by " + constraint.topologyKey() + " of " + counts);
                }
            }
        }
    }

    private void policies(Pod pod, Node node, List<String> wrong) {
        if (policies.govern(pod)) {
            Map<Pod, Node> others = new HashMap<>();
            placed.stream()
                    .filter(each -> !each.pod.meta().uid().equals(pod.meta().uid()) && nodes.containsKey(each.node))
                    .forEach(each -> others.put(each.pod, nodes.get(each.node)));
            policies.wrongAbout(pod, node, others, nodes.values(), Picture::isOpen, wrong);
        }
    }

    /** By affinity and tolerations alone: that a node is cordoned closes it when it is tainted for that. */
    private static boolean isOpen(Pod pod, Node node) {
        return selects(pod, node) && node.taints().stream().allMatch(taint -> tolerates(pod, taint));
    }

    /** Nodes count that have every key of the pod's hard constraints and that its node affinity selects, if that matters. */
    private Map<String, Integer> counts(TopologySpreadConstraint constraint, Pod pod) {
        LabelSelector selector = constraint.labelSelector();
        Map<String, Integer> counts = new TreeMap<>();
        for (Node node : nodes.values()) {
            boolean counted = (selects(pod, node) || constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE)
                    && pod.spec().topologySpread().stream()
                            .filter(each -> each.whenUnsatisfiable()
                                    == TopologySpreadConstraint.WhenUnsatisfiable.DO_NOT_SCHEDULE)
                            .allMatch(each -> domain(each.topologyKey(), node).isPresent());
            if (counted) {
                int matching = (int) on(node.name())
                        .filter(other -> other.namespace().equals(pod.namespace())
                                && !other.meta().terminating()
                                && selector.matches(other.labels()))
                        .count();
                counts.merge(domain(constraint.topologyKey(), node).orElseThrow(), matching, Integer::sum);
            }
        }
        return counts;
    }
}
