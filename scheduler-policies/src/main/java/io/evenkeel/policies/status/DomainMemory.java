package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Times;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.RememberedDomain;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The domains that the rules of one policy remember: all in which a node is open to its pods, so that the last of them may go at any
 * time, and those without one for as long as the rule says.
 *
 * <pre>{@code
 * rememberDomainsSeconds 3600          a     b     c
 * nodes open to the policy's pods      2     1     1
 * c's goes at 10:00                                gone since 10:00, and counts
 * at 11:00                                         forgotten
 * }</pre>
 */
final class DomainMemory {
    private final Times times;
    /** For how long, by label. */
    private final Map<String, Duration> memories = new TreeMap<>();
    /** The known domains, and since when they are gone, if they are. */
    private final Map<Place, Optional<Instant>> known = new TreeMap<>();

    private boolean isFull;

    /** @param before what was said before, be it by another replica */
    DomainMemory(PolicySpec policy, List<RememberedDomain> before, Times times) {
        this.times = times;
        policy.rules().forEach(this::remember);
        before.stream()
                .filter(one -> memories.containsKey(one.topologyKey()))
                .forEach(one -> known.put(new Place(one.topologyKey(), one.domain()), goneSince(one)));
    }

    /** Of two rules over one label, the one that remembers longer decides. */
    private void remember(PolicyRule rule) {
        rule.terms()
                .rememberDomainsSeconds()
                .ifPresent(seconds -> memories.merge(
                        rule.topologyKey(),
                        Duration.ofSeconds(seconds),
                        (one, other) -> one.compareTo(other) > 0 ? one : other));
    }

    /** A time that cannot be read, or lies ahead, was written by somebody else: the domain counts as gone from now on. */
    private Optional<Instant> goneSince(RememberedDomain domain) {
        if (!domain.isGone()) {
            return Optional.empty();
        }
        Instant now = times.at(times.now());
        try {
            Instant since = Instant.parse(domain.goneSince());
            return Optional.of(since.isAfter(now) ? now : since);
        } catch (DateTimeParseException none) {
            return Optional.of(now);
        }
    }

    List<RememberedDomain> now() {
        return known.entrySet().stream()
                .map(each -> domain(each.getKey(), each.getValue()))
                .toList();
    }

    private static RememberedDomain domain(Place place, Optional<Instant> goneSince) {
        return new RememberedDomain(
                place.topologyKey(),
                place.domain(),
                goneSince.map(ApiTime::seconds).orElse(""));
    }

    /** Whether none is going to be forgotten unless it goes first. */
    boolean isAtRest() {
        return known.values().stream().allMatch(Optional::isEmpty);
    }

    /**
     * Takes in what there is.
     *
     * @param open by label, the domains in which a node is open to the policy's pods; of others nothing is known
     * @return whether from now on some are left out, as there are too many
     */
    boolean see(Map<String, Set<String>> open) {
        Instant now = times.at(times.now());
        known.replaceAll((place, goneSince) -> {
            Set<String> domains = open.get(place.topologyKey());
            if (domains == null) {
                return goneSince;
            }
            return domains.contains(place.domain()) ? Optional.empty() : goneSince.or(() -> Optional.of(now));
        });
        boolean wasFull = isFull;
        isFull = false;
        open.forEach((key, domains) -> domains.forEach(domain -> add(new Place(key, domain))));
        return isFull && !wasFull;
    }

    private void add(Place place) {
        if (known.size() < PolicyStatus.MOST_DOMAINS) {
            known.putIfAbsent(place, Optional.empty());
        } else if (!known.containsKey(place)) {
            isFull = true;
        }
    }

    /** Forgets the domains with their time up, and returns them. */
    List<RememberedDomain> forget() {
        Instant now = times.wall().instant();
        List<RememberedDomain> forgotten = new ArrayList<>();
        known.entrySet().removeIf(each -> {
            Place place = each.getKey();
            Duration memory = memories.getOrDefault(place.topologyKey(), Duration.ZERO);
            boolean isOver = each.getValue()
                    .filter(since -> Duration.between(since, now).compareTo(memory) >= 0)
                    .isPresent();
            if (isOver) {
                forgotten.add(domain(place, each.getValue()));
            }
            return isOver;
        });
        return forgotten;
    }

    /** A domain of a label of nodes. */
    record Place(String topologyKey, String domain) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparing(Place::topologyKey).thenComparing(Place::domain);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }
}
