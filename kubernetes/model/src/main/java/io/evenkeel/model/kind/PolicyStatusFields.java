package io.evenkeel.model.kind;

import io.evenkeel.model.decode.Message;
import io.evenkeel.model.policy.PolicyCondition;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.DomainPods;
import io.evenkeel.model.policy.PolicyStatus.RuleStatus;
import io.evenkeel.model.policy.RelaxedDomain;
import io.evenkeel.model.policy.RememberedDomain;

/** The statuses of policies: they tell a new leader what has been written before. */
final class PolicyStatusFields {
    private static final Message<PolicyCondition> CONDITION = Message.of(fields -> {
        var type = fields.string("type", 1).from(PolicyCondition::type);
        var status = fields.string("status", 2).from(PolicyCondition::status);
        var observedGeneration = fields.int64("observedGeneration", 3, 0).from(PolicyCondition::observedGeneration);
        var lastTransitionTime = fields.timeOrNone("lastTransitionTime", 4).from(PolicyCondition::lastTransitionTime);
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
        return read -> new RelaxedDomain(read.get(topologyKey), read.get(domain), read.get(reason), read.get(since));
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
