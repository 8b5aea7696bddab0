package io.evenkeel.plugins.podtopologyspread;

import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.NodeInclusionPolicy;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Topology spread by walking all nodes and pods for every question, written from the rules and sharing no code. */
final class NaiveSpread {
    private final Collection<Node> nodes;
    private final Collection<Pod> pods;
    private final Pod incoming;

    NaiveSpread(Collection<Node> nodes, Collection<Pod> pods, Pod incoming) {
        this.nodes = nodes;
        this.pods = pods;
        this.incoming = incoming;
    }

    String verdict(Node node) {
        List<TopologySpreadConstraint> hard = constraints(true);
        for (TopologySpreadConstraint constraint : hard) {
            String key = constraint.topologyKey();
            if (!node.labels().has(key)) {
                return "missing";
            }
            Map<String, Integer> counts = new TreeMap<>();
            for (Node counted : nodes) {
                if (isCounted(counted, constraint, hard)) {
                    counts.merge(value(counted, key), matching(counted, constraint), Integer::sum);
                }
            }
            int minimum = counts.size() < constraint.minDomains() || counts.isEmpty()
                    ? 0
                    : counts.values().stream().mapToInt(Integer::intValue).min().orElse(0);
            int self = selector(constraint).matches(incoming.labels()) ? 1 : 0;
            if (counts.getOrDefault(value(node, key), 0) + self - minimum > constraint.maxSkew()) {
                return "skewed";
            }
        }
        return "fits";
    }

    Map<String, Integer> scores(List<Node> feasible) {
        List<TopologySpreadConstraint> soft = constraints(false);
        Map<String, Long> raw = new TreeMap<>();
        List<Node> scored =
                feasible.stream().filter(node -> hasAllKeys(node, soft)).toList();
        for (Node node : scored) {
            double sum = 0;
            for (TopologySpreadConstraint constraint : soft) {
                String key = constraint.topologyKey();
                boolean byHost = key.equals(DrawnCluster.HOSTNAME);
                Set<String> domains = new HashSet<>();
                scored.forEach(other -> domains.add(value(other, key)));
                int size = byHost ? scored.size() : domains.size();
                long count = 0;
                for (Node counted : nodes) {
                    boolean same = byHost
                            ? counted.name().equals(node.name())
                            : isCounted(counted, constraint, soft)
                                    && value(counted, key).equals(value(node, key));
                    count += same ? matching(counted, constraint) : 0;
                }
                sum += count * StrictMath.log(size + 2) + (constraint.maxSkew() - 1);
            }
            raw.put(
                    node.name(),
                    new BigDecimal(sum).setScale(0, RoundingMode.HALF_UP).longValueExact());
        }
        long max = raw.values().stream().mapToLong(Long::longValue).max().orElse(0);
        long min = raw.values().stream().mapToLong(Long::longValue).min().orElse(0);
        Map<String, Integer> scores = new TreeMap<>();
        for (Node node : feasible) {
            Long own = raw.get(node.name());
            scores.put(node.name(), own == null ? 0 : max == 0 ? 100 : (int) (100 * (max + min - own) / max));
        }
        return scores;
    }

    private List<TopologySpreadConstraint> constraints(boolean hard) {
        return incoming.spec().topologySpread().stream()
                .filter(constraint -> constraint.isHard() == hard)
                .toList();
    }

    private static boolean hasAllKeys(Node node, List<TopologySpreadConstraint> constraints) {
        return constraints.stream().allMatch(constraint -> node.labels().has(constraint.topologyKey()));
    }

    private boolean isCounted(
            Node node, TopologySpreadConstraint constraint, List<TopologySpreadConstraint> constraints) {
        return hasAllKeys(node, constraints)
                && (constraint.nodeAffinityPolicy() == NodeInclusionPolicy.IGNORE || isSelected(node))
                && (constraint.nodeTaintsPolicy() == NodeInclusionPolicy.IGNORE
                        || node.taints().stream().allMatch(this::isHarmless));
    }

    private boolean isSelected(Node node) {
        return incoming.spec().nodeSelector().asMap().entrySet().stream()
                .allMatch(entry -> node.labels().has(entry.getKey(), entry.getValue()));
    }

    private boolean isHarmless(Taint taint) {
        return !taint.effect().keepsPodsAway()
                || incoming.spec().tolerations().stream().anyMatch(toleration -> toleration.tolerates(taint));
    }

    private int matching(Node node, TopologySpreadConstraint constraint) {
        LabelSelector selector = selector(constraint);
        if (selector.matchesEverything()) {
            return 0;
        }
        int count = 0;
        for (Pod pod : pods) {
            if (pod.spec().nodeName().equals(node.name())
                    && pod.namespace().equals(incoming.namespace())
                    && !pod.meta().terminating()
                    && selector.matches(pod.labels())) {
                count++;
            }
        }
        return count;
    }

    private LabelSelector selector(TopologySpreadConstraint constraint) {
        List<LabelRequirement> more = new ArrayList<>();
        for (String key : constraint.matchLabelKeys()) {
            if (incoming.labels().has(key)) {
                more.add(LabelRequirement.equalTo(key, incoming.labels().getOrDefault(key, "")));
            }
        }
        return constraint.labelSelector().and(more);
    }

    private static String value(Node node, String key) {
        return node.labels().getOrDefault(key, "");
    }
}
