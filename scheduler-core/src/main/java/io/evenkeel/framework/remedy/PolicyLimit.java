package io.evenkeel.framework.remedy;

import io.evenkeel.model.policy.PolicyObject;
import io.evenkeel.model.policy.PolicyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

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
        MAX_PODS("maxPods", PolicyRule::withMaxPods),
        MAX_PERCENT("maxPercent", PolicyRule::withMaxPercent),
        MAX_DOMAINS("maxDomains", PolicyRule::withMaxDomains),
        MAX_SKEW("maxSkew", PolicyRule::withMaxSkew);

        private final String written;
        private final BiFunction<PolicyRule, Integer, PolicyRule> with;

        Field(String written, BiFunction<PolicyRule, Integer, PolicyRule> with) {
            this.written = written;
            this.with = with;
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
        rules.set(rule, field.with.apply(rules.get(rule), limit));
        return one.with(one.spec().with(rules));
    }

    /** The same as operations on the object that the policy was read from. */
    public List<PatchOperation> patch() {
        return List.of(PatchOperation.replace("/spec/rules/" + rule + "/" + field.written, limit));
    }
}
