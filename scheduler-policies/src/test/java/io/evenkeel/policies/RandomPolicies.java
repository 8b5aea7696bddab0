package io.evenkeel.policies;

import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodCondition;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.model.policy.PolicyStatus.RememberedDomain;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** Random nodes in zones and racks, pods of two apps in three namespaces, and policies about them. */
final class RandomPolicies {
    static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";
    private static final String RACK = "rack";
    private static final PodCondition DISRUPTED =
            new PodCondition(PodCondition.DISRUPTION_TARGET, "True", "EvictionByEvictionAPI", "", "", 0);
    private static final String REVISION = "revision";
    private static final int RACKS = 70;

    private final SplittableRandom random;

    RandomPolicies(SplittableRandom random) {
        this.random = random;
    }

    String namespace() {
        return "ns" + random.nextInt(3);
    }

    Labels namespaceLabels() {
        return random.nextInt(3) == 0 ? Labels.EMPTY : Labels.of("team", "t" + random.nextInt(2));
    }

    Node node(String name) {
        NodeBuilder node = NodeBuilder.node(name);
        if (random.nextInt(10) > 0) {
            node.hostname(name);
        }
        if (random.nextInt(8) > 0) {
            node.zone("z" + random.nextInt(4));
        }
        if (random.nextInt(4) > 0) {
            node.label(RACK, "r" + random.nextInt(RACKS));
        }
        if (random.nextInt(4) == 0) {
            node.taint("k", "v", TaintEffect.NO_SCHEDULE);
        }
        return node.unschedulable(random.nextInt(6) == 0).build();
    }

    PodBuilder pod(String name) {
        PodBuilder pod = PodBuilder.pod(namespace(), name).label("app", "a" + random.nextInt(2));
        if (random.nextInt(3) == 0) {
            pod.toleration(new Toleration("k", Toleration.Operator.EXISTS, "", Optional.empty()));
        }
        if (random.nextInt(3) > 0) {
            pod.label(REVISION, "v" + random.nextInt(2));
        }
        if (random.nextInt(6) == 0) {
            pod.nodeSelector(ZONE, "z" + random.nextInt(5));
        }
        return pod;
    }

    /** One that may be about to leave. */
    Pod placed(String name, String node) {
        PodBuilder pod = pod(name).nodeName(node).terminating(random.nextInt(6) == 0);
        if (random.nextInt(6) == 0) {
            pod.status(PodStatusBuilder.running().disruptionTarget(DISRUPTED).build());
        }
        return pod.build();
    }

    static Pod toldToGo(Pod pod) {
        return new Pod(
                pod.meta(),
                pod.spec(),
                PodStatusBuilder.from(pod.status()).disruptionTarget(DISRUPTED).build());
    }

    PolicyObject policy(String name) {
        return policy(name, rules());
    }

    /** One that only prefers, but for a rule that may be relaxed and prefers then. */
    PolicyObject softPolicy(String name) {
        PolicyRule yields = PolicyRule.over(ZONE)
                .withMaxSkew(1 + random.nextInt(3))
                .on(termsOfSkew("z").relaxedAfter(60));
        PolicyRule maybeFull = random.nextBoolean() ? yields : yields.withMaxDomains(2 + random.nextInt(3));
        return policy(
                name,
                random.nextBoolean() ? List.of(softRule(key()), softRule(key())) : List.of(softRule(key()), maybeFull));
    }

    /** One that is about all pods of a namespace, with rules that are relaxed for two domains. */
    PlacementPolicy relaxedPolicy(String namespace) {
        PolicyRule rule = PolicyRule.over(ZONE)
                .withMaxSkew(1 + random.nextInt(2))
                .on(termsOfSkew("z").relaxedAfter(60));
        PolicySpec spec = PolicySpec.of(
                        LabelSelector.EVERYTHING,
                        List.of(rule, softRule(key()), random.nextInt(4) == 0 ? rule.withMaxDomains(3) : rule()))
                .over(selector("team", "t"))
                .with(random.nextInt(3) == 0 ? LeavingPods.IGNORE : LeavingPods.COUNT);
        List<RelaxedDomain> relaxed = List.of(relaxed("z"), relaxed("z"));
        return new PlacementPolicy(
                ObjectMeta.named(namespace, namespace),
                spec,
                new PolicyStatus(0, 0, 0, List.of(), relaxed, remembered(), List.of()));
    }

