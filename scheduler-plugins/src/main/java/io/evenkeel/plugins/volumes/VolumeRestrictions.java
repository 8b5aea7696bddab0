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
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeTerms;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.stream.Stream;

/**
 * Keeps a pod off nodes where another has a disk of its, and off all while another has a claim of its that is for one pod in
 * the whole cluster ({@code ReadWriteOncePod}).
 */
public final class VolumeRestrictions
        implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "VolumeRestrictions";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, VolumeRestrictions.class, VolumeRestrictions::new);

    private static final Status NO_DISK = Status.unschedulable("node(s) had no available disk");
    private static final Status IN_USE = Status.unschedulable("node(s) unavailable due to PersistentVolumeClaim with"
            + " ReadWriteOncePod access mode already in-use by another pod");

    private static final StateKey<Wanted> WANTED =
            new StateKey<>("volumes of which others may be in the way", Wanted.class);

    private final KnownVolumes known;
    private final VolumeCounts claims;
    private final UsedDisks disks;
    private final PodTable pods;
    private final NodeTable nodes;
    private final ClaimAnswers ofClaims;
    private final NodeSet taken = new NodeSet();
    private final IntConsumer markTaken = taken::add;

    public VolumeRestrictions(TreeContext context) {
        known = new KnownVolumes(context.cluster());
        claims = VolumeCounts.of(context.cluster());
        disks = UsedDisks.of(context.cluster());
        pods = context.cluster().pods();
        nodes = context.cluster().nodes();
        ofClaims = new ClaimAnswers(context.cluster());
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
        for (PodVolume volume : pod.spec().volumes()) {
            if (KnownVolumes.isClaim(volume) && known.claim(pod, volume.id()).isEmpty()) {
                return Optional.of(volume.id());
            }
        }
        return Optional.empty();
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
        claims.podsNaming(claim).forEachNode(node -> found[0] |= nodes.isPresent(node));
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
        int id = LiveNode.idOf(node);
        boolean isTaken = wanted.disks().stream()
                .flatMap(use -> disks.inTheWayOf(use).stream())
                .anyMatch(others -> others.get(id) > 0);
        return verdict(isTaken, !wanted.claimsInUse().isEmpty());
    }

    private static Status verdict(boolean isDiskTaken, boolean isClaimInUse) {
        if (isDiskTaken) {
            return NO_DISK;
        }
        return isClaimInUse ? IN_USE : Status.SUCCESS;
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
                disks.inTheWayOf(use).forEach(others -> others.forEachNode(markTaken));
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
            return FilterDryRun.ofPodAlone(_ -> missing.get());
        }
        Wanted wanted = wanted(pod.pod());
        return wanted.isFree() ? FilterDryRun.PASSES : new RestrictionsDryRun(wanted);
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        if (missingClaim(pod.pod()).isPresent()) {
            return ofClaims.accounts(pod.pod());
        }
        Wanted wanted = wanted(pod.pod());
        List<Account> accounts = new ArrayList<>();
        for (Disk.Use use : new LinkedHashSet<>(wanted.disks())) {
            NodeSet having = new NodeSet();
            disks.inTheWayOf(use).forEach(others -> others.forEachNode(having::add));
            having.retainAll(nodes.present());
            if (!having.isEmpty()) {
                accounts.add(new Account.Words(
                        use.disk().source().fieldName() + " " + use.disk().id()
                                + (use.readOnly() ? " to be read" : " to be written") + ", others have it: "
                                + having.size() + " of " + nodes.count() + " nodes"));
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
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        if (missingClaim(pod.pod()).isPresent()) {
            return ofClaims.remedies(pod.pod());
        }
        Wanted wanted = wanted(pod.pod());
        Set<Change> gone = new LinkedHashSet<>();
        node.pods().stream()
                .filter(other -> Disk.conflict(wanted.disks(), Disk.usedBy(other)))
                .forEach(other -> gone.add(new PodGone(other, node.name())));
        wanted.claimsInUse().forEach(claim -> gone.addAll(having(claim)));
        return gone.isEmpty() ? List.of() : List.of(List.copyOf(gone));
    }

    private List<PodGone> having(String claim) {
        List<PodGone> having = new ArrayList<>();
        claims.podsNaming(claim).forEachNode(node -> {
            if (nodes.isPresent(node)) {
                for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                    if (claimsOf(pods.pod(row)).anyMatch(claim::equals)) {
                        having.add(new PodGone(pods.pod(row), nodes.name(node)));
                    }
                }
            }
        });
        return having;
    }

    /** The keys of the claims that are not made for the pod. */
    private static Stream<String> claimsOf(Pod pod) {
        return pod.spec().volumes().stream()
                .filter(KnownVolumes::isClaim)
                .map(volume -> KnownVolumes.claimKey(pod, volume.id()));
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
                && (Disk.conflict(Disk.usedBy(waiting.pod()), Disk.usedBy(gone))
                        || (waiting.pod().meta().namespace().equals(gone.meta().namespace())
                                && claimsOf(waiting.pod())
                                        .anyMatch(claim -> claimsOf(gone).anyMatch(claim::equals))));
    }

    private static boolean hasDisks(PendingPod waiting) {
        return !Disk.usedBy(waiting.pod()).isEmpty();
    }

    /** A pod holds its claim no longer where its node is gone. */
    private static boolean hasClaims(PendingPod waiting) {
        return claimsOf(waiting.pod()).findAny().isPresent();
    }

    /**
     * The things a pod wants that others may have.
     *
     * @param claimsInUse keys of claims for one pod that another has, once for each volume of them
     */
    private record Wanted(List<Disk.Use> disks, List<String> claimsInUse) {
        boolean isFree() {
            return disks.isEmpty() && claimsInUse.isEmpty();
        }
    }

    /** Counts the pods of a node that have a wanted disk or claim; claims of pods elsewhere stay in use anyway. */
    private final class RestrictionsDryRun implements FilterDryRun {
        private final Wanted wanted;
        private int withDisk;
        private int withClaim;
        private boolean isUsedElsewhere;

        RestrictionsDryRun(Wanted wanted) {
            this.wanted = wanted;
        }

        @Override
        public boolean begin(int node) {
            withDisk = 0;
            withClaim = 0;
            isUsedElsewhere = false;
            for (int row = pods.firstOnNode(node); row != PodTable.NONE; row = pods.nextOnNode(row)) {
                count(row, 1);
            }
            wanted.claimsInUse()
                    .forEach(claim -> claims.podsNaming(claim)
                            .forEachNode(other -> isUsedElsewhere |= other != node && nodes.isPresent(other)));
            return withDisk > 0 || withClaim > 0;
        }

        @Override
        public void count(int row, int more) {
            count(pods.pod(row), more);
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
            withClaim += !wanted.claimsInUse().isEmpty() && claimsOf(pod).anyMatch(wanted.claimsInUse()::contains)
                    ? delta
                    : 0;
        }

        @Override
        public Status verdict() {
            return VolumeRestrictions.verdict(withDisk > 0, withClaim > 0 || isUsedElsewhere);
        }
    }

    /** The pods on each node that have a disk, by the use that they make of it. Pods without volumes are in none of it. */
    private static final class UsedDisks implements ClusterIndex {
        private final PodTable pods;
        private final Map<Disk.Use, Count> disks = new ShrinkingMap<>();

        private static final class Count {
            final SparseCounts.Writer byNode = SparseCounts.create();
            int total;
        }

        private UsedDisks(PodTable pods) {
            this.pods = pods;
        }

        static UsedDisks of(ClusterView cluster) {
            return cluster.index(UsedDisks.class, view -> new UsedDisks(view.pods()));
        }

        /** How many pods of each node have a use for the disk that this use conflicts with, by the kind of use. */
        List<SparseCounts> inTheWayOf(Disk.Use use) {
            SparseCounts writing = at(new Disk.Use(use.disk(), false));
            return use.readOnly() ? List.of(writing) : List.of(writing, at(new Disk.Use(use.disk(), true)));
        }

        private SparseCounts at(Disk.Use use) {
            Count count = disks.get(use);
            return count == null ? AttachedVolumes.NOWHERE : count.byNode.counts();
        }

        @Override
        public void podPlaced(int row) {
            add(pods.pod(row), pods.node(row), 1);
        }

        @Override
        public void podRemoved(int row) {
            add(pods.pod(row), pods.node(row), -1);
        }

        @Override
        public void podReplaced(int row, Pod before) {
            if (!before.spec().volumes().equals(pods.pod(row).spec().volumes())) {
                add(before, pods.node(row), -1);
                add(pods.pod(row), pods.node(row), 1);
            }
        }

        private void add(Pod pod, int node, int delta) {
            for (Disk.Use use : Disk.usedBy(pod)) {
                Count count = disks.computeIfAbsent(use, _ -> new Count());
                count.byNode.add(node, delta);
                count.total += delta;
                if (count.total == 0) {
                    disks.remove(use);
                }
            }
        }

        @Override
        public void audit(AuditFacts facts, Differences differences) {
            UsedDisks anew = new UsedDisks(pods);
            facts.pods().forEach(placed -> anew.add(placed.pod(), placed.node(), 1));
            Set<Disk.Use> all = new LinkedHashSet<>(disks.keySet());
            all.addAll(anew.disks.keySet());
            for (Disk.Use use : all) {
                differences.compare(
                        () -> "pods with disk " + use,
                        at(use).byName(facts::nameOf),
                        anew.at(use).byName(facts::nameOf));
            }
        }

        @Override
        public void describe(AuditFacts facts, Consumer<String> line) {
            disks.forEach((use, count) ->
                    line.accept(use + " " + count.byNode.counts().byName(facts::nameOf)));
        }
    }

    /**
     * A disk that a pod names without a claim: on one node, either pods that leave it as it is have it, or one that does not. An
     * image of Ceph is one for each of its monitors, as pods that share a monitor share the image.
     */
    private record Disk(Source source, String id) {

        /** The use that a pod makes of it. */
        record Use(Disk disk, boolean readOnly) {
            boolean conflictsWith(Use other) {
                return disk.equals(other.disk) && !(readOnly && other.readOnly);
            }
        }

        /** Returns the uses that the pod makes of disks; nearly all have none. */
        static List<Use> usedBy(Pod pod) {
            List<PodVolume> volumes = pod.spec().volumes();
            if (volumes.isEmpty()) {
                return List.of();
            }
            List<Use> uses = new ArrayList<>();
            for (PodVolume volume : volumes) {
                switch (volume.source()) {
                    case GCE_PERSISTENT_DISK, ISCSI ->
                        uses.add(new Use(new Disk(volume.source(), volume.id()), volume.readOnly()));
                    case AWS_ELASTIC_BLOCK_STORE -> uses.add(new Use(new Disk(volume.source(), volume.id()), false));
                    case RBD ->
                        volume.monitors()
                                .forEach(monitor -> uses.add(new Use(
                                        new Disk(volume.source(), monitor + "/" + volume.id()), volume.readOnly())));
                    default -> {}
                }
            }
            return uses;
        }

        static boolean conflict(List<Use> some, List<Use> others) {
            for (int i = 0; i < some.size(); i++) {
                for (int j = 0; j < others.size(); j++) {
                    if (some.get(i).conflictsWith(others.get(j))) {
                        return true;
                    }
                }
            }
            return false;
        }
    }
}
