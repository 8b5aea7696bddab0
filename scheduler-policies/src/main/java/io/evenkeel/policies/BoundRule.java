package io.evenkeel.policies;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.counting.DomainCounter;
import io.evenkeel.cluster.counting.NodeEligibility;
import io.evenkeel.cluster.counting.NodeEligibility.LeavingNodes;
import io.evenkeel.cluster.counting.SelectorGroup;
import io.evenkeel.cluster.counting.Topology;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.Tolerations;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.policies.PolicyReading.Limit;
import io.evenkeel.policies.RuleOfMany.PodKind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * A rule, bound to the counts that it reads: how many of the policy's pods each domain has, and, where skew is limited, the same of
 * the domains that are open to a pod by its node affinity and tolerations. Of the latter there is one for all pods that are alike
 * in both.
 */
final class BoundRule {
    /** Pods of a policy are few kinds; a user who makes ever new ones has the counters made again. */
    private static final int MOST_OPEN_COUNTERS = 32;

    /**
     * A domain that counts even where no node is open to a pod.
     *
     * @param onlyWithoutNodes whether not where it has nodes and no pods, as those are for other pods than this one then
     */
    record Known(String domain, boolean onlyWithoutNodes) {}

    /**
     * The policy's status of the domains of a rule, and the rule itself.
     *
     * @param relaxed for which pods need not wait
     */
    record Said(List<RelaxedDomain> relaxed, List<Known> known) {
        static Said of(PolicyRule rule, PolicyStatus status) {
            List<RelaxedDomain> relaxed = rule.terms().relaxAfterSeconds().isEmpty()
                    ? List.of()
                    : status.relaxed().stream()
                            .filter(domain -> domain.topologyKey().equals(rule.topologyKey()))
                            .limit(PolicyFaults.MOST_DOMAINS)
                            .toList();
            List<String> fixed = rule.terms().knownDomains();
            Stream<Known> remembered = rule.terms().rememberDomainsSeconds().isEmpty()
                    ? Stream.of()
                    : status.remembered().stream()
                            .filter(one ->
                                    one.topologyKey().equals(rule.topologyKey()) && !fixed.contains(one.domain()))
                            .limit(PolicyFaults.MOST_DOMAINS)
                            .map(one -> new Known(one.domain(), !one.isGone()));
            return new Said(
                    relaxed,
                    Stream.concat(fixed.stream().map(domain -> new Known(domain, false)), remembered)
                            .toList());
        }
    }

    private record Access(NodeRequirement requirement, Tolerations tolerations) {}

    private final ClusterView cluster;
    private final String policy;
    private final PolicyRule rule;
    private final PodKind kind;
    private final SelectorGroup group;
    private final LeavingNodes leaving;
    private final DomainCounter counter;
    private final RuleStatuses statuses;
    private final RuleBounds bounds;
    private Optional<RuleBounds> strict = Optional.empty();
    private Said said = new Said(List.of(), List.of());
    private final Map<Access, DomainCounter> open = new LinkedHashMap<>(16, 0.75f, true);

    /**
     * @param policyName its kind and name
     * @param kind the policy's pods that are counted
     * @param group of these, to be released by who asks for this
     */
    BoundRule(
            ClusterView cluster,
            String policyName,
            LeavingPods leavingPods,
            PolicyRule rule,
            PodKind kind,
            SelectorGroup group) {
        this.cluster = cluster;
        this.policy = policyName;
        this.rule = rule;
        this.kind = kind;
        this.group = group;
        this.leaving = leavingPods == LeavingPods.IGNORE ? LeavingNodes.IGNORE : LeavingNodes.COUNT;
        this.counter = counter(NodeEligibility.Key.having(rule.topologyKey()), false);
        this.statuses = new RuleStatuses(policyName, rule);
        this.bounds = new RuleBounds(this);
    }

    private DomainCounter counter(NodeEligibility.Key nodes, boolean minimumWanted) {
        return cluster.counters()
                .acquire(
                        group.tally(),
                        new Topology.Key(rule.topologyKey(), false),
                        nodes.counting(leaving),
                        minimumWanted);
    }

    void release() {
        open.values().forEach(cluster.counters()::release);
        open.clear();
        cluster.counters().release(counter);
    }

    /** The policy's name, where its plugin is named already. */
    String policyName() {
        return policy.replaceFirst("^" + PlacementPolicy.KIND + " ", "");
    }

    PolicyRule rule() {
        return rule;
    }

    PodKind kind() {
        return kind;
    }

    SelectorGroup group() {
        return group;
    }

    Topology topology() {
        return counter.topology();
    }

    /** All of the policy's pods by domain. */
    DomainCounter counter() {
        return counter;
    }

