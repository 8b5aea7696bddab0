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
import io.evenkeel.framework.BatchFilterPlugin;
import io.evenkeel.framework.DryRunPlugin;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.cycle.FilterDryRun;
import io.evenkeel.framework.cycle.Rejections;
import io.evenkeel.framework.why.Account;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.ExplainingPlugin;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.model.value.Labels;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps pods to the zones and regions that the labels of their bound volumes name. A node without any such label is taken to be
 * in the right one, as in clusters of a single zone.
 */
public final class VolumeZone
        implements PreFilterPlugin, BatchFilterPlugin, DryRunPlugin, WakeUpPlugin, ExplainingPlugin {
    public static final String NAME = "VolumeZone";
    public static final PluginFactory FACTORY = TreeContext.factory(NAME, VolumeZone.class, VolumeZone::new);

    private static final Status ELSEWHERE = Status.unresolvable("node(s) had no available volume zone");
    private static final StateKey<Zones> ZONES = new StateKey<>("zones of the pod's volumes", Zones.class);

    private final KnownVolumes known;
    private final ZoneSearch search;
    private final NodeTable nodes;
    private final ClaimAnswers ofClaims;
    private final ZoneAnswers answers;

    public VolumeZone(TreeContext context) {
        known = new KnownVolumes(context.cluster());
        search = new ZoneSearch(NodesByLabel.of(context.cluster()));
        nodes = context.cluster().nodes();
        ofClaims = new ClaimAnswers(context.cluster());
        answers = new ZoneAnswers(known, nodes);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(Kinds.PERSISTENT_VOLUME_CLAIM, Kinds.PERSISTENT_VOLUME, Kinds.STORAGE_CLASS);
    }

    /** Where a pod's volumes are, or why that cannot be told. */
    private sealed interface Where {
        record In(Zones zones) implements Where {}

        record Unknown(Status status) implements Where {}
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return PreFilterResult.SKIP;
        }
        return switch (where(pod.pod())) {
            case Where.Unknown(Status status) -> new PreFilterResult.Rejected(status);
            case Where.In(Zones zones) when zones.isAnywhere() -> PreFilterResult.SKIP;
            case Where.In(Zones zones) -> {
                state.put(ZONES, zones);
                yield PreFilterResult.PROCEED;
            }
        };
    }

    private Where where(Pod pod) {
        Zones zones = Zones.ANYWHERE;
        for (PodVolume volume : pod.spec().volumes()) {
            if (KnownVolumes.isClaim(volume)) {
                switch (where(pod, volume.id())) {
                    case Where.In(Zones more) -> zones = zones.and(more);
                    case Where.Unknown unknown -> {
                        return unknown;
                    }
                }
            }
        }
        return new Where.In(zones);
    }

    private Where where(Pod pod, String claimName) {
        if (claimName.isEmpty()) {
            return unknown("PersistentVolumeClaim had no name");
        }
        Optional<PersistentVolumeClaim> claim = known.claim(pod, claimName);
        if (claim.isEmpty()) {
            return new Where.Unknown(KnownVolumes.claimNotFound(claimName));
        }
        String volumeName = claim.get().volumeName();
        if (volumeName.isEmpty()) {
            return ofUnbound(claim.get());
        }
        Optional<PersistentVolume> volume = known.volume(volumeName);
        return volume.isPresent()
                ? new Where.In(Zones.of(volume.get()))
                : new Where.Unknown(KnownVolumes.notFound("persistentvolume", volumeName));
    }

    private Where ofUnbound(PersistentVolumeClaim claim) {
        String className = claim.terms().storageClass();
        if (className.isEmpty()) {
            return unknown("PersistentVolumeClaim had no pv name and storageClass name");
        }
        Optional<StorageClass> storageClass = known.storageClass(className);
        if (storageClass.isEmpty()) {
            return new Where.Unknown(KnownVolumes.notFound("storageclass.storage.k8s.io", className));
        }
        if (storageClass.get().bindingMode().isEmpty()) {
            return unknown("VolumeBindingMode not set for StorageClass \"" + className + "\"");
        }
        return storageClass.get().bindsLate() ? new Where.In(Zones.ANYWHERE) : unknown("PersistentVolume had no name");
    }

    private static Where unknown(String reason) {
        return new Where.Unknown(Status.unresolvable(reason));
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        PodInfo pod = PodInfo.of(waiting);
        return verdict(where(state, pod), node.node());
    }

    /** A profile may have it filter without asking it before. */
    private Where where(CycleState state, PodInfo pod) {
        return state.find(ZONES).<Where>map(Where.In::new).orElseGet(() -> where(pod.pod()));
    }

    private static Status verdict(Where where, Node node) {
        return switch (where) {
            case Where.In(Zones zones) -> verdict(zones, node);
            case Where.Unknown(Status status) -> status;
        };
    }

    private static Status verdict(Zones zones, Node node) {
        return zones.include(node.labels()) ? Status.SUCCESS : ELSEWHERE;
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        switch (where(state, pod)) {
            case Where.In(Zones zones) -> rejections.reject(candidates, search.outside(zones), ELSEWHERE);
            case Where.Unknown(Status status) -> rejections.keepOnly(candidates, NodeSetView.NONE, status);
        }
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return FilterDryRun.PASSES;
        }
        Where where = where(pod.pod());
        return where instanceof Where.In(Zones zones) && zones.isAnywhere()
                ? FilterDryRun.PASSES
                : FilterDryRun.byPod(node -> verdict(where, nodes.node(node)));
    }

    @Override
    public List<Account> accounts(PodInfo pod) {
        return where(pod.pod()) instanceof Where.Unknown ? ofClaims.accounts(pod.pod()) : answers.accounts(pod.pod());
    }

    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        return answers.labelsOfNewNodes(pod.pod());
    }

    /** Where a volume is stays as it is, and so does where a node is. */
    @Override
    public List<List<Change>> remedies(PodInfo pod, NodeInfo node) {
        return where(pod.pod()) instanceof Where.Unknown ? ofClaims.remedies(pod.pod()) : List.of();
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                KnownVolumes.onNodes(this::isInItsZones),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER),
                KnownVolumes.forVolumes(
                        VolumeZone::isLate,
                        ChangeKind.added(Kinds.STORAGE_CLASS),
                        ChangeKind.updated(Kinds.STORAGE_CLASS)),
                KnownVolumes.onItsClaims(),
                KnownVolumes.forVolumes(
                        VolumeZone::isInOtherZones,
                        ChangeKind.added(Kinds.PERSISTENT_VOLUME),
                        ChangeKind.updated(Kinds.PERSISTENT_VOLUME)));
    }

    private boolean isInItsZones(PendingPod waiting, ClusterChange change) {
        return where(waiting.pod()) instanceof Where.In(Zones zones)
                && change.after(Node.class)
                        .filter(node -> zones.include(node.labels()))
                        .isPresent();
    }

    /** Where a claim is bound late, nothing is known of a zone before. */
    private static boolean isLate(PendingPod waiting, ClusterChange change) {
        return change.after(StorageClass.class).filter(StorageClass::bindsLate).isPresent();
    }

    private static boolean isInOtherZones(PendingPod waiting, ClusterChange change) {
        Optional<Zones> before = change.before(PersistentVolume.class).map(Zones::of);
        return before.isEmpty()
                || !before.equals(change.after(PersistentVolume.class).map(Zones::of));
    }

    /** Finds all nodes at once that are in the wrong zone. */
    private static final class ZoneSearch {
        private final NodesByLabel labels;
        private final NodeSet somewhere = new NodeSet();
        private final NodeSet admitted = new NodeSet();
        private final NodeSet named = new NodeSet();
        private final NodeSet outside = new NodeSet();

        ZoneSearch(NodesByLabel labels) {
            this.labels = labels;
        }

        /** The nodes that say where they are, and are in none of these; valid until the next call. */
        NodeSetView outside(Zones zones) {
            somewhere.clear();
            Zones.KEYS.forEach(key -> labels.addHaving(key, somewhere));
            outside.clear();
            for (Zones.Label label : zones.all()) {
                admit(label);
                named.copyFrom(somewhere);
                named.removeAll(admitted);
                outside.addAll(named);
            }
            return outside;
        }

        /** A label of old goes before the one that nodes have today. */
        private void admit(Zones.Label label) {
            admitted.clear();
            label.values().forEach(value -> labels.addHaving(label.newKey(), value, admitted));
            if (!label.newKey().equals(label.key())) {
                named.clear();
                labels.addHaving(label.key(), named);
                admitted.removeAll(named);
                label.values().forEach(value -> labels.addHaving(label.key(), value, admitted));
            }
        }
    }
}
