package io.evenkeel.policies.bound;

/** The limits of a rule that a domain can fail, in the order in which they are asked. */
public enum Limit {
    LABEL,
    MAX_PODS,
    MAX_PERCENT,
    MAX_DOMAINS,
    MUST_USE,
    WEIGHTS,
    MAX_SKEW
}
