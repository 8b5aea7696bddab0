package io.evenkeel.app.policy;

import java.util.Optional;

/** The conditions of policies, in the order in which they are written. */
enum ConditionType {
    /** It can be kept at all. */
    ACCEPTED("Accepted", Optional.of(new Told("PolicyInvalid", "PolicyAccepted"))),
    /** Its pods on nodes keep it. */
    SATISFIED("Satisfied", Optional.of(new Told("PolicyViolated", "PolicySatisfied"))),
    /** Its pods can be placed as it asks. */
    SATISFIABLE("Satisfiable", Optional.of(new Told("PolicyUnsatisfiable", "PolicySatisfiable"))),
    /** Cluster autoscalers know of it. */
    SEEN_BY_AUTOSCALER("SeenByAutoscaler", Optional.empty());

    /**
     * The reasons of the events that tell of it.
     *
     * @param no when it becomes False
     * @param yes when it is True again
     */
    record Told(String no, String yes) {}

    private final String apiName;
    private final Optional<Told> told;

    ConditionType(String apiName, Optional<Told> told) {
        this.apiName = apiName;
        this.told = told;
    }

    String apiName() {
        return apiName;
    }

    /** Empty where no event tells of it. */
    Optional<Told> told() {
        return told;
    }
}