    private PolicyObject policy(String name, List<PolicyRule> rules) {
        PolicySpec spec = PolicySpec.of(selector("app", "a"), rules)
                .over(selector("team", "t"))
                .with(random.nextInt(3) == 0 ? LeavingPods.IGNORE : LeavingPods.COUNT);
        List<RelaxedDomain> relaxed = random.nextBoolean() ? List.of() : List.of(relaxed("z"), relaxed("z"));
        PolicyStatus status = new PolicyStatus(0, 0, 0, List.of(), relaxed, remembered(), List.of());
        return random.nextInt(3) == 0
                ? new ClusterPlacementPolicy(
                        ObjectMeta.named("", name),
                        spec.with(random.nextBoolean() ? NamespaceCounting.TOGETHER : NamespaceCounting.SEPARATELY),
                        status)
                : new PlacementPolicy(ObjectMeta.named(namespace(), name), spec, status);
    }

    private List<RememberedDomain> remembered() {
        return random.ints(2, 0, 6)
                .distinct()
                .mapToObj(zone ->
                        new RememberedDomain(ZONE, "z" + zone, random.nextBoolean() ? "" : "2026-11-25T10:00:00Z"))
                .toList();
    }

    private RelaxedDomain relaxed(String domains) {
        return new RelaxedDomain(ZONE, domains + random.nextInt(5), "NoRoom", "");
    }

    private LabelSelector selector(String key, String values) {
        return switch (random.nextInt(4)) {
            case 0 -> LabelSelector.EVERYTHING;
            case 1 -> LabelSelector.NOTHING;
            default -> LabelSelector.matchingLabels(Labels.of(key, values + random.nextInt(2)));
        };
    }

    private List<PolicyRule> rules() {
        List<PolicyRule> rules = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            rules.add(rule());
        }
        return rules;
    }

    private RuleTerms termsOfSkew(String domains) {
        RuleTerms terms = RuleTerms.STRICT;
        if (random.nextBoolean()) {
            terms = terms.knowing(random.ints(2, 0, 6)
                    .distinct()
                    .mapToObj(domain -> domains + domain)
                    .toList());
        }
        terms = random.nextBoolean() ? terms.remembering(60) : terms;
        return random.nextBoolean() ? terms.relaxedAfter(60) : terms;
    }

    private PolicyRule softRule(String key) {
        return PolicyRule.over(key)
                .withMaxSkew(1 + random.nextInt(3))
                .on(RuleTerms.STRICT
                        .whenUnsatisfiable(WhenUnsatisfiable.SCHEDULE_ANYWAY)
                        .matching(random.nextBoolean() ? List.of() : List.of(REVISION))
                        .knowing(random.nextBoolean() ? List.of() : List.of("z" + random.nextInt(6))));
    }

    private String key() {
        return List.of(ZONE, HOST, RACK).get(random.nextInt(3));
    }

    private PolicyRule rule() {
        int which = random.nextInt(4);
        String key = which < 2 ? ZONE : which == 2 ? HOST : RACK;
        String domains = which < 2 ? "z" : which == 2 ? "n" : "r";
        int count = which < 2 ? 5 : which == 2 ? 20 : RACKS;
        PolicyRule rule = PolicyRule.over(key);
        if (random.nextInt(3) == 0) {
            return softRule(key);
        }
        if (random.nextInt(3) == 0) {
            rule = rule.withMaxPods(1 + random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
            rule = rule.withMaxPercent(1 + random.nextInt(100));
        }
        if (random.nextInt(3) == 0) {
            rule = rule.withMaxDomains(2 + random.nextInt(4));
        }
        if (random.nextInt(3) == 0) {
            rule = rule.withMaxSkew(1 + random.nextInt(3)).on(termsOfSkew(domains));
        }
        if (random.nextInt(4) == 0) {
            rule = rule.on(rule.terms().matching(List.of(REVISION)));
        }
        if (random.nextInt(3) == 0) {
            rule = rule.using(random.ints(1 + random.nextInt(2), 0, count)
                    .distinct()
                    .mapToObj(domain -> domains + domain)
                    .toList());
        }
        if (random.nextInt(3) == 0 || rule.limitsNothing()) {
            rule = rule.weighing(random.ints(1 + random.nextInt(4), 0, count)
                    .distinct()
                    .mapToObj(domain -> new DomainWeight(domains + domain, 1 + random.nextInt(9)))
                    .toList());
        }
        return rule;
    }
}
