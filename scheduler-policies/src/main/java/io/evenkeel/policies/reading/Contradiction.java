package io.evenkeel.policies.reading;

/**
 * Why the pods of a policy cannot all be placed as it asks, whatever becomes of them: for certain, not by a guess.
 *
 * @param reason as a condition has it
 */
public record Contradiction(String reason, String message) {}
