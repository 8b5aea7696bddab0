package io.evenkeel.policies;

import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Says of a pod that a policy yielded for it: on its node, more are together by now than the policy would allow else. */
final class YieldRemarks {
    private static final String TYPE = "evenkeel.io/PolicyRelaxed";
    private static final int MOST_MESSAGE = 1_024;

    private YieldRemarks() {}

    /** @param node on which the pod counts by now */
    static List<PodCondition> of(List<BoundPolicy> policies, PodInfo pod, int node) {
        List<RelaxedDomain> relaxed = new ArrayList<>();
        List<String> messages = new ArrayList<>();
        for (BoundPolicy policy : policies) {
            List<BoundRule> rules = policy.isRelaxed() ? policy.hardRules(pod.pod()) : List.of();
            for (BoundRule rule : rules) {
                List<RelaxedDomain> ignored = ignoredFor(rule, pod, node);
                if (!ignored.isEmpty()) {
                    relaxed.addAll(ignored);
                    messages.add(message(policy, rule, ignored));
                }
            }
        }
        return relaxed.isEmpty()
                ? List.of()
                : List.of(new PodCondition(
                        TYPE,
                        "True",
                        bounded(relaxed.getFirst().reason()),
                        bounded(String.join("; ", messages)),
                        "",
                        pod.pod().meta().generation()));
    }

    /** The relaxed domains for which the pod would wait if they were not. */
    private static List<RelaxedDomain> ignoredFor(BoundRule rule, PodInfo pod, int node) {
        if (rule.relaxed().isEmpty() || rule.rule().maxSkew().isEmpty()) {
            return List.of();
        }
        DomainCounter open = rule.openTo(pod.shape());
        int domain = rule.topology().domainOf(node);
        RuleBounds strict = RuleBounds.strictly(rule);
        int itself = rule.counter().eligibility().includes(node) ? 1 : 0;
        int itselfOpen = open.eligibility().includes(node) ? itself : 0;
        strict.measure(pod.shape(), open, domain, itself, itselfOpen);
        int least = strict.openPodsIn(domain) + 1 - rule.rule().maxSkew().getAsInt();
        return strict.openPodsIn(domain) <= strict.mostBySkew()
                ? List.of()
                : rule.relaxed().stream()
                        .filter(one -> counts(rule, open, pod, one.domain())
                                && strict.podsIn(rule.topology().find(one.domain())) < least)
                        .toList();
    }

    private static boolean counts(BoundRule rule, DomainCounter open, PodInfo pod, String name) {
        int domain = rule.topology().find(name);
        return (domain != Topology.NO_DOMAIN && open.isCounted(domain))
                || rule.known().stream()
                        .anyMatch(known -> known.domain().equals(name)
                                && rule.countsThoughClosed(
                                        known,
                                        rule.podsIn(name),
                                        open,
                                        pod.shape().nodeRequirement().value()));
    }

    private static String message(BoundPolicy policy, BoundRule rule, List<RelaxedDomain> ignored) {
        return policy.name() + ": placed beyond maxSkew "
                + rule.rule().maxSkew().orElse(1) + " over "
                + rule.rule().topologyKey() + ", without waiting for "
                + ignored.stream()
                        .map(domain -> domain.domain() + " (" + domain.reason() + " since " + domain.since() + ")")
                        .collect(Collectors.joining(", "));
    }

    private static String bounded(String message) {
        return Excerpt.of(message, MOST_MESSAGE - 1);
    }
}
