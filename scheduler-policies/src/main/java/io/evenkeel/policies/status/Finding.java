package io.evenkeel.policies.status;

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
}
