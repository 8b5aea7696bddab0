package io.evenkeel.policies.scaledown;

import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicyRule.DomainWeight;
import io.evenkeel.policies.Apportionment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What pods cost so that each domain has its share of however many pods are left: the first the most, and so on. */
interface Shares {
    /** Of a pod that is where the rule wants none. */
    int FIRST_TO_GO = Integer.MIN_VALUE;

    /**
     * Returns the cost of the next pod of a domain.
     *
     * @param number from 1 on; each costs no more than the one before
     */
    int cost(String domain, int number);

    static Shares of(PolicyRule rule) {
        return rule.weights().isEmpty() ? new Even(Set.copyOf(rule.mustUse())) : new Weighted(rule.weights());
    }

    /**
     * All domains alike; of those with as many pods, the ones that must be used come last.
     *
     * <pre>{@code
     *              1st  2nd  3rd
     * a, b          -1   -2   -3
     * a, must use   -1   -3   -5
     * b             -2   -4   -6
     * }</pre>
     */
    record Even(Set<String> mustUse) implements Shares {
        @Override
        public int cost(String domain, int number) {
            if (mustUse.isEmpty()) {
                return -number;
            }
            return mustUse.contains(domain) ? 1 - 2 * number : -2 * number;
        }
    }

    /**
     * By weight: as many pods as there are when the domain has its turn.
     *
     * <pre>{@code
     * weights 7 3   1st  2nd  3rd  4th
     * a              -1   -2   -4   -5
     * b              -3   -6  -10  -13
     * }</pre>
     */
    final class Weighted implements Shares {
        /** A domain with a weight next to nothing has its turn late; whether it has one before these does not matter. */
        private static final int MOST_TURNS = 100_000;

        private final List<DomainWeight> weights;
        private final Apportionment apportionment;
        private final int[] seats;
        private final Map<String, List<Integer>> turns = new HashMap<>();
        private int turn;

        Weighted(List<DomainWeight> weights) {
            this.weights = weights.stream().filter(each -> each.weight() > 0).toList();
            this.weights.forEach(each -> turns.put(each.domain(), new ArrayList<>()));
            seats = new int[this.weights.size()];
            apportionment = new Apportionment(
                    this.weights.stream().mapToInt(DomainWeight::weight).toArray());
        }

        @Override
        public int cost(String domain, int number) {
            List<Integer> its = turns.get(domain);
            if (its == null) {
                return FIRST_TO_GO;
            }
            while (its.size() < number && turn < MOST_TURNS) {
                giveASeat();
            }
            return its.size() < number ? FIRST_TO_GO : -its.get(number - 1);
        }

        private void giveASeat() {
            turn++;
            apportionment.measure(seats);
            int party = 0;
            while (!apportionment.isTurnOf(party)) {
                party++;
            }
            seats[party]++;
            turns.getOrDefault(weights.get(party).domain(), List.of()).add(turn);
        }
    }
}
