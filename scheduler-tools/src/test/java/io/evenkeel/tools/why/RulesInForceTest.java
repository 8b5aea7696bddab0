package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Service;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.NamespaceCounting;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.testing.OneProfile;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a pod in place that says nothing itself of how it is to be spread, it is said who does. */
class RulesInForceTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final PolicySpec SPREAD = PolicySpec.of(
                    LabelSelector.matchingLabels(Labels.of("app", "web")),
                    List.of(PolicyRule.over(ZONE).withMaxPods(2)))
            .over(LabelSelector.EVERYTHING);

    private static String about(PodBuilder pod, KubernetesObject... more) throws IOException {
        ClusterQuestions questions = new ClusterQuestions(
                OneProfile.with("PlacementPolicy"), InTreePlugins.registry(), Judgement.GUESSED, (_, _) -> {});
        List<KubernetesObject> objects = new ArrayList<>(List.of(more));
        objects.add(NodeBuilder.node("n1")
                .zone("a")
                .hostname("n1")
                .allocatable("cpu", "4", "pods", "10")
                .build());
        objects.add(new Namespace(ObjectMeta.named("", "shop")));
        objects.add(PodBuilder.pod("other", "web")
                .uid("other")
                .label("app", "web")
                .nodeName("n1")
                .build());
        objects.add(pod.build());
        questions.tell(objects);
        return questions
                .about(pod.build().key(), Requester.OPERATOR)
                .orElseThrow()
                .wide(Layout.of(80))
                .replaceAll("\\s+", " ");
    }

    private static PodBuilder pod() {
        return PodBuilder.pod("shop", "web").uid("web").label("app", "web").nodeName("n1");
    }

    @Test
    void aPolicyWithWhatItCounts() throws IOException {
        assertThat(about(pod(), new ClusterPlacementPolicy(ObjectMeta.named("", "default"), SPREAD)))
                .contains("By which rules it is placed"
                        + " PlacementPolicy: ClusterPlacementPolicy default is about pods with app=web of all namespaces,"
                        + " which count together"
                        + " PlacementPolicy: ClusterPlacementPolicy default: maxPods 2 over " + ZONE + ": a 1");
        assertThat(about(
                        pod(),
                        new ClusterPlacementPolicy(
                                ObjectMeta.named("", "default"), SPREAD.with(NamespaceCounting.SEPARATELY))))
                .contains("each of which counts for itself")
                .contains("maxPods 2 over " + ZONE + ": none");
    }

    @Test
    void constraintsAndWhetherTheyAreTheProfiles() throws IOException {
        String hosts = "PodTopologySpread: maxSkew 3 over kubernetes.io/hostname for pods with app=web, a preference";
        assertThat(about(pod(), new Service(ObjectMeta.named("shop", "web"), Labels.of("app", "web"))))
                .contains(hosts + ", by default of the profile")
                .contains("maxSkew 5 over " + ZONE);
        assertThat(about(pod())).doesNotContain("By which rules");
        assertThat(about(pod().spread(TopologySpreadConstraint.of(
                        1,
                        ZONE,
                        WhenUnsatisfiable.DO_NOT_SCHEDULE,
                        LabelSelector.matchingLabels(Labels.of("app", "web"))))))
                .contains("PodTopologySpread: maxSkew 1 over " + ZONE);
    }
}
