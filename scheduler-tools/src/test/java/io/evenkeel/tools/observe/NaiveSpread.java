package io.evenkeel.tools.observe;

import static io.evenkeel.tools.observe.ObservedCluster.HOST;
import static io.evenkeel.tools.observe.ObservedCluster.ZONE;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.tools.observe.RandomObjects.Known;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts all pods anew for each constraint of each pod, as the documentation of Kubernetes says, and shares nothing with Evenkeel. */
record NaiveSpread(Known known) {

    record Spread(String key, String action, int skew, int allowed) {}

    String workloadOf(Pod pod) {
        return "Deployment/" + pod.labels().getOrDefault("app", "");
    }

    Stream<Spread> constraintsOf(Pod pod) {
        List<TopologySpreadConstraint> own = pod.spec().topologySpread();
        if (!own.isEmpty()) {
            return own.stream().map(constraint -> own(pod, constraint));
        }
        String app = pod.labels().getOrDefault("app", "");
        boolean hasPeers = known.replicaSets().contains(app)
                || known.services().stream()
                        .anyMatch(service -> service.meta().name().equals(app));
        return hasPeers ? Stream.of(byDefault(pod, HOST, 3), byDefault(pod, ZONE, 5)) : Stream.empty();
    }

    private Spread own(Pod pod, TopologySpreadConstraint constraint) {
        Set<String> keys = pod.spec().topologySpread().stream()
                .filter(other -> other.isHard() == constraint.isHard())
                .map(TopologySpreadConstraint::topologyKey)
                .collect(Collectors.toSet());
        Predicate<Node> counts = node -> keys.stream().allMatch(node.labels()::has)
                && (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE
                        || node.labels().hasAll(pod.spec().nodeSelector()))
                && (constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                        || node.taints().isEmpty());
        Predicate<Pod> matches = other -> constraint.labelSelector().matches(other.labels())
                && constraint.matchLabelKeys().stream()
                        .allMatch(key -> pod.labels()
                                .getOrDefault(key, "")
                                .equals(other.labels().getOrDefault(key, "")));
        return spread(
                constraint.topologyKey(),
                constraint.isHard(),
                constraint.maxSkew(),
                constraint.minDomains(),
                counts,
                matches);
    }

    /** Built-in default constraints read an absent label as an empty one, and honour node affinity alone. */
    private Spread byDefault(Pod pod, String key, int maxSkew) {
        String app = pod.labels().getOrDefault("app", "");
        return spread(
                key,
                false,
                maxSkew,
                1,
                node -> node.labels().hasAll(pod.spec().nodeSelector()),
                other -> other.labels().getOrDefault("app", "").equals(app));
    }

    private Spread spread(
            String key, boolean hard, int maxSkew, int minDomains, Predicate<Node> counts, Predicate<Pod> matches) {
        Map<String, Integer> domains = new TreeMap<>();
        for (Node node : known.nodes()) {
            if (counts.test(node)) {
                int pods = (int) known.pods().stream()
                        .filter(pod -> pod.spec().nodeName().equals(node.meta().name()))
                        .filter(pod -> !pod.meta().terminating() && matches.test(pod))
                        .count();
                domains.merge(node.labels().getOrDefault(key, ""), pods, Integer::sum);
            }
        }
        int most = domains.isEmpty() ? 0 : Collections.max(domains.values());
        int fewest = domains.isEmpty() || (hard && domains.size() < minDomains) ? 0 : Collections.min(domains.values());
        return new Spread(key, hard ? "DoNotSchedule" : "ScheduleAnyway", most - fewest, maxSkew);
    }
}
