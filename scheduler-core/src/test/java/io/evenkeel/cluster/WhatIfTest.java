package io.evenkeel.cluster;

import static io.evenkeel.cluster.ClusterDrawing.app;
import static io.evenkeel.cluster.ClusterDrawing.cluster;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.cluster.counting.CarriedTerm;
import io.evenkeel.cluster.counting.CountingRoom;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class WhatIfTest {
    private final ClusterState cluster = cluster("a: n1[web db] n2[]", "b: n3[web]");

    private int id(String node) {
        return cluster.view().nodes().find(node);
    }

    private Pod pod(String name) {
        return cluster.view().pods().pod(cluster.view().pods().find("default/" + name));
    }

    private void leavesNoTrace(Consumer<WhatIf> changes) {
        String before = ClusterDump.of(cluster.view());
        try (WhatIf whatIf = cluster.whatIf()) {
            changes.accept(whatIf);
            assertThat(ClusterDump.of(cluster.view())).isNotEqualTo(before);
            assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
        }
        assertThat(ClusterDump.of(cluster.view())).isEqualTo(before);
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void aPodThatIsPlacedCountsUntilItIsTakenBack() {
        leavesNoTrace(whatIf -> {
            whatIf.place(app("new", "web").build(), id("n2"));
            assertThat(cluster.view().nodeInfo(id("n2")).requested("cpu")).isEqualTo(100);
        });
    }

    @Test
    void aPodThatIsRemovedOrMovedComesBackInItsPlace() {
        leavesNoTrace(whatIf -> whatIf.remove(pod("p0")));
        leavesNoTrace(whatIf -> whatIf.remove(pod("p1")).place(pod("p2"), id("n1")));
    }

    @Test
    void thePodsOfANodeKeepTheirOrder() {
        cluster.put(app("p7", "web").nodeName("n1").build());
        var before = cluster.view().nodeInfo(id("n1")).pods();
        try (WhatIf whatIf = cluster.whatIf()) {
            before.forEach(whatIf::remove);
        }

        assertThat(cluster.view().nodeInfo(id("n1")).pods()).isEqualTo(before);
    }

    @Test
    void anAssumedPodIsStillAssumedAfterwards() {
        Pod pending = app("new", "web").build();
        cluster.assume(pending, id("n2"));
        leavesNoTrace(whatIf -> whatIf.remove(pending));
        leavesNoTrace(whatIf -> whatIf.place(pending, id("n3")));

        assertThat(cluster.view().isAssumed("default/new")).isTrue();
    }

    @Test
    void aPodInPlaceThatIsSupposedWhereItIsStaysConfirmed() {
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.place(pod("p0"), id("n1"));
        }

        assertThat(cluster.view().isAssumed("default/p0")).isFalse();
    }

    @Test
    void nodesComeChangeAndGo() {
        leavesNoTrace(whatIf -> whatIf.put(NodeBuilder.node("n4").zone("c").build()));
        leavesNoTrace(whatIf -> whatIf.put(NodeBuilder.node("n1").zone("b").build()));
        leavesNoTrace(whatIf -> whatIf.removeNode("n1"));
        leavesNoTrace(
                whatIf -> whatIf.removeNode("n2").put(NodeBuilder.node("n5").build()));
    }

    @Test
    void anObjectIsAddedAndNoneIsChanged() {
        KubernetesObject added = new CsiNode(ObjectMeta.named("", "n1"), Map.of());
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.add(added);
            assertThat(cluster.view().objects().like(added)).contains(added);
            assertThatThrownBy(() -> whatIf.add(added)).hasMessage("CSINode n1 is none that can be added");
            assertThatThrownBy(() -> whatIf.add(pod("p0"))).hasMessage("Pod default/p0 is none that can be added");
        }
        assertThat(cluster.view().objects().like(added)).isEmpty();
    }

    @Test
    void aPolicyIsChangedIfItIsThere() {
        PlacementPolicy there = new PlacementPolicy(ObjectMeta.named("default", "web"), PolicySpec.NONE);
        PlacementPolicy changed =
                there.with(PolicySpec.NONE.with(List.of(PolicyRule.over("zone").withMaxPods(2))));
        cluster.put(there);
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.change(changed);
            assertThat(cluster.view().objects().like(there)).contains(changed);
            assertThatThrownBy(() ->
                            whatIf.change(new PlacementPolicy(ObjectMeta.named("default", "db"), PolicySpec.NONE)))
                    .hasMessage("PlacementPolicy default/db is not there");
        }
        assertThat(cluster.view().objects().like(there)).contains(there);
    }

    @Test
    void changesFollowEachOther() {
        leavesNoTrace(whatIf -> whatIf.put(NodeBuilder.node("n4").build())
                .removeNode("n1")
                .remove(pod("p2"))
                .place(pod("p0"), id("n4"))
                .put(NodeBuilder.node("n1").build()));
    }

    @Test
    void aPodOfANodeThatIsNotThereCanBeSupposedElsewhere() {
        cluster.put(app("lost", "web").nodeName("unknown").build());

        leavesNoTrace(whatIf -> whatIf.place(pod("lost"), id("n1")));
        leavesNoTrace(whatIf ->
                whatIf.remove(pod("lost")).put(NodeBuilder.node("takes-its-row").build()));
    }

    @Test
    void imagesKeepTheSizeThatWasSeenFirst() {
        cluster.put(NodeBuilder.node("n1").image(7, "web").build());
        cluster.put(NodeBuilder.node("n2").image(9, "web").build());
        cluster.put(NodeBuilder.node("n1").build());

        leavesNoTrace(whatIf -> whatIf.removeNode("n2"));
    }

    @Test
    void termsThatLoseTheirLastPodAreTheSameAfterwards() {
        PodAffinityTerm web = new PodAffinityTerm(
                LabelSelector.matchingLabels(Labels.of("app", "web")),
                ClusterDrawing.ZONES.label(),
                List.of(),
                LabelSelector.NOTHING);
        PodAffinity alone = new PodAffinity(List.of(), List.of(), List.of(web), List.of());
        cluster.put(app("carrier", "web").podAffinity(alone).nodeName("n3").build());
        List<CarriedTerm> before = cluster.view().carriedTerms().matching("default", Labels.of("app", "web"));
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.remove(pod("carrier"));
            assertThat(before.getFirst().counter().total()).isZero();
            assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
            whatIf.place(app("other", "web").podAffinity(alone).build(), id("n1"));
            assertThat(ClusterDrawing.draw(before.getFirst().counter())).isEqualTo("a=1 b=0");
        }

        assertThat(cluster.view().carriedTerms().matching("default", Labels.of("app", "web")))
                .isEqualTo(before);
        assertThat(ClusterDrawing.draw(before.getFirst().counter())).isEqualTo("a=0 b=1");
    }

    @Test
    void termsThatWereOnlySupposedAreGoneAfterwards() {
        PodAffinityTerm any = new PodAffinityTerm(
                LabelSelector.EVERYTHING, ClusterDrawing.ZONES.label(), List.of(), LabelSelector.NOTHING);
        Pod carrier = app("carrier", "web")
                .podAffinity(new PodAffinity(List.of(), List.of(), List.of(any), List.of()))
                .build();
        leavesNoTrace(whatIf -> whatIf.place(carrier, id("n1")));

        assertThat(cluster.view().carriedTerms().isEmpty()).isTrue();
        assertThat(CountingRoom.count(cluster.view().counters())).isZero();
    }

    @Test
    void closingTwiceIsClosingOnce() {
        WhatIf whatIf = cluster.whatIf();
        whatIf.close();
        whatIf.close();

        assertThat(CountingRoom.keepsPinnedTerms(cluster.view())).isFalse();
    }

    @Test
    void whatIfsNest() {
        leavesNoTrace(outer -> {
            outer.remove(pod("p0"));
            leavesNoTrace(
                    inner -> inner.place(app("new", "db").build(), id("n1")).removeNode("n3"));
            outer.place(app("new", "db").build(), id("n1"));
        });
    }

    @Test
    void onceClosedItChangesNothing() {
        WhatIf kept = cluster.whatIf();
        kept.close();
        String before = ClusterDump.of(cluster.view());

        assertThatThrownBy(() -> kept.remove(pod("p0"))).hasMessage("the what-if is closed");
        assertThatThrownBy(() -> kept.place(app("new", "web").build(), id("n2")))
                .hasMessage("the what-if is closed");
        assertThatThrownBy(() -> kept.put(NodeBuilder.node("n9").build())).hasMessage("the what-if is closed");
        assertThatThrownBy(() -> kept.removeNode("n1")).hasMessage("the what-if is closed");
        assertThatThrownBy(() -> kept.add(new CsiNode(ObjectMeta.named("", "n1"), Map.of())))
                .hasMessage("the what-if is closed");
        assertThat(ClusterDump.of(cluster.view())).isEqualTo(before);
    }

    @Test
    void anOuterOneWaitsForTheInnerAndTakesItAlongWhenItCloses() {
        leavesNoTrace(outer -> {
            outer.remove(pod("p0"));
            WhatIf inner = cluster.whatIf();
            inner.remove(pod("p1"));
            assertThatThrownBy(() -> outer.remove(pod("p2"))).hasMessage("a what-if that was begun later is open");
        });
    }
}
