package io.evenkeel.plugins.volumes.limits;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.storage.VolumeSource.Csi;
import io.evenkeel.plugins.volumes.ClaimAnswers;
import io.evenkeel.plugins.volumes.KnownVolumes;
import io.evenkeel.plugins.volumes.MigratedPlugin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps a pod off nodes that would have more volumes of a CSI driver attached than the driver says they can. Volumes of pods
 * that are on the node already are not counted again; a volume that is attached to it and that no pod there has is one more.
 */
public final class NodeVolumeLimits
        implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "NodeVolumeLimits";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, NodeVolumeLimits.class, NodeVolumeLimits::new);

    static final Status TOO_MANY = Status.unschedulable("node(s) exceed max volume count");

    private final KnownVolumes known;
    private final VolumeCounts counts;
    private final PodTable pods;
    private final ClaimAnswers ofClaims;
    private final LimitAnswers answers;
    private final NodeSet rejected = new NodeSet();

    public NodeVolumeLimits(TreeContext context) {
        known = new KnownVolumes(context.cluster());
        counts = VolumeCounts.of(context.cluster());
        pods = context.cluster().pods();
        ofClaims = new ClaimAnswers(context.cluster());
        answers = new LimitAnswers(counts, pods, context.cluster().nodes());
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.PERSISTENT_VOLUME,
                Kinds.STORAGE_CLASS,
                Kinds.CSI_NODE,
                Kinds.VOLUME_ATTACHMENT);
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        return pod.pod().spec().volumes().isEmpty() ? PreFilterResult.SKIP : PreFilterResult.PROCEED;
    }

    /** The first of the pod's claims by which its volumes cannot be counted; what is wrong with it is so on any node. */
    private Optional<Status> trouble(Pod pod) {
        for (PodVolume volume : pod.spec().volumes()) {
            Optional<Status> trouble = volume.claimOf(pod).flatMap(name -> trouble(pod, volume, name));
            if (trouble.isPresent()) {
                return trouble;
            }
        }
        return Optional.empty();
    }

    private Optional<Status> trouble(Pod pod, PodVolume volume, String name) {
        Optional<PersistentVolumeClaim> claim = known.claim(pod, name);
        if (claim.isEmpty()) {
            return Optional.of(Status.unresolvable("looking up PVC " + KnownVolumes.claimKey(pod, name) + ": "
                    + KnownVolumes.claimNotFound(name).message()));
        }
        return KnownVolumes.isClaim(volume)
                ? Optional.empty()
                : KnownVolumes.notMadeFor(pod, claim.get()).map(Status::error);
    }

    private Map<String, List<Csi>> byDriver(PodInfo pod) {
        Map<String, List<Csi>> byDriver = new LinkedHashMap<>();
        counts.identity()
                .of(pod.pod())
                .forEach(csi -> byDriver.computeIfAbsent(csi.driver(), _ -> new ArrayList<>())
                        .add(csi));
        return byDriver;
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        FilterDryRun asIs = dryRun(pod);
        asIs.begin(LiveNode.idOf(node));
        return asIs.verdict();
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        Optional<Status> trouble = trouble(pod.pod());
        if (trouble.isPresent()) {
            rejections.keepOnly(candidates, NodeSetView.NONE, trouble.get());
            return;
        }
        byDriver(pod).forEach((driver, volumes) -> {
            DriverLoad load = counts.attached().load(driver);
            NodeSetView full = load.withoutRoomFor(volumes.size());
            if (full.intersects(candidates)) {
                rejections.reject(candidates, withoutThoseThatHaveThem(full, load, volumes), TOO_MANY);
            }
        });
    }

    /** Where pods have some of the volumes already, fewer come with this one. */
    private NodeSetView withoutThoseThatHaveThem(NodeSetView full, DriverLoad load, List<Csi> volumes) {
        if (volumes.stream()
                .allMatch(volume -> counts.attached().podsWith(volume).size() == 0)) {
            return full;
        }
        rejected.clear();
        for (int node = full.first(); node >= 0; node = full.next(node + 1)) {
            rejected.set(node, load.exceeds(node, newOn(node, volumes)));
        }
        return rejected;
    }

    /** How many of the volumes no pod of the node has. */
    private int newOn(int node, List<Csi> volumes) {
        int count = 0;
        for (int i = 0; i < volumes.size(); i++) {
            count += counts.attached().podsWith(volumes.get(i)).get(node) == 0 ? 1 : 0;
        }
        return count;
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return FilterDryRun.PASSES;
        }
        return trouble(pod.pod())
                .map(status -> FilterDryRun.byPod(_ -> status))
                .orElseGet(() -> new LimitsDryRun(pods, counts, byDriver(pod)));
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return trouble(pod.pod()).isPresent() ? ofClaims.accounts(pod.pod()) : answers.accounts(byDriver(pod));
    }

    @Override
    public double distance(PodInfo pod, NodeInfo node) {
        return answers.distance(byDriver(pod), node);
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return trouble(pod.pod()).isPresent() ? ofClaims.remedies(pod.pod()) : answers.remedies(byDriver(pod), node);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                KnownVolumes.forVolumes(NodeVolumeLimits::hadVolumes, ChangeKind.ASSIGNED_POD_DELETED),
                KnownVolumes.forVolumes(NodeVolumeLimits::allowsMore, ChangeKind.updated(Kinds.CSI_NODE)),
                WakeUp.on(Hint.ALWAYS, ChangeKind.NODE_ADDED, ChangeKind.deleted(Kinds.CSI_NODE), ChangeKind.OWN_OTHER)
                        .allAlike(),
                WakeUp.on(this::wasOfItsDrivers, ChangeKind.deleted(Kinds.VOLUME_ATTACHMENT))
                        .alsoOfGangs(),
                // once it is bound it may turn out to be a volume that is on the node, or one of another driver
                KnownVolumes.onItsClaims(),
                WakeUp.on(
                                this::concernsItsVolumes,
                                ChangeKind.added(Kinds.PERSISTENT_VOLUME),
                                ChangeKind.updated(Kinds.PERSISTENT_VOLUME))
                        .alsoOfGangs(),
                WakeUp.on(this::bringsItsVolumes, ChangeKind.ASSIGNED_POD_ADDED).alsoOfGangs());
    }

    /** Attached volumes may outlive the claims that would tell of them: these may have gone with the pod. */
    private static boolean hadVolumes(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        return gone.spec().volumes().stream()
                .anyMatch(volume -> volume.claimOf(gone).isPresent()
                        || MigratedPlugin.csi(volume).isPresent());
    }

    /** An attachment counts as one of the driver that attached it. */
    private boolean wasOfItsDrivers(PendingPod waiting, ClusterChange change) {
        String driver = change.before(VolumeAttachment.class).orElseThrow().attacher();
        return counts.identity().of(waiting.pod()).stream()
                .anyMatch(volume -> volume.driver().equals(driver));
    }

    private static boolean allowsMore(PendingPod waiting, ClusterChange change) {
        Map<String, Integer> before = change.before(CsiNode.class).orElseThrow().limits();
        Map<String, Integer> after = change.after(CsiNode.class).orElseThrow().limits();
        return before.entrySet().stream()
                .anyMatch(limit -> after.getOrDefault(limit.getKey(), Integer.MAX_VALUE) > limit.getValue());
    }

    /** Until the volume of a bound claim is there, it is taken for one of the driver of the claim's class. */
    private boolean concernsItsVolumes(PendingPod waiting, ClusterChange change) {
        String volume = change.after(PersistentVolume.class).orElseThrow().name();
        return known.claimsOf(waiting.pod())
                .anyMatch(claim -> claim.volumeName().equals(volume));
    }

    /** On the node of the other pod there is nothing more to attach then. */
    private boolean bringsItsVolumes(PendingPod waiting, ClusterChange change) {
        Pod other = change.after(Pod.class).orElseThrow();
        return !other.spec().volumes().isEmpty()
                && !Collections.disjoint(
                        counts.identity().of(waiting.pod()), counts.identity().of(other));
    }
}
