package io.evenkeel.plugins.placementpolicy.reading;

import io.evenkeel.model.policy.DomainWeight;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The shares that weights fix: each gets at least its share of so many pods rounded down, at most it rounded up. */
record Shares(List<DomainWeight> weights, long pods) {

    /** The domains with shares that are farthest apart, at their nearest. */
    record Gap(String fullest, long most, String emptiest, long fewest) {}

    private long sum() {
        return weights.stream().mapToLong(DomainWeight::weight).sum();
    }

    private long atLeast(DomainWeight part) {
        return pods * part.weight() / sum();
    }

    private long atMost(DomainWeight part) {
        return (pods * part.weight() + sum() - 1) / sum();
    }

    /** How many domains have pods for certain. */
    long needed() {
        return weights.stream().filter(part -> atLeast(part) > 0).count();
    }

    /** Of these domains. */
    Optional<Gap> widest(Predicate<String> some) {
        List<DomainWeight> there =
                weights.stream().filter(part -> some.test(part.domain())).toList();
        return there.stream()
                .max(Comparator.comparingLong(this::atLeast))
                .flatMap(full -> there.stream()
                        .min(Comparator.comparingLong(this::atMost))
                        .map(empty -> new Gap(full.domain(), atLeast(full), empty.domain(), atMost(empty))));
    }
}
