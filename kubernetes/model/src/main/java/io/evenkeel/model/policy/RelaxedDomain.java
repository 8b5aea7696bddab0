package io.evenkeel.model.policy;

/**
 * A domain for which pods need not wait: the policy's status says so while nothing there has room for them.
 *
 * @param reason a word for why, such as NoRoom
 * @param since when that was found, as RFC 3339 has it
 */
public record RelaxedDomain(String topologyKey, String domain, String reason, String since) {}
