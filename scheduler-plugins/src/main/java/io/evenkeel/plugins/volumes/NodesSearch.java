package io.evenkeel.plugins.volumes;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.NodeSet;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.model.storage.PersistentVolume;
import io.evenkeel.model.storage.PersistentVolumeClaim;
import io.evenkeel.model.storage.StorageClass;
import io.evenkeel.plugins.volumes.ClaimReader.PodClaims;
import io.evenkeel.plugins.volumes.NodeSearch.NodeReasons;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds out for all nodes at once what is against them: what {@link NodeSearch} finds for one. It goes from volume to volume,
 * not from node to node, and takes out of the nodes still to be decided those that the volume reaches.
 *
 * <pre>
 *   a claim of 5 GiB; free are u (5 GiB, on n1) and v (8 GiB, on n1 and n2)
 *   nodes without a volume     {n1, n2, n3}
 *   u is n1's                  {n2, n3}
 *   v is n2's                  {n3}              n3 is left: can one be made there?
 * </pre>
 */
final class NodesSearch {
    /** That are gone through for a claim, roughly. */
    private static final int SETS_A_CLAIM = 8;

    private final NodeTable nodes;
    private final Work work;
    private final KnownVolumes known;
    private final VolumeBook book;
    private final Reach reach;
    private final Capacities capacities;
    private final NodeSearch single;

    private final NodeSet[] against = new NodeSet[NodeReasons.END];
    private final NodeSet undecided = new NodeSet();
    private final NodeSet outside = new NodeSet();
    private final NodeSet open = new NodeSet();
    private final NodeSet all = new NodeSet();
    private final NodeSet byAll = new NodeSet();
    private final NodeSet reached = new NodeSet();
    private final NodeSet room = new NodeSet();
    private final List<NodeSet> withoutVolume = new ArrayList<>();
    private final Map<String, NodeSet> taken = new HashMap<>();
    private Findings findings = Findings.NOT_TOLD;

    NodesSearch(ClusterView cluster, KnownVolumes known, VolumeBook book, Reach reach, NodeSearch single) {
        nodes = cluster.nodes();
        work = cluster.work();
        this.known = known;
        this.book = book;
        this.reach = reach;
        this.single = single;
        capacities = Capacities.of(cluster);
        for (int i = 0; i < NodeReasons.END; i++) {
            against[i] = new NodeSet();
        }
    }

    /** Looks at these nodes for a pod with these claims; {@link #against} tells what came of it. */
    void search(PodClaims claims, NodeSet candidates) {
        search(claims, candidates, Findings.NOT_TOLD);
    }

    /** The same, and tells what it finds; on nodes that something is against, that means nothing. */
    void search(PodClaims claims, NodeSet candidates, Findings told) {
        findings = told;
        work.addSets(SETS_A_CLAIM * (claims.bound().size() + claims.unbound().size()), nodes.end());
        for (NodeSet each : against) {
            each.clear();
        }
        undecided.copyFrom(candidates);
        searchBound(claims.bound());
        if (!claims.unbound().isEmpty()) {
            undecided.copyFrom(candidates);
            searchUnbound(claims.unbound());
        }
    }

    /** The nodes against which there are all of these reasons, and perhaps others; valid until the next call. */
    NodeSetView againstBy(int reasons) {
        int first = Integer.lowestOneBit(reasons);
        int rest = reasons & ~first;
        if (rest == 0 || against[first].isEmpty()) {
            return against[first];
        }
        byAll.copyFrom(against[first]);
        for (int bit = first << 1; bit < NodeReasons.END; bit <<= 1) {
            if ((rest & bit) != 0) {
                byAll.retainAll(against[bit]);
            }
        }
        return byAll;
    }

    private void searchBound(List<PersistentVolumeClaim> bound) {
        for (PersistentVolumeClaim claim : bound) {
            Optional<PersistentVolume> volume = book.volume(claim.volumeName());
            if (volume.isEmpty()) {
                against[NodeReasons.VOLUME_MISSING].addAll(undecided);
                return;
            }
            reach.selectBound(volume.get(), reached);
            decide(undecided, reached, NodeReasons.OUT_OF_REACH);
        }
    }

    /** Decides against the undecided nodes among some that are not among these, for this reason. */
    private void decide(NodeSet among, NodeSet butThese, int reason) {
        outside.copyFrom(among);
        outside.removeAll(butThese);
        outside.retainAll(undecided);
        against[reason].addAll(outside);
        undecided.removeAll(outside);
    }

