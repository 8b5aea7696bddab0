package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ClusterIndex.AuditFacts;
import io.evenkeel.cluster.index.ClusterIndex.Differences;
import io.evenkeel.cluster.index.ShrinkingMap;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.node.SparseCounts;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.PodVolume.Source;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The pods on each node that have a claim, and the pods that have a disk. Pods without volumes are in none of it. */
final class UsedVolumes implements ClusterIndex {
    private static final SparseCounts NOWHERE = SparseCounts.create().counts();

    private final PodTable pods;
    private final Map<String, Count> claims = new ShrinkingMap<>();
    private final Map<Disk.Use, Count> disks = new ShrinkingMap<>();

    private static final class Count {
        final SparseCounts.Writer byNode = SparseCounts.create();
        int total;
    }

    private UsedVolumes(PodTable pods) {
        this.pods = pods;
    }

    static UsedVolumes of(ClusterView cluster) {
        return cluster.index(UsedVolumes.class, view -> new UsedVolumes(view.pods()));
    }

    /** How many pods of each node have the claim of this key. */
    SparseCounts ofClaim(String key) {
        return at(claims, key);
    }

    /** How many pods of each node have a use for the disk that this use conflicts with, by the kind of use. */
    List<SparseCounts> inTheWayOf(Disk.Use use) {
        SparseCounts writing = at(disks, new Disk.Use(use.disk(), false));
        return use.readOnly() ? List.of(writing) : List.of(writing, at(disks, new Disk.Use(use.disk(), true)));
    }

    private static <K> SparseCounts at(Map<K, Count> counts, K key) {
        Count count = counts.get(key);
        return count == null ? NOWHERE : count.byNode.counts();
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
        List<PodVolume> volumes = pod.spec().volumes();
        if (volumes.isEmpty()) {
            return;
        }
        for (PodVolume volume : volumes) {
            if (KnownVolumes.isClaim(volume)) {
                add(claims, KnownVolumes.claimKey(pod, volume.id()), node, delta);
            }
        }
        Disk.usedBy(pod).forEach(use -> add(disks, use, node, delta));
    }

    private static <K> void add(Map<K, Count> counts, K key, int node, int delta) {
        Count count = counts.computeIfAbsent(key, _ -> new Count());
        count.byNode.add(node, delta);
        count.total += delta;
        if (count.total == 0) {
            counts.remove(key);
        }
    }

    @Override
    public void audit(AuditFacts facts, Differences differences) {
        UsedVolumes anew = new UsedVolumes(pods);
        facts.pods().forEach(placed -> anew.add(placed.pod(), placed.node(), 1));
        audit("claim", claims, anew.claims, facts, differences);
        audit("disk", disks, anew.disks, facts, differences);
    }

    private static <K> void audit(
            String what, Map<K, Count> kept, Map<K, Count> anew, AuditFacts facts, Differences differences) {
        Set<K> all = new LinkedHashSet<>(kept.keySet());
        all.addAll(anew.keySet());
        for (K key : all) {
            differences.compare(
                    () -> "pods with " + what + " " + key,
                    at(kept, key).byName(facts::nameOf),
                    at(anew, key).byName(facts::nameOf));
        }
    }

    @Override
    public void describe(AuditFacts facts, Consumer<String> line) {
        claims.forEach((key, count) ->
                line.accept("claim " + key + " " + count.byNode.counts().byName(facts::nameOf)));
        disks.forEach(
                (use, count) -> line.accept(use + " " + count.byNode.counts().byName(facts::nameOf)));
    }

    /**
     * A disk that a pod names without a claim: on one node, either pods that leave it as it is have it, or one that does not. An
     * image of Ceph is one for each of its monitors, as pods that share a monitor share the image.
     */
    record Disk(Source source, String id) {

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
