package io.evenkeel.plugins;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.shape.FiledTerms;
import io.evenkeel.cluster.shape.NodeRequirement;
import io.evenkeel.framework.cycle.NormalizedColumn;
import io.evenkeel.model.Node;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.NameForm;
import io.evenkeel.model.value.WholeNumber;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A pod's node selector and node affinity as a mask of the nodes that match and a column of what each is worth; what
 * the pod does not ask for is not kept.
 *
 * <p>A requirement that names its nodes has no mask: only those can match, so they are looked at each time. Every pod
 * of a DaemonSet has such a requirement of its own, and a mask over all nodes would be worked out to be read once.
 */
final class CompiledAffinity {
    private final ClusterView cluster;
    private final NodeRequirement requirement;
    private final Optional<Set<String>> named;
    private final @Nullable DerivedMask matching;
    private final @Nullable NormalizedColumn preferred;
    private final Optional<String> fault;
    private final NodeSet matchingNamed = new NodeSet();

    /** @param added preferences that hold besides the pod's own */
    CompiledAffinity(ClusterView cluster, NodeRequirement requirement, List<PreferredSchedulingTerm> added) {
        this.cluster = cluster;
        this.requirement = requirement;
        this.named = NameNarrowing.of(requirement.affinity());
        this.matching = requirement.isUnrestricted() || named.isPresent() ? null : mask(cluster, requirement);
        this.fault = PreferenceFaults.of(requirement.affinity().preferred());
        List<PreferredSchedulingTerm> terms = Stream.concat(added.stream(), requirement.affinity().preferred().stream())
                .filter(term -> term.weight() != 0 && !term.preference().isEmpty())
                .toList();
        this.preferred = terms.isEmpty()
                ? null
                : new NormalizedColumn(cluster.derivations().columnOverNodes(worth(cluster, terms)), false);
    }

    private static DerivedMask mask(ClusterView cluster, NodeRequirement requirement) {
        Predicate<Node> matcher = requirement.matcher(cluster.work());
        return cluster.derivations()
                .maskOverNodes(node -> matcher.test(cluster.nodes().node(node)));
    }

    private static IntUnaryOperator worth(ClusterView cluster, List<PreferredSchedulingTerm> terms) {
        if (terms.size() <= NodeRequirement.FEW_TERMS) {
            return node -> worth(terms, cluster.nodes().node(node));
        }
        FiledTerms filed = new FiledTerms(
                terms.stream().map(PreferredSchedulingTerm::preference).toList(),
                terms.stream().mapToInt(PreferredSchedulingTerm::weight).toArray(),
                cluster.work());
        return node -> filed.worth(
                cluster.nodes().node(node).labels(), cluster.nodes().node(node).name());
    }

    boolean isUnrestricted() {
        return requirement.isUnrestricted();
    }

    /** The only nodes that can match, where the requirement names them. */
    Optional<Set<String>> named() {
        return named;
    }

    /** The nodes that match; valid until the next call and until the cluster changes. */
    NodeSetView matching() {
        return matching != null ? matching.current() : matchingNamed();
    }

    /** Returns the fault in the pod's preferences. */
    Optional<String> fault() {
        return fault;
    }

    Optional<NormalizedColumn> preferred() {
        return Optional.ofNullable(preferred);
    }

    void discard() {
        if (matching != null) {
            cluster.derivations().drop(matching);
        }
        if (preferred != null) {
            cluster.derivations().drop(preferred.raw());
        }
    }

    private NodeSet matchingNamed() {
        matchingNamed.clear();
        for (String name : named.orElse(Set.of())) {
            int node = cluster.nodes().findPresent(name);
            if (node >= 0 && requirement.matches(cluster.nodes().node(node))) {
                matchingNamed.add(node);
            }
        }
        return matchingNamed;
    }

    private static int worth(List<PreferredSchedulingTerm> terms, Node node) {
        int worth = 0;
        for (int i = 0; i < terms.size(); i++) {
            if (terms.get(i).preference().matches(node.labels(), node.name())) {
                worth += terms.get(i).weight();
            }
        }
        return worth;
    }

    /** The nodes that a required node affinity names. DaemonSet pods are placed that way, one name each. */
    private static final class NameNarrowing {
        private NameNarrowing() {}

        /**
         * The names that come into question: in each term what all of its {@code metadata.name In} have in common, over the
         * terms their union. Empty where some term names nothing, for any node may match that one, and where there is no
         * term at all.
         */
        static Optional<Set<String>> of(NodeAffinity affinity) {
            List<NodeSelectorTerm> terms =
                    affinity.required().map(required -> required.terms()).orElse(List.of());
            Set<String> names = new TreeSet<>();
            for (NodeSelectorTerm term : terms) {
                Optional<Set<String>> named = namedBy(term);
                if (named.isEmpty()) {
                    return Optional.empty();
                }
                names.addAll(named.get());
            }
            return terms.isEmpty() ? Optional.empty() : Optional.of(names);
        }

