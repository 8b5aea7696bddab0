package io.evenkeel.plugins;

import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.value.NameForm;
import io.evenkeel.model.value.WholeNumber;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Faults in a pod's preferred node affinity, in the reference's words: it fails such a pod where it would score
 * nodes. A required term that cannot be read matches no node.
 */
final class PreferenceFaults {
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
                found.inLabels("[" + i + "].matchExpressions", term.preference().matchExpressions());
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