    /** Of these so many are in the domain; none where it has no nodes. */
    int podsIn(String domain) {
        int found = topology().find(domain);
        return found == Topology.NO_DOMAIN ? 0 : counter.sumOf(found);
    }

    void follow(Said now) {
        said = now;
    }

    /** The domains for which pods need not wait. */
    List<RelaxedDomain> relaxed() {
        return said.relaxed();
    }

    /** The domains that count even where no node is open to a pod. */
    List<Known> known() {
        return said.known();
    }

    /** Grows whenever another domain has other pods, or is open to other pods. */
    long changes() {
        long changes = counter.changes();
        for (DomainCounter one : open.values()) {
            changes += one.changes();
        }
        return changes;
    }

    RuleStatuses statuses() {
        return statuses;
    }

    /** Returns the choice that the rule leaves to a pod of this shape as things stand; until it is asked for again. */
    RuleBounds bounds(PodShape shape) {
        bounds.measure(shape, openTo(shape));
        return bounds;
    }

    /** Returns the choice that it would leave if no domain were relaxed; until it is asked for again. */
    RuleBounds strictBounds(PodShape shape) {
        if (strict.isEmpty()) {
            strict = Optional.of(RuleBounds.strictly(this));
        }
        RuleBounds measured = strict.get();
        measured.measure(shape, openTo(shape));
        return measured;
    }

    /**
     * Whether a known domain counts for a pod although no node of it is open: unless the pod itself says that it does not go there. One
     * that is only remembered and has nodes may be for other pods, unless it has some of these.
     *
     * @param pods how many it has
     */
    boolean countsThoughClosed(Known known, int pods, DomainCounter openToPod, NodeRequirement requirement) {
        int domain = topology().find(known.domain());
        boolean mayCount = domain == Topology.NO_DOMAIN
                || (!openToPod.isCounted(domain) && (!known.onlyWithoutNodes() || pods > 0));
        return mayCount && requirement.allows(rule.topologyKey(), known.domain());
    }

    /** The policy's pods in the domains open to such a pod; all of them where no skew is limited, as that is not asked then. */
    DomainCounter openTo(PodShape shape) {
        if (rule.maxSkew().isEmpty()) {
            return counter;
        }
        Access access = new Access(
                shape.nodeRequirement().value().required(), shape.tolerations().value());
        DomainCounter known = open.get(access);
        if (known != null) {
            return known;
        }
        if (open.size() == MOST_OPEN_COUNTERS) {
            var eldest = open.entrySet().iterator();
            cluster.counters().release(eldest.next().getValue());
            eldest.remove();
        }
        NodeEligibility.Key nodes =
                new NodeEligibility.Key(List.of(rule.topologyKey()), access.requirement(), true, access.tolerations());
        DomainCounter made = counter(nodes, true);
        open.put(access, made);
        return made;
    }

    /** The words to users for a node that a rule turns away: made once, as pods come by the thousand. */
    static final class RuleStatuses {
        private final Map<Limit, Status> statuses = new EnumMap<>(Limit.class);
        private final Map<String, Status> awaiting = new HashMap<>();
        private final String skew;

        /** @param policy its kind and name */
        RuleStatuses(String policy, PolicyRule rule) {
            String over = " over " + rule.topologyKey() + ')';
            String opening = "node(s) didn't satisfy " + policy + " (";
            this.skew = opening + words(Limit.MAX_SKEW, rule) + " over " + rule.topologyKey();
            statuses.put(Limit.LABEL, Status.unresolvable(opening + "missing label " + rule.topologyKey() + ')'));
            for (Limit limit : Limit.values()) {
                statuses.computeIfAbsent(limit, _ -> Status.unschedulable(opening + words(limit, rule) + over));
            }
        }

        /** The limit as the policy has it. */
        static String words(Limit limit, PolicyRule rule) {
            OptionalInt number = switch (limit) {
                case MAX_PODS -> rule.maxPods();
                case MAX_PERCENT -> rule.maxPercent();
                case MAX_DOMAINS -> rule.maxDomains();
                case MAX_SKEW -> rule.maxSkew();
                case LABEL, MUST_USE, WEIGHTS -> OptionalInt.empty();
            };
            return limit.field() + (number.isPresent() ? " " + number.getAsInt() : "");
        }

        /** Returns the status for skew, where a known domain is waited for that has no node open to the pod. */
        Status awaiting(String domain, boolean hasNodes) {
            return awaiting.computeIfAbsent(
                    domain + (hasNodes ? " has no node for it" : " has no nodes"),
                    known -> Status.unschedulable(skew + ", known domain " + known + ')'));
        }

        Status of(Limit limit) {
            return statuses.getOrDefault(limit, Status.SUCCESS);
        }
    }
}
