package io.evenkeel.plugins;

import static io.evenkeel.plugins.Terms.field;
import static io.evenkeel.plugins.Terms.in;
import static io.evenkeel.plugins.Terms.term;
import static io.evenkeel.plugins.Terms.worth;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorRequirement.Operator;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.plugins.CompiledAffinity.PreferenceFaults;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A pod that prefers nodes by what no label can be fails, in the reference's words. */
class PreferenceFaultsTest {
    @Test
    void whatALabelCanBeIsNoFault() {
        assertThat(PreferenceFaults.of(List.of(
                        worth(1, term(in("disk", "ssd", ""))),
                        worth(1, term(requirement(Operator.NOT_IN, "7"), requirement(Operator.EXISTS))),
                        worth(1, term(requirement(Operator.GT, "007"), requirement(Operator.DOES_NOT_EXIST))),
                        worth(1, new NodeSelectorTerm(List.of(), List.of(field(Operator.NOT_IN, "n")))),
                        worth(1, term()))))
                .isEmpty();
    }

    @Test
    void aValueThatNoLabelHasIsOne() {
        assertThat(PreferenceFaults.of(List.of(worth(1, term(in("disk", "ssd"))), worth(1, term(in("disk", "a b"))))))
                .contains("[1].matchExpressions[0].values[0]: Invalid value: \"a b\": a valid label must be an empty"
                        + " string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with"
                        + " an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for"
                        + " validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
    }

    @Test
    void eachIsToldAndATermWithoutWeightIsPassedOver() {
        PreferredSchedulingTerm bad = worth(1, term(requirement(Operator.GT, "x"), in("disk")));

        assertThat(PreferenceFaults.of(List.of(worth(0, term(in("disk", "a b"))), bad)))
                .contains(
                        "[[1].matchExpressions[0].values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value"
                                + " must be an integer, [1].matchExpressions[1].values: Invalid value: []string{}: for 'in',"
                                + " 'notin' operators, values set can't be empty]");
    }

    private static NodeSelectorRequirement requirement(Operator operator, String... values) {
        return new NodeSelectorRequirement("disk", operator, List.of(values));
    }
}
