package io.evenkeel.plugins;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.config.PluginArgs.NodeResourcesFitArgs;
import io.evenkeel.config.PluginArgs.ResourceWeight;
import io.evenkeel.config.PluginArgs.ScoringStrategy;
import io.evenkeel.config.PluginArgs.UtilizationShape.ShapePoint;
import io.evenkeel.model.Container;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.Quantity;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Answers what both plugins answer from the objects alone, straight from the formulas and with numbers of any size;
 * resizes in place are left out. One resource at a time, one node at a time.
 */
final class NaiveResources {
    private static final Set<String> POD_LEVEL = Set.of("cpu", "memory", "hugepages-2Mi");
    private static final Map<String, String> DEFAULTS = Map.of("cpu", "100m", "memory", "200Mi");
    private static final BigInteger HUNDRED = BigInteger.valueOf(100);

    private final ClusterState cluster;

    NaiveResources(ClusterState cluster) {
        this.cluster = cluster;
    }

    Map<String, Status> verdicts(NodeResourcesFitArgs args, Pod pod) {
        Map<String, Status> verdicts = new TreeMap<>();
        nodes().forEach((name, node) -> verdicts.put(name, verdict(args, pod, node)));
        return verdicts;
    }

    private Status verdict(NodeResourcesFitArgs args, Pod pod, Node node) {
        List<String> reasons = new ArrayList<>();
        boolean unresolvable = false;
        List<Pod> pods = podsOn(node);
        if (BigInteger.valueOf(pods.size() + 1).compareTo(amount(node.allocatable(), "pods")) > 0) {
            reasons.add("Too many pods");
        }
        for (String resource : inOrder(pod)) {
            BigInteger wanted = requested(pod, resource, Kind.TRUE);
            BigInteger allocatable = amount(node.allocatable(), resource);
            BigInteger free = allocatable.subtract(requested(pods, resource, Kind.TRUE));
            boolean ignored = args.ignoredResources().contains(resource)
                    || (allocatable.signum() == 0 && standsForDevices(resource));
            if (wanted.signum() > 0 && wanted.compareTo(free) > 0 && !ignored) {
                reasons.add("Insufficient " + resource);
                unresolvable |= wanted.compareTo(allocatable) > 0;
            }
        }
        if (reasons.isEmpty()) {
            return Status.SUCCESS;
        }
        String[] all = reasons.toArray(String[]::new);
        return unresolvable ? Status.unresolvable(all) : Status.unschedulable(all);
    }

    private boolean standsForDevices(String resource) {
        return cluster.view().objects().all(Kinds.DEVICE_CLASS).stream()
                .anyMatch(deviceClass -> deviceClass.extendedResourceName().equals(resource)
                        || resource.equals("deviceclass.resource.kubernetes.io/" + deviceClass.name()));
    }

    Map<String, Integer> fitScores(ScoringStrategy strategy, Pod pod) {
        Map<String, Integer> scores = new TreeMap<>();
        nodes().forEach((name, node) -> scores.put(name, fitScore(strategy, pod, node)));
        return scores;
    }

    private int fitScore(ScoringStrategy strategy, Pod pod, Node node) {
        BigDecimal sum = BigDecimal.ZERO;
        BigDecimal weights = BigDecimal.ZERO;
        boolean shaped = strategy.type() == ScoringStrategy.Type.REQUESTED_TO_CAPACITY_RATIO;
        for (ResourceWeight resource : strategy.resources()) {
            BigInteger own = requested(pod, resource.name(), Kind.INCOMING);
            BigInteger capacity = scoredCapacity(node, resource.name(), own);
            if (capacity.signum() == 0) {
                continue;
            }
            BigInteger requested =
                    requested(podsOn(node), resource.name(), Kind.RESIDENT).add(own);
            int score = resourceScore(strategy, requested.min(capacity), capacity);
            if (score != 0 || !shaped) {
                sum = sum.add(BigDecimal.valueOf((long) score * resource.weight()));
                weights = weights.add(BigDecimal.valueOf(resource.weight()));
            }
        }
        return weights.signum() == 0
                ? 0
                : sum.divide(weights, 0, shaped ? RoundingMode.HALF_UP : RoundingMode.DOWN)
                        .intValueExact();
    }

