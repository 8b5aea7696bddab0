package io.evenkeel.model.policy;

/** Which part of a policy's pods a domain gets: its weight of the sum of all weights. */
public record DomainWeight(String domain, int weight) {}
