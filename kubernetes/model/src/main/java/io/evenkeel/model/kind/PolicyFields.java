package io.evenkeel.model.kind;

import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.decode.Field;
import io.evenkeel.model.decode.Fields;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.decode.Values;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.model.policy.PolicyRule.RuleTerms;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.LeavingPods;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.model.policy.PolicyStatus.RememberedDomain;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.NamedConstant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/** Policies, custom resources that come as JSON only: their fields have no numbers. */
final class PolicyFields {
    private static final Map<String, WhenUnsatisfiable> ACTIONS = NamedConstant.byName(WhenUnsatisfiable.class);
    private static final Map<String, NamespaceCounting> COUNTING = NamedConstant.byName(NamespaceCounting.class);
    private static final Map<String, LeavingPods> LEAVING = NamedConstant.byName(LeavingPods.class);
    private static final Map<String, PodDeletionCost> DELETION_COST = NamedConstant.byName(PodDeletionCost.class);

    private static final Message<DomainWeight> WEIGHT = Message.of(fields -> {
        var domain = fields.requiredString("domain", 1).from(DomainWeight::domain);
        var weight = fields.requiredInt32("weight", 2).from(DomainWeight::weight);
        return read -> new DomainWeight(read.get(domain), read.get(weight));
    });

    private static final Message<PolicyRule> RULE = Message.of(fields -> {
        var topologyKey = fields.requiredString("topologyKey", 1).from(PolicyRule::topologyKey);
        var whenUnsatisfiable = fields.constant("whenUnsatisfiable", 8, ACTIONS, WhenUnsatisfiable.DO_NOT_SCHEDULE)
                .from((PolicyRule rule) -> rule.terms().whenUnsatisfiable());
        var matchLabelKeys = fields.strings("matchLabelKeys", 9)
                .from((PolicyRule rule) -> rule.terms().matchLabelKeys());
        var knownDomains = fields.strings("knownDomains", 10)
                .from((PolicyRule rule) -> rule.terms().knownDomains());
        var relaxAfterSeconds =
                number(fields, "relaxAfterSeconds", 11, rule -> rule.terms().relaxAfterSeconds());
        var rememberDomainsSeconds = number(
                fields, "rememberDomainsSeconds", 12, rule -> rule.terms().rememberDomainsSeconds());
        var maxPods = number(fields, "maxPods", 2, PolicyRule::maxPods);
        var maxPercent = number(fields, "maxPercent", 3, PolicyRule::maxPercent);
        var maxDomains = number(fields, "maxDomains", 4, PolicyRule::maxDomains);
        var maxSkew = number(fields, "maxSkew", 5, PolicyRule::maxSkew);
        var mustUse = fields.strings("mustUse", 6).from(PolicyRule::mustUse);
        var weights = fields.list("weights", 7, WEIGHT).from(PolicyRule::weights);
        return read -> new PolicyRule(
                read.get(topologyKey),
                new RuleTerms(
                        read.get(whenUnsatisfiable),
                        read.get(matchLabelKeys),
                        read.get(knownDomains),
                        optional(read.get(relaxAfterSeconds)),
                        optional(read.get(rememberDomainsSeconds))),
                optional(read.get(maxPods)),
                optional(read.get(maxPercent)),
                optional(read.get(maxDomains)),
                optional(read.get(maxSkew)),
                read.get(mustUse),
                read.get(weights));
    });

    private static final Message<PolicySpec> SPEC = Message.of(PolicyFields::spec);

    private static final Message<PolicySpec> CLUSTER_SPEC = Message.of(fields -> {
        var spec = spec(fields);
        var countNamespaces = fields.constant("countNamespaces", 6, COUNTING, NamespaceCounting.TOGETHER)
                .from(PolicySpec::countNamespaces);
        return read -> spec.apply(read).with(read.get(countNamespaces));
    });

