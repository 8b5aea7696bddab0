package io.evenkeel.plugins.noderesources;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.model.HostPort;
import java.util.List;

/** Counts the pods of a node that have a wanted port. */
final class PortDryRun implements FilterDryRun {
    private final PodTable pods;
    private final List<HostPort> wanted;
    private int inTheWay;

    PortDryRun(PodTable pods, List<HostPort> wanted) {
        this.pods = pods;
        this.wanted = wanted;
    }

    @Override
    public boolean isLocal() {
        return true;
    }

    @Override
    public boolean isAlike() {
        return true;
    }

    @Override
    public boolean begin(int node) {
        inTheWay = 0;
        for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            addPod(row);
        }
        return inTheWay > 0;
    }

    @Override
    public void removePod(int row) {
        inTheWay -= isInTheWay(row) ? 1 : 0;
    }

    @Override
    public void addPod(int row) {
        inTheWay += isInTheWay(row) ? 1 : 0;
    }

    @Override
    public boolean addNominated(PodInfo pod) {
        inTheWay += isWanted(pod.shape().hostPorts().value()) ? 1 : 0;
        return true;
    }

    @Override
    public Status verdict() {
        return inTheWay > 0 ? NodePorts.TAKEN : Status.SUCCESS;
    }

    private boolean isInTheWay(int row) {
        return isWanted(pods.shape(row).value().hostPorts().value());
    }

    private boolean isWanted(List<HostPort> taken) {
        for (int i = 0; i < taken.size(); i++) {
            for (int j = 0; j < wanted.size(); j++) {
                if (taken.get(i).conflictsWith(wanted.get(j))) {
                    return true;
                }
            }
        }
        return false;
    }
}