    private void searchUnbound(List<PersistentVolumeClaim> unbound) {
        List<PersistentVolumeClaim> toFind = new ArrayList<>();
        List<PersistentVolumeClaim> toMake = new ArrayList<>();
        for (PersistentVolumeClaim claim : unbound) {
            Optional<String> selected = claim.selectedNode();
            if (selected.isEmpty()) {
                toFind.add(claim);
            } else {
                selectOnly(selected.get());
                decide(undecided, reached, NodeReasons.NOTHING_TO_BIND);
                toMake.add(claim);
            }
        }
        toFind.sort(NodeSearch.SMALLEST_FIRST);
        taken.clear();
        for (int i = 0; i < toFind.size(); i++) {
            NodeSet without = withoutVolume(i);
            without.copyFrom(undecided);
            match(toFind.get(i), without, i + 1 < toFind.size());
        }
        for (PersistentVolumeClaim claim : toMake) {
            all.copyFrom(undecided);
            make(claim, all);
        }
        for (int i = 0; i < toFind.size(); i++) {
            make(toFind.get(i), withoutVolume(i));
        }
    }

    private void selectOnly(String name) {
        reached.clear();
        int node = nodes.findPresent(name);
        if (node >= 0) {
            reached.add(node);
        }
    }

    private NodeSet withoutVolume(int claim) {
        while (withoutVolume.size() <= claim) {
            withoutVolume.add(new NodeSet());
        }
        return withoutVolume.get(claim);
    }

    /**
     * Takes out of the nodes those on which there is a volume for the claim.
     *
     * @param others whether more claims of the pod follow, which may not get the same
     */
    private void match(PersistentVolumeClaim claim, NodeSet without, boolean others) {
        open.copyFrom(without);
        for (PersistentVolume volume : book.ofClaim(claim)) {
            if (NodeSearch.isReserved(volume, claim)) {
                take(volume, claim, without, others);
                // where it does not reach, none does
                retainTaken(volume);
            }
        }
        int looked = 0;
        for (PersistentVolume volume : book.free(claim.terms().storageClass(), NodeSearch.sizeOf(claim))) {
            if (open.isEmpty()) {
                break;
            }
            looked++;
            if (NodeSearch.suits(volume, claim)) {
                take(volume, claim, without, others);
            }
        }
        work.add(looked);
    }

    /** The volume is for this claim on all nodes that it reaches, but where another claim of the pod has it. */
    private void take(PersistentVolume volume, PersistentVolumeClaim claim, NodeSet without, boolean others) {
        reach.select(volume, reached);
        reached.retainAll(open);
        NodeSet before = taken.get(volume.name());
        if (before != null) {
            reached.removeAll(before);
        }
        findings.found(claim, volume, reached);
        open.removeAll(reached);
        without.removeAll(reached);
        if (others && !reached.isEmpty()) {
            taken.computeIfAbsent(volume.name(), _ -> new NodeSet()).addAll(reached);
        }
    }

    /** Leaves open the nodes where another claim of the pod has this volume. */
    private void retainTaken(PersistentVolume volume) {
        NodeSet before = taken.get(volume.name());
        if (before == null) {
            open.clear();
        } else {
            open.retainAll(before);
        }
    }

    /** Decides the nodes near which no volume can be made for the claim. */
    private void make(PersistentVolumeClaim claim, NodeSet on) {
        if (!on.intersects(undecided)) {
            return;
        }
        Optional<StorageClass> storageClass = known.storageClass(claim.terms().storageClass());
        reached.clear();
        if (storageClass.filter(StorageClass::provisions).isPresent()) {
            reach.select(storageClass.get(), reached);
        }
        decide(on, reached, NodeReasons.NOTHING_TO_BIND);
        if (storageClass.isPresent() && single.needsRoom(claim, storageClass.get())) {
            capacities.select(
                    storageClass.get().name(), NodeSearch.sizeOf(claim).value(), room);
            decide(on, room, NodeReasons.NO_SPACE);
            on.retainAll(undecided);
            findings.toBeMade(claim, on);
        }
    }

    /** Is told which volumes {@link NodesSearch} finds where. */
    interface Findings {
        Findings NOT_TOLD = new Findings() {
            @Override
            public void found(PersistentVolumeClaim claim, PersistentVolume volume, NodeSetView nodes) {}

            @Override
            public void toBeMade(PersistentVolumeClaim claim, NodeSetView nodes) {}
        };

        /** The claim gets this volume on these nodes. */
        void found(PersistentVolumeClaim claim, PersistentVolume volume, NodeSetView nodes);

        /** One is to be made for the claim near these nodes, for which there has to be room. */
        void toBeMade(PersistentVolumeClaim claim, NodeSetView nodes);
    }
}
