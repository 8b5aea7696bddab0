package io.evenkeel.plugins.volumes;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import java.util.List;

/** Counts the pods of a node that have a wanted disk or claim; claims of pods elsewhere stay in use anyway. */
final class RestrictionsDryRun implements FilterDryRun {
    private final PodTable pods;
    private final NodeTable nodes;
    private final UsedVolumes used;
    private final Wanted wanted;
    private int withDisk;
    private int withClaim;
    private boolean isUsedElsewhere;

    RestrictionsDryRun(PodTable pods, NodeTable nodes, UsedVolumes used, Wanted wanted) {
        this.pods = pods;
        this.nodes = nodes;
        this.used = used;
        this.wanted = wanted;
    }

    @Override
    public boolean isLocal() {
        return false;
    }

    @Override
    public boolean isAlike() {
        return false;
    }

    @Override
    public boolean begin(int node) {
        withDisk = 0;
        withClaim = 0;
        isUsedElsewhere = false;
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            addPod(row);
        }
        wanted.claimsInUse()
                .forEach(claim -> used.ofClaim(claim)
                        .forEachNode(other -> isUsedElsewhere |= other != node && nodes.isPresent(other)));
        return withDisk > 0 || withClaim > 0;
    }

    @Override
    public void removePod(int row) {
        count(pods.pod(row), -1);
    }

    @Override
    public void addPod(int row) {
        count(pods.pod(row), 1);
    }

    @Override
    public boolean addNominated(PodInfo pod) {
        count(pod.pod(), 1);
        return true;
    }

    private void count(Pod pod, int delta) {
        if (pod.spec().volumes().isEmpty()) {
            return;
        }
        withDisk += Disk.conflict(wanted.disks(), Disk.usedBy(pod)) ? delta : 0;
        withClaim += hasClaim(pod) ? delta : 0;
    }

    private boolean hasClaim(Pod pod) {
        List<PodVolume> volumes = pod.spec().volumes();
        for (int i = 0; i < volumes.size(); i++) {
            PodVolume volume = volumes.get(i);
            if (KnownVolumes.isClaim(volume)
                    && wanted.claimsInUse().contains(KnownVolumes.claimKey(pod, volume.id()))) {
                return true;
            }
        }
        return false;
    }

    @Override
    public Status verdict() {
        if (withDisk > 0) {
            return VolumeRestrictions.NO_DISK;
        }
        return withClaim > 0 || isUsedElsewhere ? VolumeRestrictions.IN_USE : Status.SUCCESS;
    }
}
