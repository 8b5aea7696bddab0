package io.evenkeel.engine.decision;

import io.evenkeel.api.CycleState;
import io.evenkeel.api.Status;
import io.evenkeel.api.VictimAdvice;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import io.evenkeel.framework.run.FilterRunner;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.model.Pod;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** A trial for one pod. When it is over, the cluster is as it was, whatever the plugin has left open. */
final class PodTrial implements BatchTrial, AutoCloseable {
    private final ClusterState cluster;
    private final FilterRunner filters;
    private final Nominations nominations;
    private final Predicate<Pod> isLeaving;
    private final PodInfo pod;
    private final VictimAdvice victimAdvice;
    private final ArrayDeque<WhatIf> begun = new ArrayDeque<>();
    private String objector = "";
    private boolean isOver;

    /** @param filters of the pod's profile, used by trials alone */
    PodTrial(
            ClusterState cluster,
            FilterRunner filters,
            Nominations nominations,
            Predicate<Pod> isLeaving,
            PodInfo pod,
            VictimAdvice victimAdvice) {
        this.isLeaving = isLeaving;
        this.victimAdvice = victimAdvice;
        this.cluster = cluster;
        this.filters = filters;
        this.nominations = nominations;
        this.pod = pod;
    }

    @Override
    public WhatIf whatIf() {
        requireUnderway();
        WhatIf whatIf = cluster.whatIf();
        begun.push(whatIf);
        return whatIf;
    }

    @Override
    public Status verdictOn(int node) {
        requireUnderway();
        Optional<Objection> objection =
                nominations.objection(pod, node).or(() -> filters.objectionOn(node, new CycleState(), pod));
        objector = objection.map(Objection::plugin).orElse(objector);
        return objection.map(Objection::status).orElse(Status.SUCCESS);
    }

    @Override
    public String objector() {
        return objector;
    }

    @Override
    public Optional<FilterDryRuns> dryRuns() {
        requireUnderway();
        return filters.dryRuns(pod);
    }

    @Override
    public boolean isLeaving(Pod other) {
        return isLeaving.test(other);
    }

    @Override
    public VictimAdvice victimAdvice() {
        return victimAdvice;
    }

    @Override
    public List<PodInfo> nominatedTo(int node) {
        return nominations.aheadOf(pod, node);
    }

    @Override
    public NodeSetView awaited() {
        return nominations.awaited(pod);
    }

    @Override
    public void close() {
        isOver = true;
        while (!begun.isEmpty()) {
            begun.pop().close();
        }
    }

    private void requireUnderway() {
        if (isOver) {
            throw new IllegalStateException("the trial of pod " + pod.pod().key() + " is over");
        }
    }
}
