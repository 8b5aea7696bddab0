package io.evenkeel.cluster.counting;

import java.util.ArrayList;
import java.util.List;

/** The carried terms of some affinity rules, each with the weight that a pod adds to it, and how many pods have the rules. */
final class TermUse {
    private record Weighted(CarriedTerm term, int weight) {}

    private final List<Weighted> terms = new ArrayList<>();
    final long number;
    int pods;

    /** Of no terms yet; the number says whether it was made before another. */
    TermUse(long number) {
        this.number = number;
    }

    void add(CarriedTerm term, int weight) {
        terms.add(new Weighted(term, weight));
    }

    List<CarriedTerm> terms() {
        return terms.stream().map(Weighted::term).toList();
    }

    /** The terms that a rule names twice count twice. */
    int weightOf(CarriedTerm term) {
        int sum = 0;
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).term.equals(term)) {
                sum += terms.get(i).weight;
            }
        }
        return sum;
    }

    void podPlaced(int node) {
        pods++;
        for (Weighted weighted : terms) {
            weighted.term.counter().tally().add(node, weighted.weight);
        }
    }

    void podRemoved(int node) {
        pods--;
        for (Weighted weighted : terms) {
            weighted.term.counter().tally().add(node, -weighted.weight);
        }
    }
}
