package io.evenkeel.plugins.volumes;

import static io.evenkeel.plugins.volumes.DiskZones.BETA_REGION;
import static io.evenkeel.plugins.volumes.DiskZones.BETA_ZONE;
import static io.evenkeel.plugins.volumes.DiskZones.BETWEEN_ZONES;
import static io.evenkeel.plugins.volumes.DiskZones.REGION;
import static io.evenkeel.plugins.volumes.DiskZones.ZONE;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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

    public VolumeZone(TreeContext context) {
        known = new KnownVolumes(context.cluster());
        search = new ZoneSearch(NodesByLabel.of(context.cluster()));
        nodes = context.cluster().nodes();
        ofClaims = new ClaimAnswers(context.cluster());
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
        record Unknown(Status status) implements Where {}
    }

    @Override
    public PreFilterResult preFilter(CycleState state, PendingPod pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return PreFilterResult.SKIP;
        }
        return switch (where(pod.pod())) {
            case Where.Unknown(Status status) -> new PreFilterResult.Rejected(status);
            case Zones zones when zones.isAnywhere() -> PreFilterResult.SKIP;
            case Zones zones -> {
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
                    case Zones more -> zones = zones.and(more);
                    case Where.Unknown unknown -> {
                        return unknown;
                    }
                }
            }
        }
        return zones;
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
                ? Zones.of(volume.get())
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
        return storageClass.get().bindsLate() ? Zones.ANYWHERE : unknown("PersistentVolume had no name");
    }

    private static Where unknown(String reason) {
        return new Where.Unknown(Status.unresolvable(reason));
    }

    @Override
    public Status filter(CycleState state, PendingPod waiting, NodeInfo node) {
        return verdict(where(state, PodInfo.of(waiting)), node.node());
    }

    /** A profile may have it filter without asking it before. */
    private Where where(CycleState state, PodInfo pod) {
        Optional<Zones> told = state.find(ZONES);
        return told.isPresent() ? told.get() : where(pod.pod());
    }

    private static Status verdict(Where where, Node node) {
        return switch (where) {
            case Zones zones -> zones.include(node.labels()) ? Status.SUCCESS : ELSEWHERE;
            case Where.Unknown(Status status) -> status;
        };
    }

    @Override
    public void filterAll(CycleState state, PodInfo pod, NodeSet candidates, Rejections rejections) {
        switch (where(state, pod)) {
            case Zones zones -> rejections.reject(candidates, search.outside(zones), ELSEWHERE);
            case Where.Unknown(Status status) -> rejections.keepOnly(candidates, NodeSetView.NONE, status);
        }
    }

    @Override
    public FilterDryRun dryRun(PodInfo pod) {
        if (pod.pod().spec().volumes().isEmpty()) {
            return FilterDryRun.PASSES;
        }
        Where where = where(pod.pod());
        return where instanceof Zones zones && zones.isAnywhere()
                ? FilterDryRun.PASSES
                : FilterDryRun.ofPodAlone(node -> verdict(where, nodes.node(node)));
    }

    @Override
    public List<Account> accounts(PodInfo asking) {
        Pod pod = asking.pod();
        if (where(pod) instanceof Where.Unknown) {
            return ofClaims.accounts(pod);
        }
        List<Account> accounts = new ArrayList<>();
        known.claimsOf(pod)
                .distinct()
                .forEach(claim -> known.volume(claim.volumeName()).ifPresent(volume -> {
                    Zones zones = Zones.of(volume);
                    List<String> there = nodesIn(zones);
                    if (there.size() < nodes.count()) {
                        accounts.add(Account.Places.of(
                                "claim " + claim.key() + ": volume " + volume.name() + " with " + text(zones),
                                there,
                                nodes.count()));
                    }
                }));
        return List.copyOf(accounts);
    }

    private List<String> nodesIn(Zones zones) {
        return IntStream.range(0, nodes.end())
                .filter(node ->
                        nodes.isPresent(node) && zones.include(nodes.node(node).labels()))
                .mapToObj(nodes::name)
                .toList();
    }

    private static String text(Zones zones) {
        return zones.all().stream()
                .map(label -> label.key() + "=" + String.join(" or ", new TreeSet<>(label.values())))
                .collect(Collectors.joining(" and "));
    }

    /** The one set of labels by which a node is where all volumes are; none where they are apart. */
    @Override
    public List<Labels> labelsOfNewNodes(PodInfo pod) {
        Map<String, Set<String>> values = new TreeMap<>();
        known.claimsOf(pod.pod())
                .flatMap(claim -> known.volume(claim.volumeName()).stream())
                .flatMap(volume -> Zones.of(volume).all().stream())
                .forEach(label -> values.computeIfAbsent(label.newKey(), _ -> new TreeSet<>(label.values()))
                        .retainAll(label.values()));
        if (values.isEmpty() || values.values().stream().anyMatch(Set::isEmpty)) {
            return List.of();
        }
        Map<String, String> labels = new TreeMap<>();
        values.forEach((key, some) -> labels.put(key, some.iterator().next()));
        return List.of(Labels.of(labels));
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
        return where(waiting.pod()) instanceof Zones zones
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

    /** The zones and regions in which a pod's volumes are: one label of a volume each; a node must meet all. */
    private record Zones(List<Label> all) implements Where {
        static final Zones ANYWHERE = new Zones(List.of());

        static final List<String> KEYS = List.of(BETA_ZONE, BETA_REGION, ZONE, REGION);

        /** A label of a volume, and the values of it that do. */
        record Label(String key, Set<String> values) {

            /** The name that the label has today, by which a node may have it. */
            String newKey() {
                return switch (key) {
                    case BETA_ZONE -> ZONE;
                    case BETA_REGION -> REGION;
                    default -> key;
                };
            }

            boolean admits(Labels node) {
                int index = node.find(key);
                int found = index < 0 ? node.find(newKey()) : index;
                return found >= 0 && values.contains(node.valueAt(found));
            }
        }

        /** A label that names no zone, or an empty one among others, says nothing. */
        static Zones of(PersistentVolume volume) {
            Zones zones = ANYWHERE;
            for (int i = 0; i < KEYS.size(); i++) {
                Set<String> values = valuesOf(volume.meta().labels().getOrDefault(KEYS.get(i), ""));
                if (!values.isEmpty()) {
                    zones = zones.and(new Zones(List.of(new Label(KEYS.get(i), values))));
                }
            }
            return zones;
        }

        private static Set<String> valuesOf(String text) {
            if (!text.contains(BETWEEN_ZONES)) {
                return text.isBlank() ? Set.of() : Set.of(text);
            }
            List<String> values = List.of(text.split(BETWEEN_ZONES, -1));
            return values.stream().anyMatch(String::isBlank) ? Set.of() : Set.copyOf(values);
        }

        Zones and(Zones more) {
            if (isAnywhere() || more.isAnywhere()) {
                return isAnywhere() ? more : this;
            }
            List<Label> both = new ArrayList<>(all);
            both.addAll(more.all);
            return new Zones(both);
        }

        boolean isAnywhere() {
            return all.isEmpty();
        }

        boolean include(Labels node) {
            if (KEYS.stream().noneMatch(node::has)) {
                return true;
            }
            for (int i = 0; i < all.size(); i++) {
                if (!all.get(i).admits(node)) {
                    return false;
                }
            }
            return true;
        }
    }
}
