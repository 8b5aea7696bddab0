package io.evenkeel.engine.why;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterState;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.WhatIf;
import io.evenkeel.engine.decision.Survey;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.run.Objection;
import io.evenkeel.framework.run.PluginFailure;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.DriversInstalled;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.ObjectAdded;
import io.evenkeel.framework.why.Change.ObjectRemoved;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.model.Pod;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.policy.PolicyObject;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** The cluster and a pod as they would be once some changes are made, for as long as it is open. */
final class Hypothesis implements AutoCloseable {
    private final ClusterState cluster;
    private final Survey survey;
    private final WhatIf whatIf;
    private final PodInfo pod;

    Hypothesis(ClusterState cluster, Survey survey, Pod pod, List<Change> changes) {
        this(cluster, survey, pod, changes, Gang.NONE);
    }

    Hypothesis(ClusterState cluster, Survey survey, Pod pod, List<Change> changes, Gang gang) {
        this.cluster = cluster;
        this.survey = survey;
        whatIf = cluster.whatIf();
        try {
            this.pod = cluster.admit(made(changes, pod, gang));
        } catch (Throwable fault) {
            closeAfter(fault);
            throw fault;
        }
    }

    /** Closes what was not made in full; no other can. */
    private void closeAfter(Throwable fault) {
        try {
            whatIf.close();
        } catch (Throwable another) {
            fault.addSuppressed(another);
        }
    }

    /**
     * The pods that a change of a template changes too.
     *
     * @param seats of some of them, that they have by what-ifs
     */
    record Gang(List<Pod> pods, List<Seat> seats) {
        static final Gang NONE = new Gang(List.of(), List.of());
    }

    private Pod made(List<Change> changes, Pod pod, Gang gang) {
        Pod changed = pod;
        for (Change change : changes) {
            switch (change) {
                case PodChange own -> changed = own.applied(changed);
                case NodeChange there -> make(there);
                case NodeAdded added -> {
                    whatIf.put(added.node());
                    added.with().forEach(whatIf::add);
                }
                case DriversInstalled drivers ->
                    whatIf.put(drivers.applied(view().objects().find(Kinds.CSI_NODE, drivers.node())));
                case ObjectAdded added -> whatIf.add(added.object());
                case ObjectRemoved removed -> whatIf.remove(removed.object());
                case PolicyLimit more -> make(more);
                case ClaimChange own -> make(own, changed, gang);
                case PodGone gone -> PodGone.make(gone.pod(), whatIf, view());
            }
        }
        return changed;
    }

    private void make(NodeChange change) {
        int node = view().nodes().findPresent(change.node());
        if (node >= 0) {
            whatIf.put(change.applied(view().nodes().node(node)));
        }
    }

    private void make(PolicyLimit change) {
        if (view().objects().find(change.kindName(), change.policy()).orElse(null) instanceof PolicyObject policy) {
            whatIf.change(change.applied(policy));
        }
    }

    /** Those of its gang ask for the same: their claims are made of one template. They take their seats again then. */
    private void make(ClaimChange change, Pod pod, Gang gang) {
        Optional<ResourceClaim> changed = Optional.ofNullable(ClaimChange.claimsOf(pod, view().objects())
                        .get(change.source().claim()))
                .filter(claim -> claim.allocation().isEmpty())
                .map(change::applied);
        if (changed.isEmpty()) {
            return;
        }
        gang.seats().forEach(seat -> whatIf.remove(seat.pod()));
        whatIf.change(changed.get());
        ask(change.source(), changed.get().spec(), pod);
        gang.pods().forEach(other -> ask(change.source(), changed.get().spec(), other));
        gang.seats().forEach(seat -> place(seat.pod(), seat.node()));
    }

    private void ask(ClaimChange.Source source, ResourceClaim.Spec spec, Pod asking) {
        source.keysOf(asking).stream()
                .flatMap(key -> view().objects().find(Kinds.RESOURCE_CLAIM, key).stream())
                .filter(claim -> claim.allocation().isEmpty() && !claim.spec().equals(spec))
                .forEach(claim -> whatIf.change(claim.asking(spec)));
    }

    ClusterView view() {
        return cluster.view();
    }

    PodInfo pod() {
        return pod;
    }

    /** Whether the pod fits anywhere; where a plugin fails on it, it does not. */
    boolean fits() {
        try {
            return survey.fits(pod);
        } catch (PluginFailure failed) {
            return false;
        }
    }

    Optional<String> node() {
        return survey.node(pod);
    }

    /** Returns the objections to the pod on each node; to be asked until something else is. */
    IntFunction<List<Objection>> objections() {
        return survey.objections(pod);
    }

    /** Puts another pod on a node, which there is. */
    void place(Pod other, String node) {
        whatIf.place(other, view().nodes().findPresent(node));
    }

    /** The node of this name, which there is. */
    NodeInfo nodeInfo(String name) {
        return view().nodeInfo(view().nodes().findPresent(name));
    }

    @Override
    public void close() {
        try {
            cluster.giveBack(pod);
        } finally {
            whatIf.close();
        }
    }
}
