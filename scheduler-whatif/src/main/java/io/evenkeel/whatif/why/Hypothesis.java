package io.evenkeel.whatif.why;

import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.engine.group.Seat;
import io.evenkeel.framework.cycle.Diagnosis;
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
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Look;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.function.IntFunction;

/** The cluster and a pod as they would be once some changes are made, for as long as it is open. */
final class Hypothesis implements AutoCloseable {
    private final ClusterSnapshot cluster;
    private final Transaction transaction;
    private final Look look;

    Hypothesis(ClusterSnapshot cluster, Pod pod, List<Change> changes) {
        this(cluster, pod, changes, Gang.NONE);
    }

    Hypothesis(ClusterSnapshot cluster, Pod pod, List<Change> changes, Gang gang) {
        this.cluster = cluster;
        transaction = cluster.begin();
        try {
            look = cluster.look(made(changes, pod, gang));
        } catch (Throwable fault) {
            closeAfter(fault);
            throw fault;
        }
    }

    /** Closes what was not made in full; no other can. */
    private void closeAfter(Throwable fault) {
        try {
            transaction.close();
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
                    cluster.putNode(added.node());
                    added.with().forEach(cluster::putObject);
                }
                case DriversInstalled drivers ->
                    cluster.putObject(drivers.applied(view().objects().find(Kinds.CSI_NODE, drivers.node())));
                case ObjectAdded added -> cluster.putObject(added.object());
                case ObjectRemoved removed -> cluster.removeObject(removed.object());
                case PolicyLimit more -> make(more);
                case ClaimChange own -> make(own, changed, gang);
                case PodGone gone -> cluster.preemptPods(List.of(gone.pod()));
            }
        }
        return changed;
    }

    private void make(NodeChange change) {
        int node = view().nodes().findPresent(change.node());
        if (node >= 0) {
            cluster.putNode(change.applied(view().nodes().node(node)));
        }
    }

    private void make(PolicyLimit change) {
        if (view().objects().find(change.kindName(), change.policy()).orElse(null) instanceof PolicyObject policy) {
            cluster.putObject(change.applied(policy));
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
        gang.seats().forEach(seat -> cluster.takeOff(seat.pod()));
        cluster.putObject(changed.get());
        ask(change.source(), changed.get().spec(), pod);
        gang.pods().forEach(other -> ask(change.source(), changed.get().spec(), other));
        gang.seats().forEach(seat -> cluster.place(seat.pod(), seat.node()));
    }

    private void ask(ClaimChange.Source source, ResourceClaim.Spec spec, Pod asking) {
        source.keysOf(asking).stream()
                .flatMap(key -> view().objects().find(Kinds.RESOURCE_CLAIM, key).stream())
                .filter(claim -> claim.allocation().isEmpty() && !claim.spec().equals(spec))
                .forEach(claim -> cluster.putObject(claim.asking(spec)));
    }

    ClusterView view() {
        return cluster.view();
    }

    PodInfo pod() {
        return look.pod();
    }

    /** Whether the pod fits anywhere; where a plugin fails on it, it does not. */
    boolean fits() {
        try {
            return look.survey().fits(look.pod());
        } catch (PluginFailure failed) {
            return false;
        }
    }

    Optional<String> node() {
        return look.survey().node(look.pod());
    }

    /** Why the pod fits nowhere, in the words of a decision. */
    Diagnosis diagnosis() {
        return look.survey().diagnosis(look.pod());
    }

    /** The scores of all nodes that the pod fits on, by plugin, weighted. */
    NavigableMap<String, NavigableMap<String, Long>> scores() {
        return look.survey().scores(look.pod());
    }

    /** Returns the objections to the pod on each node; to be asked until something else is. */
    IntFunction<List<Objection>> objections() {
        return look.survey().objections(look.pod());
    }

    /** The node of this name, which there is. */
    NodeInfo nodeInfo(String name) {
        return view().nodeInfo(view().nodes().findPresent(name));
    }

    @Override
    public void close() {
        try {
            look.close();
        } finally {
            transaction.close();
        }
    }
}
