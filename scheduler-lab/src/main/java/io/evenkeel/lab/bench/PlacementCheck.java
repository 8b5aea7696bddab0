package io.evenkeel.lab.bench;

import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.value.Quantity;
import io.evenkeel.problem.UserProblem;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Checks the outcome of a run against the pods' own words: capacity, taints, node affinity, hard spread, required affinity and
 * anti-affinity, volumes, devices.
 * Pods only ever come, so what held for each pod when it was placed still holds when all are.
 */
final class PlacementCheck {
    private PlacementCheck() {}

    /** Throws {@link UserProblem} with the first thing that is wrong. */
    static void check(List<KubernetesObject> objects, List<Pod> pods, List<String> nodeNames) {
        Placements placements = Placements.of(objects, pods, nodeNames);
        CapacityCheck.check(placements);
        NodeCheck.check(placements);
        checkSpread(placements);
        checkAntiAffinity(placements);
        checkAffinity(placements);
        VolumeCheck.check(objects, placements);
        checkDevices(placements);
    }

    private static void checkSpread(Placements placements) {
        Map<TopologySpreadConstraint, Placement> hard = new HashMap<>();
        for (Placement placement : placements.all()) {
            for (TopologySpreadConstraint constraint : placement.pod().spec().topologySpread()) {
                if (constraint.isHard()) {
                    hard.putIfAbsent(constraint, placement);
                }
            }
        }
        hard.forEach((constraint, placement) -> {
            var counts = placements
                    .countByDomain(
                            constraint.labelSelector(),
                            constraint.topologyKey(),
                            node -> NodeCheck.counts(constraint, placement.pod(), node))
                    .values();
            int skew = Collections.max(counts) - Collections.min(counts);
            if (skew > constraint.maxSkew()) {
                throw new UserProblem("the pods like " + placement.pod().key() + " have skew " + skew + " over "
                        + constraint.topologyKey() + ", more than maxSkew " + constraint.maxSkew());
            }
        });
    }

    private static void checkAntiAffinity(Placements placements) {
        Map<PodAffinityTerm, Map<String, Integer>> countsByTerm = new HashMap<>();
        for (Placement placement : placements.all()) {
            for (PodAffinityTerm term : placement.pod().spec().podAffinity().requiredAntiAffinity()) {
                if (others(placement, term, placements, countsByTerm) > 0) {
                    throw new UserProblem("pod "
                            + placement.pod().key() + " shares " + term.topologyKey() + "="
                            + placement.domain(term.topologyKey()) + " with a pod that its anti-affinity excludes");
                }
            }
        }
    }

    /** The first pod of an app may go anywhere; at the end of a run it may be alone only if there is no other. */
    private static void checkAffinity(Placements placements) {
        Map<PodAffinityTerm, Map<String, Integer>> countsByTerm = new HashMap<>();
        for (Placement placement : placements.all()) {
            for (PodAffinityTerm term : placement.pod().spec().podAffinity().requiredAffinity()) {
                if (others(placement, term, placements, countsByTerm) <= 0
                        && total(countsByTerm.getOrDefault(term, Map.of())) > 1) {
                    throw new UserProblem("pod " + placement.pod().key() + " is alone in " + term.topologyKey() + "="
                            + placement.domain(term.topologyKey()) + " though its affinity requires company");
                }
            }
        }
    }

    /** Each claim is for one device that no other claim may have. */
    private static void checkDevices(Placements placements) {
        Map<String, Integer> claims = new HashMap<>();
        for (Placement placement : placements.all()) {
            int more = placement.pod().spec().resourceClaims().size();
            if (claims.merge(placement.node().name(), more, Integer::sum) > PodsDevices.MOST_PODS_ON_A_NODE) {
                throw new UserProblem("node " + placement.node().name() + " has more claims than devices");
            }
        }
    }

