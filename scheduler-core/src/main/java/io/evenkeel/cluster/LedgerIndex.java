package io.evenkeel.cluster;

import io.evenkeel.api.Ledger;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts.PlacedPod;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Tells a plugin's ledger of pods by their names where indexes are told of rows. */
final class LedgerIndex implements ClusterIndex {
    private final ClusterView cluster;
    private final Supplier<? extends Ledger> make;
    private final Ledger ledger;

    LedgerIndex(ClusterView cluster, Supplier<? extends Ledger> make) {
        this.cluster = cluster;
        this.make = make;
        this.ledger = make.get();
    }

    Ledger ledger() {
        return ledger;
    }

    @Override
    public String name() {
        return ledger.getClass().getName();
    }

    @Override
    public void podPlaced(int row) {
        ledger.podPlaced(cluster.pods().pod(row), nodeOf(row));
    }

    @Override
    public void podRemoved(int row) {
        ledger.podRemoved(cluster.pods().pod(row), nodeOf(row));
    }

    @Override
    public void podReplaced(int row, Pod before) {
        ledger.podRemoved(before, nodeOf(row));
        podPlaced(row);
    }

    @Override
    public void nodeChanged(int node, Optional<Node> before, Optional<Node> after) {
        ledger.objectChanged(before.map(KubernetesObject.class::cast), after.map(KubernetesObject.class::cast));
    }

    @Override
    public void objectChanged(Optional<KubernetesObject> before, Optional<KubernetesObject> after) {
        ledger.objectChanged(before, after);
    }

    private String nodeOf(int row) {
        PodTable pods = cluster.pods();
        return cluster.nodes().name(pods.node(row));
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        Ledger fresh = make.get();
        cluster.objects().all().forEach(object -> fresh.objectChanged(Optional.empty(), Optional.of(object)));
        facts.nodes().values().forEach(node -> fresh.objectChanged(Optional.empty(), Optional.of(node)));
        for (PlacedPod placed : facts.pods()) {
            fresh.podPlaced(placed.pod(), facts.nameOf(placed.node()));
        }
        differences.compare(() -> "ledger " + name(), ledger.counts(), fresh.counts());
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        line.accept(name() + " " + ledger.counts());
    }
}
