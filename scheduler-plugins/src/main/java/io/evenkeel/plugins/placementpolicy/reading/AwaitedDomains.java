package io.evenkeel.plugins.placementpolicy.reading;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.plugins.placementpolicy.bound.BoundRule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The domains that count for a pod by a rule that may be relaxed, those with known names among them. */
final class AwaitedDomains {
    private AwaitedDomains() {}

    static Optional<AwaitedRule> of(BoundRule bound, PodInfo pod) {
        PolicyRule rule = bound.rule();
        if (rule.terms().relaxAfterSeconds().isEmpty() || rule.maxSkew().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new AwaitedRule(
                rule.topologyKey(),
                rule.maxSkew().getAsInt(),
                Duration.ofSeconds(rule.terms().relaxAfterSeconds().getAsInt()),
                domains(bound, pod)));
    }

    private static List<AwaitedRule.Domain> domains(BoundRule bound, PodInfo pod) {
        DomainCounter open = bound.openTo(pod.shape());
        Topology topology = open.topology();
        Map<Integer, NodeSet> nodes = nodesByDomain(topology);
        List<AwaitedRule.Domain> all = new ArrayList<>();
        for (int domain = 0; domain < topology.end(); domain++) {
            if (open.isCounted(domain)) {
                all.add(domain(topology.value(domain), open.sumOf(domain), nodes.get(domain)));
            }
        }
        NodeRequirement requirement = pod.shape().nodeRequirement().value();
        for (BoundRule.Known known : bound.known()) {
            int pods = bound.podsIn(known.domain());
            if (bound.countsThoughClosed(known, pods, open, requirement)) {
                all.add(domain(known.domain(), pods, nodes.get(topology.find(known.domain()))));
            }
        }
        all.sort(Comparator.comparingInt(AwaitedRule.Domain::pods).thenComparing(AwaitedRule.Domain::name));
        return all;
    }

    private static AwaitedRule.Domain domain(String name, int pods, @Nullable NodeSet nodes) {
        return new AwaitedRule.Domain(name, pods, nodes == null ? NodeSetView.NONE : nodes);
    }

    private static Map<Integer, NodeSet> nodesByDomain(Topology topology) {
        Map<Integer, NodeSet> byDomain = new HashMap<>();
        NodeSetView all = topology.nodes();
        for (int node = all.first(); node >= 0; node = all.next(node + 1)) {
            byDomain.computeIfAbsent(topology.domainOf(node), _ -> new NodeSet())
                    .add(node);
        }
        return byDomain;
    }
}