    /** The number of other pods that the term matches in its domain. */
    private static int others(
            Placement placement,
            PodAffinityTerm term,
            Placements placements,
            Map<PodAffinityTerm, Map<String, Integer>> countsByTerm) {
        Map<String, Integer> counts = countsByTerm.computeIfAbsent(
                term, key -> placements.countByDomain(key.labelSelector(), key.topologyKey()));
        int self = term.labelSelector().matches(placement.pod().labels()) ? 1 : 0;
        return counts.getOrDefault(placement.domain(term.topologyKey()), 0) - self;
    }

    private static int total(Map<String, Integer> counts) {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    record Placement(Pod pod, Node node) {
        /** Empty where the node does not have the label. */
        String domain(String topologyKey) {
            return node.labels().getOrDefault(topologyKey, "");
        }
    }

    /** The placements at the end, counted from the objects alone. */
    private static final class Placements {
        private final Map<String, Node> nodes = new LinkedHashMap<>();
        private final List<Placement> all = new ArrayList<>();
        private final Map<Labels, List<Placement>> byLabels = new HashMap<>();

        /**
         * The pods among the objects are on the nodes that they name.
         *
         * @param nodeNames of the pods that were to be placed, empty where one was not
         */
        static Placements of(List<KubernetesObject> objects, List<Pod> pods, List<String> nodeNames) {
            Placements placements = new Placements();
            for (KubernetesObject object : objects) {
                if (object instanceof Node node) {
                    placements.nodes.put(node.name(), node);
                }
            }
            for (KubernetesObject object : objects) {
                if (object instanceof Pod pod && pod.isPlaced()) {
                    placements.add(pod, pod.spec().nodeName());
                }
            }
            for (int i = 0; i < pods.size(); i++) {
                if (!nodeNames.get(i).isEmpty()) {
                    placements.add(pods.get(i), nodeNames.get(i));
                }
            }
            return placements;
        }

        List<Placement> all() {
            return all;
        }

        /** The number of pods that the selector matches in each domain, zero included. */
        Map<String, Integer> countByDomain(LabelSelector selector, String topologyKey) {
            return countByDomain(selector, topologyKey, node -> true);
        }

        /** Counts some of the nodes alone. */
        Map<String, Integer> countByDomain(LabelSelector selector, String topologyKey, Predicate<Node> counts) {
            Map<String, Integer> byDomain = new HashMap<>();
            Set<Node> counted = Collections.newSetFromMap(new IdentityHashMap<>());
            for (Node node : nodes.values()) {
                if (node.labels().has(topologyKey) && counts.test(node)) {
                    counted.add(node);
                    byDomain.put(node.labels().getOrDefault(topologyKey, ""), 0);
                }
            }
            byLabels.forEach((labels, placed) -> {
                if (selector.matches(labels)) {
                    placed.forEach(placement -> {
                        if (counted.contains(placement.node())) {
                            byDomain.merge(placement.domain(topologyKey), 1, Integer::sum);
                        }
                    });
                }
            });
            return byDomain;
        }

        private void add(Pod pod, String nodeName) {
            Node node = nodes.get(nodeName);
            if (node == null) {
                throw new UserProblem("pod " + pod.key() + " is on " + nodeName + ", which is no node");
            }
            Placement placement = new Placement(pod, node);
            all.add(placement);
            byLabels.computeIfAbsent(pod.labels(), labels -> new ArrayList<>()).add(placement);
        }
    }

    /** Checks that the containers on no node ask for more than it has to give, and that it has no more pods than it allows. */
    private static final class CapacityCheck {
        private static final String PODS = "pods";

        private CapacityCheck() {}

        static void check(Placements placements) {
            IdentityHashMap<Node, Map<String, Quantity>> usage = new IdentityHashMap<>();
            for (Placement placement : placements.all()) {
                Map<String, Quantity> used = usage.computeIfAbsent(placement.node(), node -> new HashMap<>());
                used.merge(PODS, Quantity.of(1), Quantity::plus);
                for (Container container : placement.pod().spec().containers()) {
                    container.requests().forEach((resource, amount) -> used.merge(resource, amount, Quantity::plus));
                }
            }
            usage.forEach((node, used) -> used.forEach((resource, amount) -> {
                Quantity allocatable = node.allocatable().getOrDefault(resource, Quantity.ZERO);
                if (amount.compareTo(allocatable) > 0) {
                    throw new UserProblem("node " + node.name() + " is overcommitted: " + amount + " of " + resource
                            + " requested, " + allocatable + " allocatable");
                }
            }));
        }
    }

    /** Checks that each pod tolerates the taints of its node and selects it by its node affinity. */
    private static final class NodeCheck {
        private NodeCheck() {}

        static void check(Placements placements) {
            for (Placement placement : placements.all()) {
                Pod pod = placement.pod();
                Node node = placement.node();
                if (!tolerates(pod, node)) {
                    throw new UserProblem(
                            "pod " + pod.key() + " is on " + node.name() + ", whose taints it does not tolerate");
                }
                if (!selects(pod, node)) {
                    throw new UserProblem(
                            "pod " + pod.key() + " is on " + node.name() + ", which its node affinity does not select");
                }
            }
        }

        /** Whether the constraint, which is of this pod, counts what is on the node. */
        static boolean counts(TopologySpreadConstraint constraint, Pod pod, Node node) {
            return (constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE || tolerates(pod, node))
                    && (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE || selects(pod, node));
        }

        private static boolean tolerates(Pod pod, Node node) {
            return node.taints().stream()
                    .filter(taint -> taint.effect() != TaintEffect.PREFER_NO_SCHEDULE)
                    .allMatch(taint ->
                            pod.spec().tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint)));
        }