    /** More than all of a capacity counts as all of it, in each of the formulas. */
    private static int resourceScore(ScoringStrategy strategy, BigInteger requested, BigInteger capacity) {
        int used = requested.multiply(HUNDRED).divide(capacity).intValueExact();
        return switch (strategy.type()) {
            case MOST_ALLOCATED -> used;
            case LEAST_ALLOCATED ->
                capacity.subtract(requested).multiply(HUNDRED).divide(capacity).intValueExact();
            case REQUESTED_TO_CAPACITY_RATIO -> shapeAt(strategy.shape(), used);
        };
    }

    private static int shapeAt(List<ShapePoint> shape, int utilization) {
        if (utilization < shape.getFirst().utilization()) {
            return 10 * shape.getFirst().score();
        }
        for (int i = 1; i < shape.size(); i++) {
            ShapePoint left = shape.get(i - 1);
            ShapePoint right = shape.get(i);
            if (utilization < right.utilization()) {
                return 10 * left.score()
                        + BigDecimal.valueOf(10L * (right.score() - left.score()))
                                .multiply(BigDecimal.valueOf(utilization - left.utilization()))
                                .divide(
                                        BigDecimal.valueOf(right.utilization() - left.utilization()),
                                        0,
                                        RoundingMode.DOWN)
                                .intValueExact();
            }
        }
        return 10 * shape.getLast().score();
    }

    /** Empty where the pod requests none of the resources. */
    Map<String, Integer> balanceScores(List<String> resources, Pod pod) {
        Map<String, Integer> scores = new TreeMap<>();
        if (resources.stream()
                .anyMatch(resource -> isCounted(resource)
                        && requested(pod, resource, Kind.TRUE).signum() > 0)) {
            nodes().forEach((name, node) -> scores.put(
                    name, 50 + (50 + balance(resources, pod, node, true) - balance(resources, pod, node, false)) / 2));
        }
        return scores;
    }

    private int balance(List<String> resources, Pod pod, Node node, boolean withPod) {
        List<Double> fractions = new ArrayList<>();
        for (String resource : resources) {
            BigInteger own = requested(pod, resource, Kind.TRUE);
            BigInteger capacity = scoredCapacity(node, resource, own);
            if (capacity.signum() != 0) {
                BigInteger used = requested(podsOn(node), resource, Kind.TRUE);
                BigInteger requested = withPod ? used.add(own) : used;
                fractions.add(Math.min(1.0, requested.doubleValue() / capacity.doubleValue()));
            }
        }
        double mean = fractions.stream().reduce(0.0, Double::sum) / fractions.size();
        double deviation = switch (fractions.size()) {
            case 0, 1 -> 0;
            case 2 -> Math.abs((fractions.get(0) - fractions.get(1)) / 2);
            default ->
                Math.sqrt(fractions.stream()
                                .map(fraction -> (fraction - mean) * (fraction - mean))
                                .reduce(0.0, Double::sum)
                        / fractions.size());
        };
        return (int) ((1 - deviation) * 100);
    }

    /** 0 where the resource is to be left out. */
    private static BigInteger scoredCapacity(Node node, String resource, BigInteger requestedByPod) {
        boolean always = resource.equals("cpu") || resource.equals("memory") || resource.equals("ephemeral-storage");
        boolean counts = isCounted(resource) && (always || requestedByPod.signum() != 0);
        return counts ? amount(node.allocatable(), resource) : BigInteger.ZERO;
    }

