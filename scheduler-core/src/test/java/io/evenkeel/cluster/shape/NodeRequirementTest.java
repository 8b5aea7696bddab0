package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Node;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeAffinity.PreferredSchedulingTerm;
import io.evenkeel.model.constraint.NodeSelector;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeRequirementTest {
    private static final NodeSelectorTerm FAST = new NodeSelectorTerm(
            List.of(new NodeSelectorRequirement("disk", NodeSelectorRequirement.Operator.IN, List.of("fast"))),
            List.of());
    private static final List<Node> NODES = List.of(
            NodeBuilder.node("plain").build(),
            NodeBuilder.node("fast").label("disk", "fast").build(),
            NodeBuilder.node("slow").label("disk", "slow").label("zone", "a").build(),
            NodeBuilder.node("both").label("disk", "fast").label("zone", "a").build());

    @ParameterizedTest
    @CsvSource({
        "false, false, plain fast slow both",
        "true, false, slow both",
        "false, true, fast both",
        "true, true, both"
    })
    void selectorAndAffinityMustBothHoldAndPreferencesNeed(boolean selects, boolean requires, String names) {
        Labels selector = selects ? Labels.of("zone", "a") : Labels.EMPTY;
        Optional<NodeSelector> required = requires ? Optional.of(new NodeSelector(List.of(FAST))) : Optional.empty();
        NodeRequirement strict = new NodeRequirement(selector, new NodeAffinity(required, List.of()));
        NodeRequirement preferring = new NodeRequirement(
                selector, new NodeAffinity(required, List.of(new PreferredSchedulingTerm(1, FAST))));

        assertThat(NODES.stream().filter(strict::matches).map(Node::name)).containsExactly(names.split(" ", -1));
        assertThat(NODES.stream().filter(preferring::matches).map(Node::name)).containsExactly(names.split(" ", -1));
        assertThat(strict.isUnrestricted()).isEqualTo(!selects && !requires);
        assertThat(preferring.isUnrestricted()).isEqualTo(strict.isUnrestricted());
        assertThat(preferring.withoutPreferences()).isEqualTo(strict).isEqualTo(strict.withoutPreferences());
    }
}