        private static boolean selects(Pod pod, Node node) {
            return pod.spec()
                    .nodeAffinity()
                    .required()
                    .map(selector -> selector.matches(node.labels(), node.name()))
                    .orElse(true);
        }
    }

    /** Checks that pods are where their bound volumes can be reached, and that no node has more volumes than it can have. */
    private static final class VolumeCheck {
        private VolumeCheck() {}

        static void check(List<KubernetesObject> objects, Placements placements) {
            Map<String, PersistentVolume> volumes = new HashMap<>();
            Map<String, PersistentVolumeClaim> claims = new HashMap<>();
            Map<String, Integer> room = new HashMap<>();
            for (KubernetesObject object : objects) {
                switch (object) {
                    case PersistentVolume volume -> volumes.put(volume.name(), volume);
                    case PersistentVolumeClaim claim -> claims.put(claim.key(), claim);
                    case CsiNode csiNode ->
                        room.put(
                                csiNode.meta().name(),
                                csiNode.limits().values().stream()
                                        .mapToInt(Integer::intValue)
                                        .sum());
                    default -> {}
                }
            }
            for (Placement placement : placements.all()) {
                for (PodVolume volume : placement.pod().spec().volumes()) {
                    Optional.ofNullable(claims.get(placement.pod().namespace() + "/" + volume.id()))
                            .map(claim -> volumes.get(claim.volumeName()))
                            .ifPresent(bound -> requireReach(placement, bound));
                    if (room.merge(placement.node().name(), -1, Integer::sum) < 0) {
                        throw new UserProblem("node " + placement.node().name() + " has more volumes than it can have");
                    }
                }
            }
        }

        private static void requireReach(Placement placement, PersistentVolume volume) {
            boolean isReached = volume.nodes().isEmpty()
                    || volume.nodes()
                            .get()
                            .matches(placement.node().labels(), placement.node().name());
            if (!isReached) {
                throw new UserProblem("pod " + placement.pod().key() + " is on "
                        + placement.node().name() + ", which cannot reach its volume " + volume.name());
            }
        }
    }
}
