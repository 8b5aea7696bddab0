package io.evenkeel.model.policy;

/**
 * A condition of a policy.
 *
 * @param type such as Satisfied
 * @param status True, False or Unknown
 * @param observedGeneration the policy's generation that it speaks of; 0 where unknown
 * @param lastTransitionTime when the status last changed, as the API writes it; empty where unknown
 */
public record PolicyCondition(
        String type, String status, long observedGeneration, String lastTransitionTime, String reason, String message) {

    public boolean isFalse() {
        return status.equals("False");
    }
}