    private enum Kind {
        /** What is requested. */
        TRUE,
        /** With the defaults, as on the node's side of Fit's scores. */
        RESIDENT,
        /** With the defaults and without pod-level requests, as on the pod's side of Fit's scores. */
        INCOMING
    }

    private static BigInteger requested(List<Pod> pods, String resource, Kind kind) {
        return pods.stream().map(pod -> requested(pod, resource, kind)).reduce(BigInteger.ZERO, BigInteger::add);
    }

    private static BigInteger requested(Pod pod, String resource, Kind kind) {
        Map<String, Quantity> podLevel = pod.spec().podRequests().orElse(Map.of());
        boolean hasPodLevel = podLevel.keySet().stream().anyMatch(POD_LEVEL::contains);
        boolean somebodyNames = podLevel.containsKey(resource)
                || pod.spec().overhead().containsKey(resource)
                || containersName(pod, resource);
        boolean defaulted = DEFAULTS.containsKey(resource)
                && (kind == Kind.INCOMING || (kind == Kind.RESIDENT && !(hasPodLevel && somebodyNames)));
        Quantity fallback = defaulted ? Quantity.parse(DEFAULTS.get(resource)) : Quantity.ZERO;

        Quantity running = Quantity.ZERO;
        for (Container container : pod.spec().containers()) {
            running = running.plus(container.requests().getOrDefault(resource, fallback));
        }
        Quantity sidecars = Quantity.ZERO;
        Quantity starting = Quantity.ZERO;
        for (Container container : pod.spec().initContainers()) {
            Quantity together = sidecars.plus(container.requests().getOrDefault(resource, fallback));
            starting = starting.compareTo(together) > 0 ? starting : together;
            sidecars = container.sidecar() ? together : sidecars;
        }
        running = running.plus(sidecars);
        Quantity total = running.compareTo(starting) > 0 ? running : starting;
        if (kind != Kind.INCOMING && POD_LEVEL.contains(resource)) {
            total = podLevel.getOrDefault(resource, total);
        }
        total = total.plus(pod.spec().overhead().getOrDefault(resource, Quantity.ZERO));
        return inUnits(resource, total);
    }

    private static boolean containersName(Pod pod, String resource) {
        return pod.spec().containers().stream().anyMatch(c -> c.requests().containsKey(resource))
                || pod.spec().initContainers().stream()
                        .anyMatch(c -> c.requests().containsKey(resource));
    }

    private static Set<String> inOrder(Pod pod) {
        Set<String> rest = new TreeSet<>();
        for (Container container : pod.spec().containers()) {
            rest.addAll(container.requests().keySet());
        }
        for (Container container : pod.spec().initContainers()) {
            rest.addAll(container.requests().keySet());
        }
        rest.addAll(pod.spec().podRequests().orElse(Map.of()).keySet());
        rest.removeIf(resource -> !isCounted(resource));
        Set<String> ordered = new LinkedHashSet<>(List.of("cpu", "memory", "ephemeral-storage"));
        ordered.addAll(rest);
        return ordered;
    }

    private static boolean isCounted(String resource) {
        return !resource.equals("storage") && !resource.equals("pods");
    }

    private static BigInteger amount(Map<String, Quantity> amounts, String resource) {
        return inUnits(resource, amounts.getOrDefault(resource, Quantity.ZERO));
    }

    private static BigInteger inUnits(String resource, Quantity quantity) {
        return BigInteger.valueOf(resource.equals("cpu") ? quantity.milliValue() : quantity.value());
    }

    private Map<String, Node> nodes() {
        Map<String, Node> nodes = new TreeMap<>();
        NodeSetView present = cluster.view().nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            nodes.put(cluster.view().nodes().name(node), cluster.view().nodes().node(node));
        }
        return nodes;
    }

    private List<Pod> podsOn(Node node) {
        return cluster.view().placedPods().stream()
                .filter(pod -> pod.spec().nodeName().equals(node.name()))
                .toList();
    }
}
