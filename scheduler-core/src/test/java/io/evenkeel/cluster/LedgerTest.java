package io.evenkeel.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.Ledger;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A ledger is told of what is there, of what comes and goes, and of what is only supposed. */
class LedgerTest {
    /** How many pods a node has, by name; of nodes that are there. */
    static final class PodsByNode implements Ledger {
        private final Map<String, Integer> counts = new TreeMap<>();

        @Override
        public void podPlaced(Pod pod, String node) {
            counts.merge(node, 1, Integer::sum);
        }

        @Override
        public void podRemoved(Pod pod, String node) {
            counts.merge(node, -1, Integer::sum);
        }

        @Override
        public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
            after.filter(Node.class::isInstance)
                    .ifPresent(node -> counts.putIfAbsent(node.meta().name(), 0));
        }

        @Override
        public Object counts() {
            return counts;
        }
    }

    private final ClusterState cluster = new ClusterState();

    LedgerTest() {
        cluster.putNode(NodeBuilder.node("n1").build());
        cluster.putNode(NodeBuilder.node("n2").build());
        cluster.putPod(pod("there", "n1"));
    }

    @Test
    void itIsFilledWithWhatIsThereAndSharedByItsType() {
        PodsByNode ledger = cluster.view().ledger(PodsByNode.class, PodsByNode::new);

        assertThat(ledger.counts).isEqualTo(Map.of("n1", 1, "n2", 0));
        assertThat(cluster.view().ledger(PodsByNode.class, PodsByNode::new)).isSameAs(ledger);
    }

    @Test
    void whatComesAndGoesIsTold() {
        PodsByNode ledger = cluster.view().ledger(PodsByNode.class, PodsByNode::new);
        cluster.putPod(pod("late", "n2"));
        cluster.remove(pod("there", "n1"));

        assertThat(ledger.counts).isEqualTo(Map.of("n1", 0, "n2", 1));
    }

    @Test
    void whatIsSupposedIsToldAndTakenBack() {
        PodsByNode ledger = cluster.view().ledger(PodsByNode.class, PodsByNode::new);
        try (WhatIf whatIf = cluster.whatIf()) {
            whatIf.place(pod("there", "n1"), cluster.view().nodeInfo("n2").orElseThrow());

            assertThat(ledger.counts).isEqualTo(Map.of("n1", 0, "n2", 1));
        }
        assertThat(ledger.counts).isEqualTo(Map.of("n1", 1, "n2", 0));
        assertThat(ClusterAudit.differences(cluster.view())).isEmpty();
    }

    @Test
    void anAuditTellsWhereItIsWrong() {
        cluster.view().ledger(PodsByNode.class, PodsByNode::new).counts.put("n1", 7);

        assertThat(ClusterAudit.differences(cluster.view()))
                .containsExactly(
                        "ledger " + PodsByNode.class.getName() + ": kept {n1=7, n2=0}, recounted {n1=1, n2=0}");
    }

    private static Pod pod(String name, String node) {
        return PodBuilder.pod(name).nodeName(node).build();
    }
}
