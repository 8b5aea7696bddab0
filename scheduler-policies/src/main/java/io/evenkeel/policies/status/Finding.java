package io.evenkeel.policies.status;

import io.evenkeel.model.value.NamedConstant;
import java.util.Optional;

/**
 * A finding about a policy in one respect.
 *
 * @param status True, False or Unknown
 */
record Finding(ConditionType type, String status, String reason, String message) {

    static Finding isTrue(ConditionType type, String reason, String message) {
        return new Finding(type, "True", reason, message);
    }

    static Finding isFalse(ConditionType type, String reason, String message) {
        return new Finding(type, "False", reason, message);
    }

    static Finding unknown(ConditionType type, String reason, String message) {
        return new Finding(type, "Unknown", reason, message);
    }

    /** The conditions of policies, in the order in which they are written. */
    enum ConditionType implements NamedConstant {
        /** It can be kept at all. */
        ACCEPTED("PolicyInvalid", "PolicyAccepted"),
        /** Its pods on nodes keep it. */
        SATISFIED("PolicyViolated", "PolicySatisfied"),
        /** Its pods can be placed as it asks. */
        SATISFIABLE("PolicyUnsatisfiable", "PolicySatisfiable"),
        /** Its pods wait for all domains that count: each that they need not wait for is told by itself. */
        STRICT("", ""),
        /** Cluster autoscalers know of it: they never do, which is no news. */
        SEEN_BY_AUTOSCALER("", "");

        private final String eventWhenFalse;
        private final String eventWhenTrue;

        ConditionType(String eventWhenFalse, String eventWhenTrue) {
            this.eventWhenFalse = eventWhenFalse;
            this.eventWhenTrue = eventWhenTrue;
        }

        /** The reason of the event that it has become False, or is True again; empty where no event tells of it. */
        Optional<String> event(boolean isFalse) {
            return Optional.of(isFalse ? eventWhenFalse : eventWhenTrue).filter(reason -> !reason.isEmpty());
        }
    }
}