    static final Message<PlacementPolicy> POLICY = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, SPEC, PolicySpec.NONE).from(PlacementPolicy::spec);
        var status = fields.message("status", 3, PolicyStatusFields.STATUS, PolicyStatus.NONE)
                .from(PlacementPolicy::status);
        return read -> new PlacementPolicy(read.get(Metadata.FIELD), read.get(spec), read.get(status));
    });

    static final Message<ClusterPlacementPolicy> CLUSTER_POLICY = Message.ofObject(fields -> {
        var spec = fields.message("spec", 2, CLUSTER_SPEC, PolicySpec.NONE).from(ClusterPlacementPolicy::spec);
        var status = fields.message("status", 3, PolicyStatusFields.STATUS, PolicyStatus.NONE)
                .from(ClusterPlacementPolicy::status);
        return read -> new ClusterPlacementPolicy(read.get(Metadata.FIELD), read.get(spec), read.get(status));
    });

    private PolicyFields() {}

    /** The fields that both kinds have. */
    private static Function<Values, PolicySpec> spec(Fields fields) {
        var selector = fields.message("selector", 1, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                .from(PolicySpec::selector);
        var namespaceSelector = fields.message("namespaceSelector", 2, SelectorFields.SELECTOR, LabelSelector.NOTHING)
                .from(PolicySpec::namespaceSelector);
        var rules = fields.list("rules", 3, RULE).from(PolicySpec::rules);
        var leavingPods =
                fields.constant("leavingPods", 4, LEAVING, LeavingPods.COUNT).from(PolicySpec::leavingPods);
        var podDeletionCost = fields.constant("podDeletionCost", 5, DELETION_COST, PodDeletionCost.UNMANAGED)
                .from(PolicySpec::podDeletionCost);
        return read -> PolicySpec.of(read.get(selector), read.get(rules))
                .over(read.get(namespaceSelector))
                .with(read.get(leavingPods))
                .with(read.get(podDeletionCost));
    }

    private static Field<Optional<Integer>> number(
            Fields fields, String name, int number, Function<PolicyRule, OptionalInt> of) {
        return fields.optionalInt32(name, number).from((PolicyRule rule) -> boxed(of.apply(rule)));
    }

    private static Optional<Integer> boxed(OptionalInt number) {
        return number.isPresent() ? Optional.of(number.getAsInt()) : Optional.empty();
    }

    private static OptionalInt optional(Optional<Integer> number) {
        return number.map(OptionalInt::of).orElseGet(OptionalInt::empty);
    }

    /** The statuses of policies: they tell a new leader what has been written before. */
    private static final class PolicyStatusFields {
        private static final Message<PolicyCondition> CONDITION = Message.of(fields -> {
            var type = fields.string("type", 1).from(PolicyCondition::type);
            var status = fields.string("status", 2).from(PolicyCondition::status);
            var observedGeneration = fields.int64("observedGeneration", 3, 0).from(PolicyCondition::observedGeneration);
            var lastTransitionTime =
                    fields.timeOrNone("lastTransitionTime", 4).from(PolicyCondition::lastTransitionTime);
            var reason = fields.string("reason", 5).from(PolicyCondition::reason);
            var message = fields.uniqueString("message", 6).from(PolicyCondition::message);
            return read -> new PolicyCondition(
                    read.get(type),
                    read.get(status),
                    read.get(observedGeneration),
                    read.get(lastTransitionTime),
                    read.get(reason),
                    read.get(message));
        });

        private static final Message<DomainPods> DOMAIN = Message.of(fields -> {
            var domain = fields.string("domain", 1).from(DomainPods::domain);
            var pods = fields.int32("pods", 2, 0).from(DomainPods::pods);
            return read -> new DomainPods(read.get(domain), read.get(pods));
        });

        private static final Message<RuleStatus> RULE = Message.of(fields -> {
            var topologyKey = fields.string("topologyKey", 1).from(RuleStatus::topologyKey);
            var domains = fields.list("domains", 2, DOMAIN).from(RuleStatus::domains);
            var moreDomains = fields.int32("moreDomains", 3, 0).from(RuleStatus::moreDomains);
            var fewest = fields.int32("fewest", 4, 0).from(RuleStatus::fewest);
            var most = fields.int32("most", 5, 0).from(RuleStatus::most);
            var skew = fields.int32("skew", 6, 0).from(RuleStatus::skew);
            return read -> new RuleStatus(
                    read.get(topologyKey),
                    read.get(domains),
                    read.get(moreDomains),
                    read.get(fewest),
                    read.get(most),
                    read.get(skew));
        });

        private static final Message<RelaxedDomain> RELAXED = Message.of(fields -> {
            var topologyKey = fields.string("topologyKey", 1).from(RelaxedDomain::topologyKey);
            var domain = fields.string("domain", 2).from(RelaxedDomain::domain);
            var reason = fields.string("reason", 3).from(RelaxedDomain::reason);
            var since = fields.timeOrNone("since", 4).from(RelaxedDomain::since);
            return read ->
                    new RelaxedDomain(read.get(topologyKey), read.get(domain), read.get(reason), read.get(since));
        });

        private static final Message<RememberedDomain> REMEMBERED = Message.of(fields -> {
            var topologyKey = fields.string("topologyKey", 1).from(RememberedDomain::topologyKey);
            var domain = fields.string("domain", 2).from(RememberedDomain::domain);
            var goneSince = fields.timeOrNone("goneSince", 3).from(RememberedDomain::goneSince);
            return read -> new RememberedDomain(read.get(topologyKey), read.get(domain), read.get(goneSince));
        });

        static final Message<PolicyStatus> STATUS = Message.of(fields -> {
            var conditions = fields.list("conditions", 1, CONDITION).from(PolicyStatus::conditions);
            var observedGeneration = fields.int64("observedGeneration", 2, 0).from(PolicyStatus::observedGeneration);
            var pods = fields.int64("pods", 3, 0).from(PolicyStatus::pods);
            var waiting = fields.int32("waiting", 4, 0).from(PolicyStatus::waiting);
            var rules = fields.list("rules", 5, RULE).from(PolicyStatus::rules);
            var relaxed = fields.list("relaxed", 6, RELAXED).from(PolicyStatus::relaxed);
            var remembered = fields.list("remembered", 7, REMEMBERED).from(PolicyStatus::remembered);
            return read -> new PolicyStatus(
                    read.get(observedGeneration),
                    read.get(pods),
                    read.get(waiting),
                    read.get(rules),
                    read.get(relaxed),
                    read.get(remembered),
                    read.get(conditions));
        });

        private PolicyStatusFields() {}
    }
}
