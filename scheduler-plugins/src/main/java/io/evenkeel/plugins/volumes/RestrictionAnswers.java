package io.evenkeel.plugins.volumes;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/** Explains VolumeRestrictions to a pod if others have its disks or claims: who has them, and who would have to go. */
final class RestrictionAnswers {
    private final PodTable pods;
    private final NodeTable nodes;
    private final UsedVolumes used;

    RestrictionAnswers(ClusterView cluster, UsedVolumes used) {
        pods = cluster.pods();
        nodes = cluster.nodes();
        this.used = used;
    }

    List<Account> accounts(Wanted wanted) {
        List<Account> accounts = new ArrayList<>();
        for (Disk.Use use : new LinkedHashSet<>(wanted.disks())) {
            long taken = IntStream.range(0, nodes.end())
                    .filter(node -> nodes.isPresent(node)
                            && podsOn(node).stream().anyMatch(pod -> Disk.conflict(List.of(use), Disk.usedBy(pod))))
                    .count();
            if (taken > 0) {
                accounts.add(new Account.Words(
                        use.disk().source().field() + " " + use.disk().id()
                                + (use.readOnly() ? " to be read" : " to be written") + ", others have it: " + taken
                                + " of " + nodes.count() + " nodes"));
            }
        }
        for (String claim : new LinkedHashSet<>(wanted.claimsInUse())) {
            having(claim)
                    .forEach(gone -> accounts.add(new Account.Words("claim " + claim
                            + ": for one pod alone (ReadWriteOncePod), and pod "
                            + gone.pod().key() + " on node " + gone.node() + " has it")));
        }
        return List.copyOf(accounts);
    }

    /** All gone that have one of the disks on this node, and all that have one of the claims anywhere. */
    List<List<Change>> remedies(Wanted wanted, NodeInfo node) {
        Set<Change> gone = new LinkedHashSet<>();
        podsOn(LiveNode.idOf(node)).stream()
                .filter(pod -> Disk.conflict(wanted.disks(), Disk.usedBy(pod)))
                .forEach(pod -> gone.add(new PodGone(pod, node.name())));
        wanted.claimsInUse().forEach(claim -> gone.addAll(having(claim)));
        return gone.isEmpty() ? List.of() : List.of(List.copyOf(gone));
    }

    private List<PodGone> having(String claim) {
        List<PodGone> having = new ArrayList<>();
        used.ofClaim(claim).forEachNode(node -> {
            if (nodes.isPresent(node)) {
                podsOn(node).stream()
                        .filter(pod -> has(pod, claim))
                        .forEach(pod -> having.add(new PodGone(pod, nodes.name(node))));
            }
        });
        return having;
    }

    private static boolean has(Pod pod, String claim) {
        return pod.spec().volumes().stream()
                .anyMatch(volume -> KnownVolumes.isClaim(volume)
                        && KnownVolumes.claimKey(pod, volume.id()).equals(claim));
    }

    private List<Pod> podsOn(int node) {
        List<Pod> there = new ArrayList<>();
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            there.add(pods.pod(row));
        }
        return there;
    }
}
