package io.evenkeel.policies.reading;

/**
 * A limit that pods break which are on nodes.
 *
 * @param message which limit over which label, in which domains, by how much
 */
public record Breach(Breakable limit, String topologyKey, String message) {}