        private static Optional<Set<String>> namedBy(NodeSelectorTerm term) {
            Optional<Set<String>> common = Optional.empty();
            for (NodeSelectorRequirement field : term.matchFields()) {
                if (field.key().equals(NodeSelectorTerm.NAME_FIELD)
                        && field.operator() == NodeSelectorRequirement.Operator.IN) {
                    Set<String> names = new TreeSet<>(field.values());
                    common.ifPresent(names::retainAll);
                    common = Optional.of(names);
                }
            }
            return common;
        }
    }

    /**
     * Faults in a pod's preferred node affinity, in the reference's words: it fails such a pod where it would score
     * nodes. A required term that cannot be read matches no node.
     */
    static final class PreferenceFaults {
        private static final String NOT_A_VALUE =
                "a valid label must be an empty string or consist of alphanumeric characters,"
                        + " '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',"
                        + "  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
        private static final String TOO_LONG = "must be no more than " + NameForm.LONGEST_NAME + " bytes";

        private final Set<String> faults = new LinkedHashSet<>();

        private PreferenceFaults() {}

        /** All of them; empty where there are none. */
        static Optional<String> of(List<PreferredSchedulingTerm> preferred) {
            PreferenceFaults found = new PreferenceFaults();
            for (int i = 0; i < preferred.size(); i++) {
                PreferredSchedulingTerm term = preferred.get(i);
                if (term.weight() != 0) {
                    found.inLabels(
                            "[" + i + "].matchExpressions", term.preference().matchExpressions());
                    found.inFields("[" + i + "].matchFields", term.preference().matchFields());
                }
            }
            return switch (found.faults.size()) {
                case 0 -> Optional.empty();
                case 1 -> Optional.of(found.faults.iterator().next());
                default -> Optional.of("[" + String.join(", ", found.faults) + "]");
            };
        }

        private void inLabels(String path, List<NodeSelectorRequirement> requirements) {
            for (int i = 0; i < requirements.size(); i++) {
                inLabels(path + "[" + i + "]", requirements.get(i));
            }
        }

        private void inLabels(String path, NodeSelectorRequirement requirement) {
            List<String> values = requirement.values();
            if (!NameForm.isLabelKey(requirement.key())) {
                add(path + ".key", quoted(requirement.key()), "name part must consist of alphanumeric characters");
            }
            switch (requirement.operator()) {
                case IN, NOT_IN -> {
                    if (values.isEmpty()) {
                        add(path + ".values", list(values), "for 'in', 'notin' operators, values set can't be empty");
                    }
                }
                case EXISTS, DOES_NOT_EXIST -> {
                    if (!values.isEmpty()) {
                        add(path + ".values", list(values), "values set must be empty for exists and does not exist");
                    }
                }
                case GT, LT -> {
                    if (values.size() != 1) {
                        add(path + ".values", list(values), "for 'Gt', 'Lt' operators, exactly one value is required");
                    }
                    for (int i = 0; i < values.size(); i++) {
                        if (WholeNumber.parse(values.get(i)).isEmpty()) {
                            String what = "for 'Gt', 'Lt' operators, the value must be an integer";
                            add(path + ".values[" + i + "]", quoted(values.get(i)), what);
                        }
                    }
                }
            }
            for (int i = 0; i < values.size(); i++) {
                String value = values.get(i);
                if (!NameForm.isLabelValue(value)) {
                    add(path + ".values[" + i + "]", quoted(value), String.join("; ", troublesWith(value)));
                }
            }
        }

        private static List<String> troublesWith(String value) {
            List<String> troubles = new ArrayList<>();
            if (value.length() > NameForm.LONGEST_NAME) {
                troubles.add(TOO_LONG);
            }
            if (!value.matches("(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?")) {
                troubles.add(NOT_A_VALUE);
            }
            return troubles;
        }

        private void inFields(String path, List<NodeSelectorRequirement> requirements) {
            for (int i = 0; i < requirements.size(); i++) {
                NodeSelectorRequirement requirement = requirements.get(i);
                switch (requirement.operator()) {
                    case IN, NOT_IN -> {
                        if (requirement.values().size() != 1) {
                            add(path + "[" + i + "].values", list(requirement.values()), "must have one element");
                        }
                    }
                    default ->
                        add(
                                path + "[" + i + "].operator",
                                quoted(requirement.operator().apiName()),
                                "not a valid selector operator");
                }
            }
        }

        private void add(String path, String value, String what) {
            faults.add(path + ": Invalid value: " + value + ": " + what);
        }

        private static String quoted(String text) {
            return '"' + text + '"';
        }

        private static String list(List<String> values) {
            return values.stream().map(PreferenceFaults::quoted).collect(Collectors.joining(", ", "[]string{", "}"));
        }
    }
}
