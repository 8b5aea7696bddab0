package io.evenkeel.cluster.shape;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.Pick;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.Taint;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.Toleration;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TolerationsTest {
    private final Pick pick = new Pick(new SplittableRandom(1));

    private Toleration toleration() {
        return new Toleration(
                pick.of("k", "m", ""),
                pick.of(Toleration.Operator.values()),
                pick.of("1", "2"),
                pick.oneIn(2) ? Optional.empty() : Optional.of(pick.of(TaintEffect.values())));
    }

    private Taint taint() {
        return new Taint(pick.of("k", "m"), pick.of("1", "2"), pick.of(TaintEffect.values()));
    }

    @ParameterizedTest(name = "comparison operators: {0}")
    @ValueSource(booleans = {false, true})
    void aNodeIsOpenWhereEachTaintThatKeepsPodsAwayMeetsATolerationThatCounts(boolean comparisonsCount) {
        FeatureGates gates = FeatureGates.with(Map.of("TaintTolerationComparisonOperators", comparisonsCount));
        for (int i = 0; i < 2_000; i++) {
            PodBuilder builder = PodBuilder.pod("p");
            pick.some(3, this::toleration).forEach(builder::toleration);
            Pod pod = builder.build();
            List<Taint> taints = pick.some(3, this::taint);
            NodeBuilder node = NodeBuilder.node("n");
            taints.forEach(node::taint);
            List<Toleration> counting = pod.spec().tolerations().stream()
                    .filter(toleration -> comparisonsCount || !toleration.compares())
                    .toList();

            Tolerations tolerations = Tolerations.of(pod, gates);

            assertThat(tolerations.all()).isEqualTo(counting);
            assertThat(taints)
                    .allSatisfy(taint -> assertThat(tolerations.tolerate(taint)).isEqualTo(meets(counting, taint)));
            Node tainted = node.build();
            assertThat(tolerations.admitTo(tainted))
                    .as("%s to %s", counting, tainted)
                    .isEqualTo(taints.stream()
                            .allMatch(taint ->
                                    taint.effect() == TaintEffect.PREFER_NO_SCHEDULE || meets(counting, taint)));
        }
    }

    private static boolean meets(List<Toleration> tolerations, Taint taint) {
        return tolerations.stream().anyMatch(toleration -> toleration.tolerates(taint));
    }
}
