package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.Times.Settling;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.RelaxedDomain;
import io.evenkeel.policies.ReadablePolicy;
import io.evenkeel.policies.status.DomainMemory.Place;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The domains of one policy for which pods need not wait: those that have kept pods waiting for as long as its rule says, and in which no
 * node would have taken them in all that time. Once a node there would take one for as long again, pods wait for the domain
 * again; a node that comes and goes meanwhile changes nothing.
 *
 * <pre>{@code
 * maxSkew 1, relaxAfterSeconds 60       zone   a   b   c
 * pods                                         1   1   0, whose nodes are full
 * a pod waits for c, and after 60 s: c is relaxed
 * pods, of 9                                   5   4   0
 * c gets a node, and after 60 s: not relaxed any more; what comes next goes to c
 * }</pre>
 */
final class Relaxations {
    private final Times times;
    private final Map<Place, State> states = new TreeMap<>();

    private static final class State {
        private final Settling settling;
        private Optional<RelaxedDomain> relaxed;

        State(Settling settling, Optional<RelaxedDomain> relaxed) {
            this.settling = settling;
            this.relaxed = relaxed;
        }
    }

    /** A change of one domain, to be told. */
    record Turn(RelaxedDomain domain, boolean isRelaxed) {}

    /** @param before what was said before, be it by another replica */
    Relaxations(ReadablePolicy policy, List<RelaxedDomain> before, Times times) {
        this.times = times;
        policy.policy().spec().rules().stream()
                .filter(rule -> rule.terms().relaxAfterSeconds().isPresent())
                .forEach(rule -> before.stream()
                        .filter(domain -> domain.topologyKey().equals(rule.topologyKey()))
                        .forEach(domain -> states.put(
                                new Place(domain.topologyKey(), domain.domain()),
                                new State(
                                        settling(
                                                Duration.ofSeconds(rule.terms()
                                                        .relaxAfterSeconds()
                                                        .getAsInt()),
                                                true),
                                        Optional.of(timed(domain))))));
    }

    /** A relaxed domain that was written without a time counts from now on. */
    private RelaxedDomain timed(RelaxedDomain domain) {
        return domain.since().isEmpty()
                ? new RelaxedDomain(
                        domain.topologyKey(), domain.domain(), domain.reason(), ApiTime.seconds(times.at(times.now())))
                : domain;
    }

    private static Settling settling(Duration patience, boolean counts) {
        return new Settling(patience.toNanos(), counts);
    }

    List<RelaxedDomain> now() {
        return states.values().stream().flatMap(state -> state.relaxed.stream()).toList();
    }

    /** Whether there is something to look at even where no pod waits. */
    boolean isEmpty() {
        return states.isEmpty();
    }

    /** There is no pod any more that any of them could be for. */
    List<Turn> end() {
        List<Turn> turns = now().stream().map(domain -> new Turn(domain, false)).toList();
        states.clear();
        return turns;
    }

    /** Whether a sight of this domain says anything. */
    boolean areAbout(DomainView sight) {
        return sight.isInTheWay() || states.containsKey(sight.place());
    }

    /** Goes by what pods see now. */
    List<Turn> look(List<DomainView> sights) {
        List<Turn> turns = new ArrayList<>();
        Set<Place> seen = new HashSet<>();
        sights.forEach(sight -> look(sight, seen, turns));
        states.entrySet().removeIf(each -> !seen.contains(each.getKey()) && isOver(each.getValue(), turns));
        return turns;
    }

    /** A relaxed domain that does not count any more, such as one that is cordoned again, may do so the next moment. */
    private boolean isOver(State state, List<Turn> turns) {
        if (state.settling.isInEffect() && state.settling.note(false, times.now()) == Settling.News.ENDED) {
            end(state, turns);
        }
        return !state.settling.isInEffect();
    }

    /** Forgets domains that are neither relaxed nor about to be: they are not among the seen. */
    private void look(DomainView sight, Set<Place> seen, List<Turn> turns) {
        if (sight.isInTheWay() && states.size() < PolicyStatus.MOST_DOMAINS) {
            states.computeIfAbsent(sight.place(), _ -> new State(settling(sight.patience(), false), Optional.empty()));
        }
        Optional.ofNullable(states.get(sight.place())).ifPresent(state -> {
            boolean holds = state.settling.isInEffect() ? sight.isToBeRelaxed() : sight.isInTheWay();
            note(state, sight, holds, turns);
            if (!state.settling.isOver()) {
                seen.add(sight.place());
            }
        });
    }

    private void note(State state, DomainView sight, boolean holds, List<Turn> turns) {
        switch (state.settling.note(holds, times.now())) {
            case BEGAN -> {
                String since = ApiTime.seconds(times.at(state.settling.begunAt()));
                RelaxedDomain domain = new RelaxedDomain(
                        sight.place().topologyKey(), sight.place().domain(), sight.obstacle(), since);
                state.relaxed = Optional.of(domain);
                turns.add(new Turn(domain, true));
            }
            case ENDED -> end(state, turns);
            case NONE -> {}
        }
    }

    private static void end(State state, List<Turn> turns) {
        state.relaxed.ifPresent(domain -> turns.add(new Turn(domain, false)));
        state.relaxed = Optional.empty();
    }
}
