package io.evenkeel.cluster.shape;

import io.evenkeel.cluster.index.Work;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Terms by what a node has to have for them, so that of thousands each node is compared with those few that it may match. For one
 * thread.
 *
 * <p>A term that asks for something is filed by one label or name that it asks for. One that only rules out matches every node but
 * those that have what it rules out, by which it is filed. Few are neither, and are looked at for each node.
 *
 * <pre>
 * 0  zone in (a, b), disk in (ssd)    if zone=a, if zone=b        a node with zone=a arch=arm is compared with 0, and refutes 2;
 * 1  gpu exists                       if gpu                      so it matches 3, as all nodes without old do, and perhaps 0
 * 2  arch not in (arm)                unless arch=arm
 * 3  old does not exist               unless old
 * </pre>
 */
public final class FiledTerms {
    private final List<NodeSelectorTerm> terms;
    private final int[] weights;
    private final Work work;
    private final Map<String, OfKey> byKey = new HashMap<>();
    private final Map<String, List<Integer>> byName = new HashMap<>();
    private final List<Integer> others = new ArrayList<>();
    private final BitSet refuted = new BitSet();
    /** Of all terms that only rule out. */
    private int unlessWorth;

    private static final class OfKey {
        final List<Integer> ifThere = new ArrayList<>(1);
        final List<Integer> unlessThere = new ArrayList<>(1);
        final Map<String, List<Integer>> ifValue = new HashMap<>();
        final Map<String, List<Integer>> unlessValue = new HashMap<>();
    }

    /** @param weights what each term is worth */
    public FiledTerms(List<NodeSelectorTerm> terms, int[] weights, Work work) {
        this.terms = terms;
        this.weights = weights;
        this.work = work;
        work.addOnce(terms.size());
        for (int term = 0; term < terms.size(); term++) {
            file(terms.get(term), term);
        }
    }

    private void file(NodeSelectorTerm term, int number) {
        List<NodeSelectorRequirement> labels = term.matchExpressions();
        Optional<NodeSelectorRequirement> in = first(labels, Operator.IN);
        Optional<NodeSelectorRequirement> there = first(labels, Operator.EXISTS)
                .or(() -> first(labels, Operator.GT))
                .or(() -> first(labels, Operator.LT));
        Optional<NodeSelectorRequirement> name = first(term.matchFields(), Operator.IN);
        if (in.isPresent()) {
            addTo(ofKey(in.get()).ifValue, in.get(), number);
        } else if (there.isPresent()) {
            ofKey(there.get()).ifThere.add(number);
        } else if (name.isPresent()) {
            addTo(byName, name.get(), number);
        } else if (!term.matchFields().isEmpty()) {
            others.add(number);
        } else if (term.matches(Labels.EMPTY, "")) {
            unlessWorth += weights[number];
            for (NodeSelectorRequirement ruledOut : labels) {
                if (ruledOut.operator() == Operator.NOT_IN) {
                    addTo(ofKey(ruledOut).unlessValue, ruledOut, number);
                } else {
                    ofKey(ruledOut).unlessThere.add(number);
                }
            }
        }
    }

    private static Optional<NodeSelectorRequirement> first(List<NodeSelectorRequirement> all, Operator operator) {
        return all.stream().filter(one -> one.operator() == operator).findFirst();
    }

    private OfKey ofKey(NodeSelectorRequirement requirement) {
        return byKey.computeIfAbsent(requirement.key(), _ -> new OfKey());
    }

    private static void addTo(Map<String, List<Integer>> byValue, NodeSelectorRequirement requirement, int number) {
        for (String value : new HashSet<>(requirement.values())) {
            byValue.computeIfAbsent(value, _ -> new ArrayList<>(1)).add(number);
        }
    }

    /** The sum of what those terms are worth that a node matches which has these labels and this name. */
    public int worth(Labels labels, String name) {
        int worth =
                unlessWorth + worth(others, labels, name) + worth(byName.getOrDefault(name, List.of()), labels, name);
        refuted.clear();
        for (int i = 0; i < labels.size(); i++) {
            OfKey filed = byKey.get(labels.keyAt(i));
            if (filed != null) {
                String value = labels.valueAt(i);
                worth += worth(filed.ifThere, labels, name)
                        + worth(filed.ifValue.getOrDefault(value, List.of()), labels, name)
                        - refute(filed.unlessThere)
                        - refute(filed.unlessValue.getOrDefault(value, List.of()));
            }
        }
        return worth;
    }

    private int worth(List<Integer> some, Labels labels, String name) {
        work.addOnce(some.size());
        int worth = 0;
        for (int i = 0; i < some.size(); i++) {
            int term = some.get(i);
            worth += terms.get(term).matches(labels, name) ? weights[term] : 0;
        }
        return worth;
    }

    /** Refutes those not refuted before, and returns their worth. */
    private int refute(List<Integer> some) {
        work.addOnce(some.size());
        int worth = 0;
        for (int i = 0; i < some.size(); i++) {
            int term = some.get(i);
            worth += refuted.get(term) ? 0 : weights[term];
            refuted.set(term);
        }
        return worth;
    }
}
