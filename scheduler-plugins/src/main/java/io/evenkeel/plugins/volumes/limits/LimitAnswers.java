package io.evenkeel.plugins.volumes.limits;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.model.Pod;
import io.evenkeel.model.storage.VolumeSource.Csi;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Explains NodeVolumeLimits to a pod with one volume too many: how many each node has, and whose would have to go. */
final class LimitAnswers {
    private final VolumeCounts counts;
    private final PodTable pods;
    private final NodeTable nodes;

    LimitAnswers(VolumeCounts counts, PodTable pods, NodeTable nodes) {
        this.counts = counts;
        this.pods = pods;
        this.nodes = nodes;
    }

    List<Account> accounts(Map<String, List<Csi>> byDriver) {
        List<Account> accounts = new ArrayList<>();
        byDriver.forEach((driver, volumes) -> {
            List<Account.FullNode> full = full(counts.attached().load(driver), volumes);
            if (!full.isEmpty()) {
                accounts.add(new Account.VolumeLimit(driver, volumes.size(), full));
            }
        });
        return List.copyOf(accounts);
    }

    /** Returns the full nodes, first those with least too many. */
    private List<Account.FullNode> full(DriverLoad load, List<Csi> volumes) {
        List<Account.FullNode> full = new ArrayList<>();
        for (int node = load.limited().first(); node >= 0; node = load.limited().next(node + 1)) {
            int more = newOn(node, volumes);
            if (load.exceeds(node, more)) {
                full.add(new Account.FullNode(nodes.name(node), load.attachedTo(node), more, load.limitOf(node)));
            }
        }
        full.sort(Comparator.comparingInt(LimitAnswers::tooMany).thenComparing(Account.FullNode::node));
        return List.copyOf(full);
    }

    private static int tooMany(Account.FullNode node) {
        return node.attached() + node.more() - node.limit();
    }

    private int newOn(int node, List<Csi> volumes) {
        return (int) volumes.stream()
                .filter(volume -> counts.attached().podsWith(volume).get(node) == 0)
                .count();
    }

    double distance(Map<String, List<Csi>> byDriver, NodeInfo node) {
        double all = 0;
        for (Map.Entry<String, List<Csi>> driver : byDriver.entrySet()) {
            DriverLoad load = counts.attached().load(driver.getKey());
            int more = newOn(LiveNode.idOf(node), driver.getValue());
            if (load.exceeds(LiveNode.idOf(node), more)) {
                all += load.attachedTo(LiveNode.idOf(node)) + more - (double) load.limitOf(LiveNode.idOf(node));
            }
        }
        return all;
    }

    /** As many of the node's pods gone as have too many volumes together, those with the most of them first. */
    List<List<Change>> remedies(Map<String, List<Csi>> byDriver, NodeInfo node) {
        List<Integer> rows = new ArrayList<>();
        for (int row = pods.firstOnNode(LiveNode.idOf(node)); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            if (count(byDriver.keySet(), pods.pod(row)) > 0) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparingInt((Integer row) -> -count(byDriver.keySet(), pods.pod(row)))
                .thenComparing(row -> pods.pod(row).key()));
        LimitsDryRun without = new LimitsDryRun(pods, counts, byDriver);
        without.begin(LiveNode.idOf(node));
        List<Change> gone = new ArrayList<>();
        for (int row : rows) {
            without.removePod(row);
            gone.add(new PodGone(pods.pod(row), node.name()));
            if (without.verdict().isSuccess()) {
                return List.of(List.copyOf(gone));
            }
        }
        return List.of();
    }

    private int count(Set<String> drivers, Pod pod) {
        return (int) counts.identity().of(pod).stream()
                .filter(volume -> drivers.contains(volume.driver()))
                .count();
    }
}
