package io.evenkeel.plugins.preemption;

import io.evenkeel.api.PreemptionCandidate;

/** The cost of the victims that extenders have chosen, by their word. */
record ChosenVictims(PreemptionCandidate candidate) implements Harm {

    @Override
    public long violations() {
        return candidate.violations();
    }

    @Override
    public int victimCount() {
        return candidate.victims().size();
    }

    @Override
    public int highestPriority() {
        return candidate.victims().stream().mapToInt(Victims::priority).max().orElseThrow();
    }

    @Override
    public long prioritySum() {
        return candidate.victims().stream()
                .mapToLong(victim -> Victims.positive(Victims.priority(victim)))
                .sum();
    }

    @Override
    public String earliestStart() {
        int highest = highestPriority();
        return candidate.victims().stream()
                .filter(victim -> Victims.priority(victim) == highest)
                .map(Victims::start)
                .min(String::compareTo)
                .orElseThrow();
    }
}
