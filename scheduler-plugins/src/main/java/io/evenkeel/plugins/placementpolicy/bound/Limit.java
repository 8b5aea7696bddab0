package io.evenkeel.plugins.placementpolicy.bound;

/** What of a rule a domain can fail, in the order in which it is asked. */
public enum Limit {
    LABEL,
    MAX_PODS,
    MAX_PERCENT,
    MAX_DOMAINS,
    MUST_USE,
    WEIGHTS,
    MAX_SKEW
}
