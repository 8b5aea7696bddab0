package io.evenkeel.app.policy;

import io.evenkeel.app.companion.Settling;
import io.evenkeel.app.companion.Times;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.framework.cycle.Diagnosis;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.RelaxedDomain;
import io.evenkeel.plugins.placementpolicy.reading.AwaitedRule;
import io.evenkeel.plugins.placementpolicy.reading.ReadablePolicy;
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
 * node would have taken them in all that time. Once a node there would take one for as long again, they are waited for anew; a node
 * that comes and goes meanwhile changes nothing.
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

    /** What has come without a time counts from now on. */
    private RelaxedDomain timed(RelaxedDomain domain) {
        return domain.since().isEmpty()
                ? new RelaxedDomain(
                        domain.topologyKey(), domain.domain(), domain.reason(), ApiTime.seconds(times.at(times.now())))
                : domain;
    }

    private static Settling settling(Duration patience, boolean counts) {
        return new Settling(patience.toNanos(), counts);
    }

    /** Those of now. */
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

    /**
     * Looks at what has become of the domains.
     *
     * @param isWaiting whether this pod waits for a node, and is not only like those that might
     */
    List<Turn> look(ReadablePolicy policy, PodInfo pod, Diagnosis diagnosis, boolean isWaiting) {
        List<Turn> turns = new ArrayList<>();
        if (diagnosis.preFilter().isPresent()) {
            return turns;
        }
        Obstacles obstacles = new Obstacles(diagnosis);
        Set<Place> seen = new HashSet<>();
        for (AwaitedRule rule : policy.awaitedRules(pod)) {
            look(rule, obstacles, isWaiting, seen, turns);
        }
        states.entrySet().removeIf(each -> {
            boolean isOver = !seen.contains(each.getKey());
            if (isOver) {
                end(each.getValue(), turns);
            }
            return isOver;
        });
        return turns;
    }

    /** Those that are neither relaxed nor about to be are not among the seen, and are forgotten. */
    private void look(AwaitedRule rule, Obstacles obstacles, boolean isWaiting, Set<Place> seen, List<Turn> turns) {
        int enough = fewestThatTakesIt(rule, obstacles) + 1 - rule.maxSkew();
        for (AwaitedRule.Domain domain : rule.domains()) {
            Place place = new Place(rule.topologyKey(), domain.name());
            String obstacle = obstacles.in(domain.nodes()).orElse("");
            boolean isInTheWay = isWaiting && domain.pods() < enough && !obstacle.isEmpty();
            if (isInTheWay && states.size() < PolicyStatus.MOST_DOMAINS) {
                states.computeIfAbsent(place, _ -> new State(settling(rule.patience(), false), Optional.empty()));
            }
            Optional.ofNullable(states.get(place)).ifPresent(state -> {
                boolean holds = state.settling.counts() ? !obstacle.isEmpty() : isInTheWay;
                note(state, place, holds, obstacle, turns);
                if (!state.settling.isAtRest()) {
                    seen.add(place);
                }
            });
        }
    }

    /** Where no domain takes the pod, it is not this rule that keeps it waiting. */
    private static int fewestThatTakesIt(AwaitedRule rule, Obstacles obstacles) {
        return rule.domains().stream()
                .filter(domain -> obstacles.in(domain.nodes()).isEmpty())
                .mapToInt(AwaitedRule.Domain::pods)
                .min()
                .orElse(Integer.MIN_VALUE / 2);
    }

    private void note(State state, Place place, boolean holds, String obstacle, List<Turn> turns) {
        switch (state.settling.note(holds, times.now())) {
            case BEGAN -> {
                String since = ApiTime.seconds(times.at(state.settling.begunAt()));
                RelaxedDomain domain = new RelaxedDomain(place.topologyKey(), place.domain(), obstacle, since);
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
