package io.evenkeel.plugins.preemption;

import io.evenkeel.api.Status;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.framework.cycle.BatchTrial;
import io.evenkeel.framework.cycle.FilterDryRun.FilterDryRuns;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A trial where pods are nominated to nodes: who has to leave them room must fit beside them, and without them. */
record NominatingTrial(BatchTrial trial, ClusterView cluster, Pod pod, Collection<Pod> nominated, NoticedPods noticed)
        implements BatchTrial {
    NominatingTrial(BatchTrial trial, ClusterView cluster, Pod pod, Collection<Pod> nominated) {
        this(trial, cluster, pod, nominated, new NoticedPods(cluster, pod));
    }

    @Override
    public WhatIf whatIf() {
        return trial.whatIf();
    }

    @Override
    public Status verdictOn(int node) {
        List<Pod> ahead = aheadOn(node);
        if (!ahead.isEmpty()) {
            try (WhatIf beside = trial.whatIf()) {
                ahead.forEach(other -> beside.place(noticed.asNoticed(other), node));
                Status verdict = trial.verdictOn(node);
                if (!verdict.isSuccess()) {
                    return verdict;
                }
            }
        }
        return trial.verdictOn(node);
    }

    private List<Pod> aheadOn(int node) {
        String name = cluster.nodes().name(node);
        return nominated.stream()
                .filter(other -> other.status().nominatedNodeName().equals(name))
                .filter(other -> other.spec().priority() >= pod.spec().priority())
                .toList();
    }

    /** They ask for nothing that only they ask for, so their shapes can be read though nobody has them. */
    @Override
    public List<PodInfo> nominatedTo(int node) {
        return aheadOn(node).stream()
                .map(other -> cluster.read(other, admitted -> admitted))
                .toList();
    }

    @Override
    public Optional<FilterDryRuns> dryRuns() {
        return trial.dryRuns();
    }

    @Override
    public NodeSetView awaited() {
        NodeSet awaited = new NodeSet();
        NodeSetView present = cluster.nodes().present();
        for (int node = present.first(); node >= 0; node = present.next(node + 1)) {
            awaited.set(node, !aheadOn(node).isEmpty());
        }
        return awaited;
    }
}
