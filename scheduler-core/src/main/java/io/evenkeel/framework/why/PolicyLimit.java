package io.evenkeel.framework.why;

import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import java.util.ArrayList;
import java.util.List;

/**
 * A limit of a policy's that allows more.
 *
 * @param kindName of the policy
 * @param policy its key
 * @param rule its place among the policy's
 * @param before what is allowed now
 */
public record PolicyLimit(
        String kindName, String policy, int rule, String topologyKey, Field field, int before, int limit)
        implements Change, Sized {

    /** The limits that are numbers. */
    public enum Field {
        MAX_PODS("maxPods"),
        MAX_PERCENT("maxPercent"),
        MAX_DOMAINS("maxDomains"),
        MAX_SKEW("maxSkew");

        private final String written;

        Field(String written) {
            this.written = written;
        }

        private PolicyRule of(PolicyRule rule, int limit) {
            return switch (this) {
                case MAX_PODS -> rule.withMaxPods(limit);
                case MAX_PERCENT -> rule.withMaxPercent(limit);
                case MAX_DOMAINS -> rule.withMaxDomains(limit);
                case MAX_SKEW -> rule.withMaxSkew(limit);
            };
        }
    }

    @Override
    public Kind kind() {
        return Kind.POLICY;
    }

    @Override
    public String text() {
        String name = policy.substring(policy.indexOf('/') + 1);
        return field.written + " " + limit + " instead of " + before + " over " + topologyKey + " in " + kindName + " "
                + name;
    }

    @Override
    public long size() {
        return (long) limit - before;
    }

    @Override
    public Change ofSize(long size) {
        int most = field == Field.MAX_PERCENT ? 100 : Integer.MAX_VALUE;
        return new PolicyLimit(kindName, policy, rule, topologyKey, field, before, (int) Math.min(most, before + size));
    }

    /** Whether this is the one that is changed. */
    public boolean isOf(PolicyObject one) {
        return one.kindName().equals(kindName) && one.meta().key().equals(policy);
    }

    /** The policy once it is changed. */
    public PolicyObject applied(PolicyObject one) {
        List<PolicyRule> rules = new ArrayList<>(one.spec().rules());
        rules.set(rule, field.of(rules.get(rule), limit));
        return one.with(one.spec().with(rules));
    }

    /** Returns the change as operations on the object that the policy was read from. */
    public List<PatchOperation> patch() {
        return List.of(PatchOperation.replace("/spec/rules/" + rule + "/" + field.written, limit));
    }
}
