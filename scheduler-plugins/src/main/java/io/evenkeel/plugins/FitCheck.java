package io.evenkeel.plugins;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.Derivations;
import io.evenkeel.cluster.node.DerivedGroups;
import io.evenkeel.cluster.node.LeastFree;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.framework.cycle.FilterDryRun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Checks one set of requests against a node: a place for one more pod, and of each resource no more than allocatable −
 * requested.
 *
 * <p>What a node lacks has a number, {@link #FITS} if it lacks nothing: nodes that lack the same things have the same one,
 * and share the status with all reasons, which is made once. A look at a node is a few array reads. Of a pod that requests
 * more resources than anybody needs, the node is asked only for those that it offers: it lacks the others.
 *
 * <p>A resource may stand for devices: then a node that has none of it to offer does not lack it, as devices may be had there.
 */
final class FitCheck {
    static final int FITS = 0;
    private static final long TOO_MANY_PODS = 1L << 62;
    private static final long UNRESOLVABLE = 1L << 63;
    private static final int REMEMBERED_RESOURCES = 62;

    /**
     * The traits that distinguish nodes for a pod with more resources than that.
     *
     * @param unresolvable whether the node would lack something without any pods on it
     * @param enough the places of the resources that it has enough of, in the order in which it offers them
     */
    private record Combination(boolean tooManyPods, boolean unresolvable, List<Integer> enough) {}

    private final NodeTable nodes;
    private final PodTable pods;
    private final Derivations derivations;
    private final int[] resources;
    private final long[] amounts;
    private final List<String> reasons;
    private final boolean[] standsForDevices;
    private final boolean areOnEveryNode;
    private final List<Status> statuses = new ArrayList<>(List.of(Status.SUCCESS));
    private long[] combinations = new long[4];
    private final Map<Integer, Integer> places = new HashMap<>();
    private final Map<Combination, Integer> numbers = new HashMap<>();

    private FitCheck(
            ClusterView cluster, int[] resources, long[] amounts, List<String> reasons, boolean[] standsForDevices) {
        nodes = cluster.nodes();
        pods = cluster.pods();
        derivations = cluster.derivations();
        this.resources = resources;
        this.amounts = amounts;
        this.reasons = reasons;
        this.standsForDevices = standsForDevices;
        boolean everywhere = true;
        for (int resource : resources) {
            everywhere &= LeastFree.isOf(resource);
        }
        areOnEveryNode = everywhere;
        if (resources.length > REMEMBERED_RESOURCES) {
            for (int i = 0; i < resources.length; i++) {
                places.put(resources[i], i);
            }
        }
    }

    static FitCheck of(
            ClusterView cluster,
            ResourceVector requests,
            Predicate<String> isIgnored,
            Predicate<String> standsForDevices) {
        ResourceNames names = cluster.resources();
        List<Integer> checked = new ArrayList<>(requests.size());
        for (int i = 0; i < requests.size(); i++) {
            if (!isIgnored.test(names.nameOf(requests.resourceAt(i)))) {
                checked.add(requests.resourceAt(i));
            }
        }
        checked.sort(inOrderOfReport(names));
        int[] resources = new int[checked.size()];
        long[] amounts = new long[resources.length];
        List<String> reasons = new ArrayList<>(resources.length);
        boolean[] stand = new boolean[resources.length];
        for (int i = 0; i < resources.length; i++) {
            resources[i] = checked.get(i);
            amounts[i] = requests.amountOf(resources[i]);
            String name = names.nameOf(resources[i]);
            reasons.add("Insufficient " + name);
            stand[i] = standsForDevices.test(name);
        }
        return new FitCheck(cluster, resources, amounts, reasons, stand);
    }

    /** CPU, memory, ephemeral storage; of the others the reference's order is random, ours is by name. */
    private static Comparator<Integer> inOrderOfReport(ResourceNames names) {
        return Comparator.<Integer>comparingInt(resource -> Math.min(resource, ResourceNames.EPHEMERAL_STORAGE + 1))
                .thenComparing(names::nameOf);
    }

    boolean fits(int node) {
        return lacking(node) == FITS;
    }

    /**
     * Whether the pod fitted before those resources changed hands.
     *
     * @param places how many places for pods came free
     */
    boolean fitted(int node, ResourceVector given, ResourceVector taken, int places) {
        DryRun then = new DryRun();
        then.read(node);
        then.take(given, 1);
        then.take(taken, -1);
        then.places -= places;
        return then.verdict().isSuccess();
    }

    /** Success, or all that the node lacks; unresolvable if it would lack something without any pods on it. */
    Status verdict(int node) {
        return status(lacking(node));
    }

    Status status(int number) {
        return statuses.get(number);
    }

    /** The number of what the node lacks. */
    int lacking(int node) {
        if (resources.length > REMEMBERED_RESOURCES) {
            return lackingOfMany(node);
        }
        long lacking = nodes.podCount(node) >= nodes.allowedPods(node) ? TOO_MANY_PODS : 0;
        for (int i = 0; i < resources.length; i++) {
            if (isShort(i, node)) {
                lacking |= 1L << i | (isOutOfReach(i, node) ? UNRESOLVABLE : 0);
            }
        }
        return lacking == 0 ? FITS : remembered(lacking);
    }

    /** The number of what all nodes of a block lack, where one look at the block tells. */
    int lackingInAll(int block) {
        if (!areOnEveryNode) {
            return DerivedGroups.NONE;
        }
        LeastFree free = derivations.leastFree();
        boolean fits = free.places(block) > 0;
        for (int i = 0; i < resources.length; i++) {
            fits &= amounts[i] <= free.of(resources[i], block);
        }
        return fits ? FITS : DerivedGroups.NONE;
    }

    /** A handful of combinations occur, so searching them from the front beats hashing. */
    private int remembered(long lacking) {
        int known = statuses.size();
        for (int number = 1; number < known; number++) {
            if (combinations[number] == lacking) {
                return number;
            }
        }
        if (known == combinations.length) {
            combinations = Arrays.copyOf(combinations, 2 * known);
        }
        combinations[known] = lacking;
        statuses.add(
                statusOf((lacking & TOO_MANY_PODS) != 0, (lacking & UNRESOLVABLE) != 0, i -> (lacking & 1L << i) != 0));
        return known;
    }

    private int lackingOfMany(int node) {
        ResourceVector offered = nodes.offered(node);
        List<Integer> enough = new ArrayList<>();
        int reached = 0;
        for (int i = 0; i < offered.size(); i++) {
            Integer place = places.get(offered.resourceAt(i));
            if (place != null && !standsForDevices[place] && !isOutOfReach(place, node)) {
                reached++;
                if (!isShort(place, node)) {
                    enough.add(place);
                }
            }
        }
        for (int place = 0; place < resources.length; place++) {
            if (standsForDevices[place] && !isOutOfReach(place, node)) {
                reached++;
                if (!isShort(place, node)) {
                    enough.add(place);
                }
            }
        }
        boolean tooManyPods = nodes.podCount(node) >= nodes.allowedPods(node);
        int reachable = reached;
        if (!tooManyPods && enough.size() == resources.length) {
            return FITS;
        }
        return numbers.computeIfAbsent(new Combination(tooManyPods, reachable < resources.length, enough), _ -> {
            statuses.add(statusOf(tooManyPods, reachable < resources.length, i -> isShort(i, node)));
            return statuses.size() - 1;
        });
    }

    private Status statusOf(boolean tooManyPods, boolean unresolvable, IntPredicate isLacking) {
        List<String> lacking = new ArrayList<>();
        if (tooManyPods) {
            lacking.add("Too many pods");
        }
        for (int i = 0; i < resources.length; i++) {
            if (isLacking.test(i)) {
                lacking.add(reasons.get(i));
            }
        }
        if (lacking.isEmpty()) {
            return Status.SUCCESS;
        }
        return new Status(
                unresolvable ? Status.Code.UNSCHEDULABLE_AND_UNRESOLVABLE : Status.Code.UNSCHEDULABLE,
                List.copyOf(lacking));
    }

    /** Whether the node would lack something without any pods on it. */
    private boolean lacksForGood(int node) {
        return IntStream.range(0, resources.length).anyMatch(i -> isOutOfReach(i, node));
    }

    private boolean isShort(int index, int node) {
        int resource = resources[index];
        return amounts[index] > nodes.allocatable(resource, node) - nodes.requested(resource, node)
                && !isLeftToDevices(index, node);
    }

    private boolean isOutOfReach(int index, int node) {
        return amounts[index] > nodes.allocatable(resources[index], node) && !isLeftToDevices(index, node);
    }

    private boolean isLeftToDevices(int index, int node) {
        return standsForDevices[index] && nodes.allocatable(resources[index], node) <= 0;
    }

    /** Follows what is free on a node of what the pod needs. */
    final class DryRun implements FilterDryRun {
        private final long[] free = new long[resources.length];
        private int places;
        private int node;

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public boolean begin(int begun) {
            read(begun);
            return !verdict().isSuccess();
        }

        private void read(int begun) {
            node = begun;
            for (int i = 0; i < resources.length; i++) {
                free[i] = nodes.allocatable(resources[i], node) - nodes.requested(resources[i], node);
            }
            places = nodes.allowedPods(node) - nodes.podCount(node);
        }

        @Override
        public void count(int row, int more) {
            take(pods.shape(row).value().resources().value().requests(), more);
            places -= more;
        }

        @Override
        public boolean addNominated(PodInfo pod) {
            take(pod.shape().resources().value().requests(), 1);
            places--;
            return true;
        }

        private void take(ResourceVector amount, int more) {
            for (int i = 0; i < resources.length; i++) {
                free[i] -= more * amount.amountOf(resources[i]);
            }
        }

        @Override
        public Status verdict() {
            if (resources.length > REMEMBERED_RESOURCES) {
                return statusOf(places <= 0, lacksForGood(node), this::isShort);
            }
            long lacking = places <= 0 ? TOO_MANY_PODS : 0;
            for (int i = 0; i < resources.length; i++) {
                if (isShort(i)) {
                    lacking |= 1L << i | (isOutOfReach(i, node) ? UNRESOLVABLE : 0);
                }
            }
            return lacking == 0 ? Status.SUCCESS : statuses.get(remembered(lacking));
        }

        private boolean isShort(int index) {
            return amounts[index] > free[index] && !isLeftToDevices(index, node);
        }
    }
}
