package io.evenkeel.policies;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.cluster.ClusterState;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.ClusterPlacementPolicy;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelRequirement.Operator;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** No more than sixteen policies hold for a pod, and which do is found once for all that are alike to them. */
class ManyPoliciesTest {
    private static final LabelSelector WEB = LabelSelector.matchingLabels(Labels.of("app", "web"));

    private final ClusterState cluster = new ClusterState();
    private final PolicyBook book = PolicyBook.of(cluster.view());
    private final Pod pod =
            PodBuilder.pod("p").namespace("shop").label("app", "web").build();

    @BeforeEach
    void twentyAreAboutThePod() {
        cluster.put(new Namespace(ObjectMeta.named("", "shop")));
        IntStream.range(0, 20).forEach(i -> cluster.put(own(i)));
    }

    @Test
    void firstSixteenByNameHold() {
        assertThat(names(book.governing(pod))).isEqualTo(own(0, 16));
        assertThat(names(book.leftOut(pod))).isEqualTo(own(16, 20));
    }

    @Test
    void thoseOfTheClusterComeFirst() {
        cluster.put(wide("zz"));
        List<String> holding = new ArrayList<>(own(0, 15));
        holding.add("ClusterPlacementPolicy zz");
        assertThat(names(book.governing(pod))).isEqualTo(holding);
    }

    @Test
    void oneThatIsLeftOutTellsOfAPodAndHoldsOnceAnotherGoes() {
        BoundPolicy seventeenth = policy("PlacementPolicy own-16");
        assertThat(seventeenth.leftOut()).isEmpty();
        book.governing(pod);
        assertThat(seventeenth.leftOut()).contains("shop/p");
        long before = seventeenth.leavings();

        cluster.remove(own(3));
        assertThat(seventeenth.leavings()).isNotEqualTo(before);
        assertThat(names(book.governing(pod)))
                .contains("PlacementPolicy own-16")
                .doesNotContain("PlacementPolicy own-03");
        assertThat(seventeenth.leftOut()).isEmpty();
    }

    @Test
    void podsThatPoliciesDoNotTellApartHaveTheSameList() {
        Pod alike = PodBuilder.pod("q")
                .namespace("shop")
                .label("app", "web")
                .label("pod", "q")
                .build();
        Pod other = PodBuilder.pod("r").namespace("shop").label("app", "db").build();
        assertThat(book.governing(alike)).isSameAs(book.governing(pod));
        assertThat(book.governing(other)).isEmpty();
    }

    @Test
    void goingThroughAllPoliciesIsWorkOfTheFirstPodAlone() {
        book.governing(pod);
        long before = cluster.view().work().units();
        IntStream.range(0, 1_000)
                .forEach(i -> book.governing(
                        PodBuilder.from(pod).name("p" + i).label("pod", "p" + i).build()));
        assertThat(cluster.view().work().units()).isEqualTo(before);
    }

    @Test
    void namespaceThatChangesHasOthers() {
        cluster.put(wide("zz"));
        assertThat(names(book.governing(pod))).contains("ClusterPlacementPolicy zz");
        cluster.put(new Namespace(ObjectMeta.named("", "shop").withLabels(Labels.of("exempt", "yes"))));
        assertThat(names(book.governing(pod))).doesNotContain("ClusterPlacementPolicy zz");
    }

    private BoundPolicy policy(String name) {
        return book.all().stream()
                .filter(policy -> policy.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> own(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> "PlacementPolicy " + name(i))
                .sorted()
                .toList();
    }

    private static String name(int index) {
        return "own-" + (index < 10 ? "0" : "") + index;
    }

    private static PlacementPolicy own(int index) {
        return new PlacementPolicy(ObjectMeta.named("shop", name(index)), spec());
    }

    private static ClusterPlacementPolicy wide(String name) {
        return new ClusterPlacementPolicy(
                ObjectMeta.named("", name),
                spec().over(LabelSelector.of(
                        List.of(new LabelRequirement("exempt", Operator.DOES_NOT_EXIST, List.of())))));
    }

    private static PolicySpec spec() {
        return PolicySpec.of(WEB, List.of(PolicyRule.over("zone").withMaxPods(100)));
    }

    private static List<String> names(List<BoundPolicy> policies) {
        return policies.stream().map(BoundPolicy::name).toList();
    }
}
