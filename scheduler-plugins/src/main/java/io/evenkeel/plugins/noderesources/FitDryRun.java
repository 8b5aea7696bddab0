package io.evenkeel.plugins.noderesources;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.ResourceVector;
import io.evenkeel.framework.cycle.FilterDryRun;

/** Follows what is free on a node of what a pod needs. */
final class FitDryRun implements FilterDryRun {
    private final FitCheck check;
    private final PodTable pods;
    private final long[] free;
    private int places;
    private int node;

    FitDryRun(FitCheck check, PodTable pods) {
        this.check = check;
        this.pods = pods;
        this.free = new long[check.resourceCount()];
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
    public boolean begin(int begun) {
        node = begun;
        check.readFree(node, free);
        places = check.freePlaces(node);
        return !verdict().isSuccess();
    }

    @Override
    public void removePod(int row) {
        check.addTo(free, requestsOf(row), 1);
        places++;
    }

    @Override
    public void addPod(int row) {
        check.addTo(free, requestsOf(row), -1);
        places--;
    }

    @Override
    public boolean addNominated(PodInfo pod) {
        check.addTo(free, pod.shape().resources().value().requests(), -1);
        places--;
        return true;
    }

    @Override
    public Status verdict() {
        return check.verdict(node, free, places);
    }

    private ResourceVector requestsOf(int row) {
        return pods.shape(row).value().resources().value().requests();
    }
}
