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
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.LiveNode;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.config.FeatureGates.Feature;
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.DriversInstalled;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.CsiDriver;
import io.evenkeel.model.storage.CsiNode;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.VolumeAttachment;
import io.evenkeel.model.storage.VolumeSource.Csi;
import io.evenkeel.plugins.volumes.AttachedVolumes.DriverLoad;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Keeps a pod off nodes that would have more volumes of a CSI driver attached than the driver says they can, and, where that gate
 * is on, off nodes without a driver that must be installed. Volumes of pods that are on the node already are not counted again; a
 * volume that is attached to it and that no pod there has is one more.
 */
public final class NodeVolumeLimits
        implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "NodeVolumeLimits";
    public static final PluginFactory FACTORY =
            TreeContext.factory(NAME, NodeVolumeLimits.class, NodeVolumeLimits::new);

    private static final Status TOO_MANY = Status.unschedulable("node(s) exceed max volume count");

    private final KnownVolumes known;
    private final VolumeCounts counts;
    private final PodTable pods;
    private final ClaimAnswers ofClaims;
    private final NodeTable nodes;
    private final boolean needsDrivers;
    private final NodeSet rejected = new NodeSet();

    public NodeVolumeLimits(TreeContext context) {
        known = new KnownVolumes(context.cluster());
        counts = VolumeCounts.of(context.cluster());
        pods = context.cluster().pods();
        ofClaims = new ClaimAnswers(context.cluster());
        nodes = context.cluster().nodes();
        needsDrivers = context.featureGates().isOn(Feature.VOLUME_LIMIT_SCALING);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        Set<Kind<?>> kinds = new HashSet<>(Set.of(
                Kinds.PERSISTENT_VOLUME_CLAIM,
                Kinds.PERSISTENT_VOLUME,
                Kinds.STORAGE_CLASS,
                Kinds.CSI_NODE,
                Kinds.VOLUME_ATTACHMENT));
        if (needsDrivers) {
            kinds.add(Kinds.CSI_DRIVER);
        }
        return Set.copyOf(kinds);
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

    /** Those of the drivers that a node must have for their volumes. */
    private List<String> required(Collection<String> drivers) {
        return needsDrivers
                ? drivers.stream()
                        .filter(driver -> known.csiDriver(driver)
                                .filter(CsiDriver::mustBeInstalled)
                                .isPresent())
                        .toList()
                : List.of();
    }

    private static Status missing(String driver) {
        return Status.unschedulable(driver + " CSI driver is not installed on the node");
    }

    private Map<String, List<Csi>> byDriver(PodInfo pod) {
        Map<String, List<Csi>> byDriver = LinkedHashMap.newLinkedHashMap(1);
        counts.identity()
                .of(pod.pod())
                .forEach(csi -> byDriver.computeIfAbsent(csi.driver(), _ -> new ArrayList<>(2))
                        .add(csi));
        return byDriver;
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        FilterDryRun asIs = dryRun(PodInfo.of(waiting));
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
        Map<String, List<Csi>> byDriver = byDriver(pod);
        required(byDriver.keySet())
                .forEach(driver -> rejections.keepOnly(
                        candidates, counts.attached().load(driver).installed(), missing(driver)));
        byDriver.forEach((driver, volumes) -> {
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
            rejected.set(node, load.exceeds(node, newOn(node, volumes, Map.of())));
        }
        return rejected;
    }

    /**
     * How many of the volumes no pod of the node has.
     *
     * @param changes by volume, how many more pods have it, or fewer, than do
     */
    private int newOn(int node, List<Csi> volumes, Map<Csi, Integer> changes) {
        int count = 0;
        for (int i = 0; i < volumes.size(); i++) {
            Csi csi = volumes.get(i);
            count += counts.attached().podsWith(csi).get(node) + changes.getOrDefault(csi, 0) == 0 ? 1 : 0;
        }
        return count;
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return FilterDryRun.PASSES;
        }
        return trouble(pod.pod())
                .map(status -> FilterDryRun.ofPodAlone(_ -> status))
                .orElseGet(() -> new LimitsDryRun(byDriver(pod)));
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        if (trouble(pod.pod()).isPresent()) {
            return ofClaims.accounts(pod.pod());
        }
        List<Account> accounts = new ArrayList<>();
        Map<String, List<Csi>> byDriver = byDriver(pod);
        required(byDriver.keySet()).forEach(driver -> {
            List<String> there = names(counts.attached().load(driver).installed());
            if (there.size() < nodes.count()) {
                accounts.add(Account.Places.of("driver " + driver + " must be installed", there, nodes.count()));
            }
        });
        byDriver.forEach((driver, volumes) -> {
            List<Account.FullNode> full = full(counts.attached().load(driver), volumes);
            if (!full.isEmpty()) {
                accounts.add(new Account.VolumeLimit(driver, volumes.size(), full));
            }
        });
        return List.copyOf(accounts);
    }

    private List<String> names(NodeSetView some) {
        List<String> names = new ArrayList<>();
        for (int node = some.first(); node >= 0; node = some.next(node + 1)) {
            names.add(nodes.name(node));
        }
        return names;
    }

    /** The full nodes, first those with least too many. */
    private List<Account.FullNode> full(DriverLoad load, List<Csi> volumes) {
        List<Account.FullNode> full = new ArrayList<>();
        for (int node = load.limited().first(); node >= 0; node = load.limited().next(node + 1)) {
            int more = newOn(node, volumes, Map.of());
            if (load.exceeds(node, more)) {
                full.add(new Account.FullNode(nodes.name(node), load.attachedTo(node), more, load.limitOf(node)));
            }
        }
        full.sort(Comparator.comparingInt((Account.FullNode node) -> node.attached() + node.more() - node.limit())
                .thenComparing(Account.FullNode::node));
        return List.copyOf(full);
    }

    @Override
    public double distance(PodInfo pod, NodeInfo asked) {
        int node = LiveNode.idOf(asked);
        Map<String, List<Csi>> byDriver = byDriver(pod);
        double all = missingOn(node, byDriver.keySet()).size();
        for (Map.Entry<String, List<Csi>> driver : byDriver.entrySet()) {
            DriverLoad load = counts.attached().load(driver.getKey());
            int more = newOn(node, driver.getValue(), Map.of());
            if (load.exceeds(node, more)) {
                all += load.attachedTo(node) + more - (double) load.limitOf(node);
            }
        }
        return all;
    }

    private List<String> missingOn(int node, Collection<String> drivers) {
        return required(drivers).stream()
                .filter(driver -> !counts.attached().load(driver).installed().contains(node))
                .toList();
    }

    /**
     * The drivers that are missing; or else as many of the node's pods gone as have too many volumes together, those with the most of
     * them first.
     */
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        if (trouble(pod.pod()).isPresent()) {
            return ofClaims.remedies(pod.pod());
        }
        Map<String, List<Csi>> byDriver = byDriver(pod);
        List<String> missing = missingOn(LiveNode.idOf(node), byDriver.keySet());
        if (!missing.isEmpty()) {
            return List.of(List.of(new DriversInstalled(missing, node.name())));
        }
        List<Integer> rows = new ArrayList<>();
        for (int row = pods.firstOnNode(LiveNode.idOf(node)); row != PodTable.NONE; row = pods.nextOnNode(row)) {
            if (count(byDriver.keySet(), pods.pod(row)) > 0) {
                rows.add(row);
            }
        }
        rows.sort(Comparator.comparingInt((Integer row) -> -count(byDriver.keySet(), pods.pod(row)))
                .thenComparing(row -> pods.pod(row).key()));
        LimitsDryRun without = new LimitsDryRun(byDriver);
        without.begin(LiveNode.idOf(node));
        List<Change> gone = new ArrayList<>();
        for (int row : rows) {
            without.count(row, -1);
            gone.add(new PodGone(pods.pod(row), node.name()));
            if (without.verdict().isSuccess()) {
                return List.of(List.copyOf(gone));
            }
        }
        return List.of();
    }

    private int count(Set<String> drivers, Pod pod) {
        return (int) counts.identity().of(pod).stream()
                .filter(volume -> drivers.contains(volume.driver()))
                .count();
    }

    @Override
    public List<WakeUp> wakeUps() {
        List<WakeUp> wakeUps = new ArrayList<>(List.of(
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
                WakeUp.on(this::bringsItsVolumes, ChangeKind.ASSIGNED_POD_ADDED).alsoOfGangs()));
        if (needsDrivers) {
            wakeUps.add(WakeUp.on(
                            this::installsItsDriver,
                            ChangeKind.added(Kinds.CSI_NODE),
                            ChangeKind.updated(Kinds.CSI_NODE))
                    .alsoOfGangs());
            wakeUps.add(WakeUp.on(
                            this::itsDriverMayBeMissing,
                            ChangeKind.updated(Kinds.CSI_DRIVER),
                            ChangeKind.deleted(Kinds.CSI_DRIVER))
                    .alsoOfGangs());
        }
        return List.copyOf(wakeUps);
    }

    private boolean installsItsDriver(PendingPod waiting, ClusterChange change) {
        Set<String> before = change.before(CsiNode.class).map(CsiNode::drivers).orElse(Set.of());
        Set<String> after = change.after(CsiNode.class).orElseThrow().drivers();
        return required(driversOf(waiting)).stream()
                .anyMatch(driver -> after.contains(driver) && !before.contains(driver));
    }

    private boolean itsDriverMayBeMissing(PendingPod waiting, ClusterChange change) {
        CsiDriver before = change.before(CsiDriver.class).orElseThrow();
        return before.mustBeInstalled()
                && change.after(CsiDriver.class)
                        .filter(CsiDriver::mustBeInstalled)
                        .isEmpty()
                && driversOf(waiting).contains(before.meta().name());
    }

    private Set<String> driversOf(PendingPod waiting) {
        return counts.identity().of(waiting.pod()).stream().map(Csi::driver).collect(Collectors.toSet());
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
        return driversOf(waiting)
                .contains(change.before(VolumeAttachment.class).orElseThrow().attacher());
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

    /** Works out a node's volumes without the pods that leave: unless others there have them too, or they stay attached. */
    private final class LimitsDryRun implements FilterDryRun {
        private final Map<String, List<Csi>> wanted;
        private final List<String> required;
        /** How many volumes of pods more, or less, are this one than on the node. */
        private final Map<Csi, Integer> changes = new HashMap<>();

        private int node;

        LimitsDryRun(Map<String, List<Csi>> wanted) {
            this.wanted = wanted;
            required = required(wanted.keySet());
        }

        @Override
        public boolean begin(int nowNode) {
            node = nowNode;
            changes.clear();
            return hasDrivers().isSuccess() && (!verdict().isSuccess() || sharesVolumes());
        }

        private Status hasDrivers() {
            for (String driver : required) {
                if (!counts.attached().load(driver).installed().contains(node)) {
                    return missing(driver);
                }
            }
            return Status.SUCCESS;
        }

        /** A volume that the pod has in common with those who leave is one more to attach without them. */
        private boolean sharesVolumes() {
            return wanted.values().stream()
                    .flatMap(List::stream)
                    .anyMatch(csi -> counts.attached().podsWith(csi).get(node) > 0);
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
            for (PodVolume volume : pod.spec().volumes()) {
                counts.identity().of(pod, volume).ifPresent(csi -> changes.merge(csi, delta, Integer::sum));
            }
        }

        @Override
        public Status verdict() {
            Status drivers = hasDrivers();
            if (!drivers.isSuccess()) {
                return drivers;
            }
            for (Map.Entry<String, List<Csi>> driver : wanted.entrySet()) {
                DriverLoad load = counts.attached().load(driver.getKey());
                int more = newOn(node, driver.getValue(), changes);
                if (more > 0
                        && load.limited().contains(node)
                        && load.exceeds(node, attached(driver.getKey(), load), more)) {
                    return TOO_MANY;
                }
            }
            return Status.SUCCESS;
        }

        private int attached(String driver, DriverLoad load) {
            int count = load.attachedTo(node);
            for (Map.Entry<Csi, Integer> change : changes.entrySet()) {
                Csi csi = change.getKey();
                if (csi.driver().equals(driver)
                        && counts.attached().attachmentsOf(csi).get(node) == 0) {
                    int had = counts.attached().podsWith(csi).get(node);
                    count += (had + change.getValue() > 0 ? 1 : 0) - (had > 0 ? 1 : 0);
                }
            }
            return count;
        }
    }
}
