package io.evenkeel.policies.reading;

/** A limit of a rule that pods may break which are on nodes. */
public enum Breakable {
    MAX_PODS("maxPods", "CapExceeded"),
    MAX_PERCENT("maxPercent", "PercentExceeded"),
    MAX_DOMAINS("maxDomains", "TooManyDomains"),
    MUST_USE("mustUse", "DomainUnused"),
    WEIGHTS("weights", "SharesOff"),
    MAX_SKEW("maxSkew", "SkewExceeded");

    private final String field;
    private final String reason;

    Breakable(String field, String reason) {
        this.field = field;
        this.reason = reason;
    }

    /** The field of a rule that sets it. */
    public String field() {
        return field;
    }

    /** Returns the reason of its breach in a condition. */
    public String reason() {
        return reason;
    }
}
