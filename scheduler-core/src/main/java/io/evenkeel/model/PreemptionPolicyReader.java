package io.evenkeel.model;

import java.util.Map;

/** Reads {@code preemptionPolicy}, which pods and PriorityClasses have, as whether the pod may preempt others. */
final class PreemptionPolicyReader {
    static final Map<String, Boolean> POLICIES = Map.of("PreemptLowerPriority", true, "Never", false);

    private PreemptionPolicyReader() {}

    static boolean read(JsonCursor in) {
        return in.oneOf(POLICIES);
    }
}
