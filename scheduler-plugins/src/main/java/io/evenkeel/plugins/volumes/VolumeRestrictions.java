package io.evenkeel.plugins.volumes;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.Hint;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.PreFilterPlugin;
import io.evenkeel.api.PreFilterResult;
import io.evenkeel.api.StateKey;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
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
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntConsumer;

/**
 * Keeps a pod off nodes where another has a disk of its, and off all while another has a claim of its that is for one pod in
 * the whole cluster ({@code ReadWriteOncePod}).
 */
public final class VolumeRestrictions
        implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "VolumeRestrictions";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, VolumeRestrictions.class, VolumeRestrictions::new);

    static final Status NO_DISK = Status.unschedulable("node(s) had no available disk");
    static final Status IN_USE = Status.unschedulable("node(s) unavailable due to PersistentVolumeClaim with"
            + " ReadWriteOncePod access mode already in-use by another pod");

    private static final StateKey<Wanted> WANTED =
            new StateKey<>("volumes of which others may be in the way", Wanted.class);

    private final KnownVolumes known;
    private final UsedVolumes used;
    private final PodTable pods;
    private final NodeTable nodes;
    private final ClaimAnswers ofClaims;
    private final RestrictionAnswers answers;
    private final NodeSet taken = new NodeSet();
    private final IntConsumer markTaken = taken::add;

    public VolumeRestrictions(TreeContext context) {
        known = new KnownVolumes(context.cluster());
        used = UsedVolumes.of(context.cluster());
        pods = context.cluster().pods();
        nodes = context.cluster().nodes();
        ofClaims = new ClaimAnswers(context.cluster());
        answers = new RestrictionAnswers(context.cluster(), used);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(Kinds.PERSISTENT_VOLUME_CLAIM);
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return PreFilterResult.SKIP;
        }
        Optional<Status> missing = missingClaim(pod.pod()).map(KnownVolumes::claimNotFound);
        if (missing.isPresent()) {
            return new PreFilterResult.Rejected(missing.get());
        }
        Wanted wanted = wanted(pod.pod());
        if (wanted.isFree()) {
            return PreFilterResult.SKIP;
        }
        state.put(WANTED, wanted);
        return PreFilterResult.PROCEED;
    }

    private Optional<String> missingClaim(Pod pod) {
        return pod.spec().volumes().stream()
                .filter(KnownVolumes::isClaim)
                .map(PodVolume::id)
                .filter(claim -> known.claim(pod, claim).isEmpty())
                .findFirst();
    }

    private Wanted wanted(Pod pod) {
        List<String> inUse = new ArrayList<>();
        for (PodVolume volume : pod.spec().volumes()) {
            if (KnownVolumes.isClaim(volume)) {
                String key = KnownVolumes.claimKey(pod, volume.id());
                if (known.claim(key).filter(VolumeRestrictions::isForOnePod).isPresent() && isInUse(key)) {
                    inUse.add(key);
                }
            }
        }
        return new Wanted(Disk.usedBy(pod), inUse);
    }

    private static boolean isForOnePod(PersistentVolumeClaim claim) {
        return claim.terms().accessModes().contains(VolumeTerms.READ_WRITE_ONCE_POD);
    }

    /** By a pod on a node that is there: a pod on a node that is gone holds nothing any more. */
    private boolean isInUse(String claim) {
        boolean[] found = {false};
        used.ofClaim(claim).forEachNode(node -> found[0] |= nodes.isPresent(node));
        return found[0];
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        Optional<Status> missing = unaskedAndMissing(state, pod);
        if (missing.isPresent()) {
            return missing.get();
        }
        Wanted wanted = wanted(state, pod);
        if (node.pods().stream().anyMatch(other -> Disk.conflict(wanted.disks(), Disk.usedBy(other)))) {
            return NO_DISK;
        }
        return wanted.claimsInUse().isEmpty() ? Status.SUCCESS : IN_USE;
    }

    /** A profile may have it filter without asking it before. */
    private Optional<Status> unaskedAndMissing(CycleState state, PodInfo pod) {
        return state.find(WANTED).isPresent()
                ? Optional.empty()
                : missingClaim(pod.pod()).map(KnownVolumes::claimNotFound);
    }

    private Wanted wanted(CycleState state, PodInfo pod) {
        return state.find(WANTED).orElseGet(() -> wanted(pod.pod()));
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        Optional<Status> missing = unaskedAndMissing(state, pod);
        if (missing.isPresent()) {
            rejections.keepOnly(candidates, NodeSetView.NONE, missing.get());
            return;
        }
        Wanted wanted = wanted(state, pod);
        if (!wanted.disks().isEmpty()) {
            taken.clear();
            for (Disk.Use use : wanted.disks()) {
                used.ofDisk(new Disk.Use(use.disk(), false)).forEachNode(markTaken);
                if (!use.readOnly()) {
                    used.ofDisk(new Disk.Use(use.disk(), true)).forEachNode(markTaken);
                }
            }
            rejections.reject(candidates, taken, NO_DISK);
        }
        if (!wanted.claimsInUse().isEmpty()) {
            rejections.keepOnly(candidates, NodeSetView.NONE, IN_USE);
        }
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        Optional<Status> missing = missingClaim(pod.pod()).map(KnownVolumes::claimNotFound);
        if (missing.isPresent()) {
            return FilterDryRun.byPod(_ -> missing.get());
        }
        Wanted wanted = wanted(pod.pod());
        return wanted.isFree() ? FilterDryRun.PASSES : new RestrictionsDryRun(pods, nodes, used, wanted);
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return missingClaim(pod.pod()).isPresent() ? ofClaims.accounts(pod.pod()) : answers.accounts(wanted(pod.pod()));
    }

    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return missingClaim(pod.pod()).isPresent()
                ? ofClaims.remedies(pod.pod())
                : answers.remedies(wanted(pod.pod()), node);
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                WakeUp.on(VolumeRestrictions::hasFreed, ChangeKind.ASSIGNED_POD_DELETED)
                        .alsoOfGangs(),
                WakeUp.on((waiting, _) -> hasDisks(waiting), ChangeKind.NODE_ADDED)
                        .alike(VolumeRestrictions::hasDisks)
                        .alsoOfGangs(),
                WakeUp.on((waiting, _) -> hasClaims(waiting), ChangeKind.NODE_DELETED)
                        .alike(VolumeRestrictions::hasClaims)
                        .alsoOfGangs(),
                // a claim for one pod may be replaced by one of its name that is for more
                KnownVolumes.onItsClaims(),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER));
    }

    private static boolean hasFreed(PendingPod waiting, ClusterChange change) {
        Pod gone = change.before(Pod.class).orElseThrow();
        return !gone.spec().volumes().isEmpty()
                && (Disk.conflict(Disk.usedBy(waiting.pod()), Disk.usedBy(gone)) || shareClaim(waiting.pod(), gone));
    }

    private static boolean shareClaim(Pod waiting, Pod gone) {
        return waiting.meta().namespace().equals(gone.meta().namespace())
                && waiting.spec().volumes().stream()
                        .filter(KnownVolumes::isClaim)
                        .anyMatch(volume -> gone.spec().volumes().stream()
                                .anyMatch(other -> KnownVolumes.isClaim(other)
                                        && other.id().equals(volume.id())));
    }

    private static boolean hasDisks(PendingPod waiting) {
        return !Disk.usedBy(waiting.pod()).isEmpty();
    }

    /** A pod holds its claim no longer where its node is gone. */
    private static boolean hasClaims(PendingPod waiting) {
        return waiting.pod().spec().volumes().stream().anyMatch(KnownVolumes::isClaim);
    }
}
