package io.evenkeel.cluster;

import io.evenkeel.api.Cluster;
import io.evenkeel.api.Ledger;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.cluster.ClusterState.ClusterLimits;
import io.evenkeel.cluster.counting.CarriedTerms;
import io.evenkeel.cluster.counting.DomainCounters;
import io.evenkeel.cluster.counting.ExtendedResources;
import io.evenkeel.cluster.counting.Namespaces;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.counting.Workloads;
import io.evenkeel.cluster.index.ClusterIndex;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.index.Work;
import io.evenkeel.cluster.node.Derivations;
import io.evenkeel.cluster.node.HostPorts;
import io.evenkeel.cluster.node.NodeImages;
import io.evenkeel.cluster.node.NodeRanking;
import io.evenkeel.cluster.node.NodeSetView;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.cluster.shape.ResourceNames;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as everybody but its one writer sees it: nothing here, nor on anything that is handed out here, changes
 * what is known of it. It is live, not a copy: to be read on the engine's thread, and again each time.
 *
 * <p>What readers work out is interned and kept up to date for them: pods that they admit, masks and columns, and the
 * groups and counters of {@link SelectorIndex} and {@link DomainCounters}. That is no change of the cluster; the
 * reader that asked for one gives it back once.
 */
public final class ClusterView implements Cluster {
    private static final int INTS_IN_64_MB = 64 * 1024 * 1024 / Integer.BYTES;
    private static final int RANKED_NODES_IN_192_MB = 192 * 1024 * 1024 / NodeRanking.BYTES_A_NODE;
    /** Four bits for each. */
    private static final int NODES_OF_SETS_IN_64_MB = 64 * 1024 * 1024 * 2;

    private static final int FEWEST_COLUMNS = 64;
    private static final int MOST_COLUMNS = 8192;
    private static final int MOST_SETS = 16_384;

    private final FeatureGates featureGates;
    private final Work work;
    private final ResourceNames resources;
    private final NodeTable nodes;
    private final PodTable pods;
    private final PodShapes shapes;
    private final PodShapes.Writer shapeUsers;
    private final Namespaces namespaces;
    private final ObjectStore objects;
    private final Workloads workloads;
    private final DomainCounters counters;
    private final SelectorIndex selectors;
    private final CarriedTerms carriedTerms;
    private final HostPorts hostPorts;
    private final NodeImages images;
    private final ExtendedResources extendedResources;
    private final Derivations derivations;
    private final ClusterIndexes indexes;
    private final Map<Class<? extends ClusterIndex>, ClusterIndex> registered = new HashMap<>();
    private final Map<Class<? extends Ledger>, LedgerIndex> ledgers = new HashMap<>();
    private @Nullable LiveNode[] nodeInfos = new LiveNode[64];

    ClusterView(ClusterWriters writers) {
        featureGates = writers.featureGates;
        work = writers.work;
        resources = writers.resources;
        nodes = writers.nodes.table();
        pods = writers.pods.table();
        shapes = writers.shapes.shapes();
        shapeUsers = writers.shapes;
        namespaces = writers.namespaces.namespaces();
        objects = writers.objects.objects();
        workloads = writers.workloads.workloads();
        counters = writers.counters.counters();
        selectors = writers.selectors.selectors();
        carriedTerms = writers.carriedTerms.carriedTerms();
        hostPorts = writers.hostPorts.hostPorts();
        images = writers.images.images();
        extendedResources = writers.extendedResources.resources();
        derivations = writers.derivations.derivations();
        indexes = writers.indexes;
    }

    /** A cluster of nothing, to make plugins from that will never see a pod. */
    public static ClusterView empty(FeatureGates featureGates) {
        return new ClusterView(new ClusterWriters(featureGates, ClusterLimits.USUAL));
    }

    public FeatureGates featureGates() {
        return featureGates;
    }

    /** The work that was done so far; who does more of it says so here. */
    public Work work() {
        return work;
    }

    public ResourceNames resources() {
        return resources;
    }

    public NodeTable nodes() {
        return nodes;
    }

    public PodTable pods() {
        return pods;
    }

    public PodShapes shapes() {
        return shapes;
    }

    public Namespaces namespaces() {
        return namespaces;
    }

    /** Returns all that there is beside nodes and pods, of all kinds that are watched. */
    public ObjectStore objects() {
        return objects;
    }

    public Workloads workloads() {
        return workloads;
    }

    public DomainCounters counters() {
        return counters;
    }

    public SelectorIndex selectors() {
        return selectors;
    }

    public CarriedTerms carriedTerms() {
        return carriedTerms;
    }

    public HostPorts hostPorts() {
        return hostPorts;
    }

    public NodeImages images() {
        return images;
    }

    /** The masks, columns and groups that readers derive from nodes. */
    public Derivations derivations() {
        return derivations;
    }

    public NodeInfo nodeInfo(int node) {
        if (node >= nodeInfos.length) {
            nodeInfos = Arrays.copyOf(nodeInfos, Math.max(node + 1, nodeInfos.length * 2));
        }
        LiveNode info = nodeInfos[node];
        if (info == null) {
            info = new LiveNode(this, node);
            nodeInfos[node] = info;
        }
        return info;
    }

    @Override
    public Optional<NodeInfo> nodeInfo(String name) {
        int node = nodes.findPresent(name);
        return node < 0 ? Optional.empty() : Optional.of(nodeInfo(node));
    }

    @Override
    public Collection<NodeInfo> nodeInfos() {
        return nodeInfos(nodes.present());
    }

    /** The nodes of a set one by one, as they are while the set is as it is. */
    public Collection<NodeInfo> nodeInfos(NodeSetView set) {
        return new NodesOneByOne(set);
    }

    @Override
    public <T extends KubernetesObject> Optional<T> find(Kind<T> kind, String key) {
        if (kind.equals(Kinds.NODE)) {
            return node(key).map(kind.type()::cast);
        }
        if (kind.equals(Kinds.POD)) {
            return pod(key).map(kind.type()::cast);
        }
        return objects.find(kind, key);
    }

    @Override
    public <T extends KubernetesObject> Collection<T> all(Kind<T> kind) {
        if (kind.equals(Kinds.NODE)) {
            return nodeInfos().stream()
                    .map(NodeInfo::node)
                    .map(kind.type()::cast)
                    .toList();
        }
        if (kind.equals(Kinds.POD)) {
            return placedPods().stream().map(kind.type()::cast).toList();
        }
        return objects.all(kind);
    }

    /** The node of this name, as it was last put. */
    public Optional<Node> node(String name) {
        int id = nodes.findPresent(name);
        return id < 0 ? Optional.empty() : Optional.of(nodes.node(id));
    }

    /** A pod in place, be it assumed. */
    public Optional<Pod> pod(String key) {
        int row = pods.find(key);
        return row == PodTable.NONE ? Optional.empty() : Optional.of(pods.pod(row));
    }

    /** The object of the same kind and name, as it was last put: to tell what a change changes. */
    public Optional<KubernetesObject> like(KubernetesObject object) {
        return switch (object) {
            case Node node -> node(node.name()).map(found -> found);
            case Pod pod -> pod(pod.key()).map(found -> found);
            default -> objects.like(object);
        };
    }

    /** All objects of a kind, by the name of the kind: to tell what a new listing no longer contains. */
    public List<KubernetesObject> all(String kind) {
        return switch (kind) {
            case "Node" -> List.copyOf(all(Kinds.NODE));
            case "Pod" -> List.copyOf(placedPods());
            default -> objects.all(kind);
        };
    }

    /** Whether the pod was placed and the word of its binding has not come yet. */
    public boolean isAssumed(String podKey) {
        int row = pods.find(podKey);
        return row != PodTable.NONE && pods.isAssumed(row);
    }

    public List<Pod> placedPods() {
        List<Pod> all = new ArrayList<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                all.add(pods.pod(row));
            }
        }
        return all;
    }

    /** Answers what {@code reader} says of the pod, which is admitted for as long as that takes and placed nowhere. */
    public <R> R read(Pod pod, Function<PodInfo, R> reader) {
        Facet<PodShape> shape = shapeUsers.acquire(pod);
        try {
            return reader.apply(new PodInfo(pod, shape));
        } finally {
            shapeUsers.release(shape);
        }
    }

    /** The extended resources that stand for devices. */
    public ExtendedResources extendedResources() {
        return extendedResources;
    }

    /** Whether the pod claims devices, or asks for such by extended resources. */
    public boolean needsDevices(Pod pod) {
        return !pod.spec().resourceClaims().isEmpty() || extendedResources.areAskedForBy(pod);
    }

    /** The same of a pod with its shape, which most pods are told by. */
    public boolean needsDevices(PodInfo pod) {
        return !pod.pod().spec().resourceClaims().isEmpty()
                || (extendedResources.mayBeAmong(pod.shape().resources().value().asked())
                        && extendedResources.areAskedForBy(pod.pod()));
    }

    /**
     * The index of this type, which plugins of all profiles share: made and filled when it is first asked for, from then
     * on kept up to date as long as the cluster is.
     */
    public <I extends ClusterIndex> I index(Class<I> type, Function<ClusterView, I> make) {
        ClusterIndex known = registered.get(type);
        if (known == null) {
            known = make.apply(this);
            registered.put(type, known);
            fill(known);
            indexes.add(known);
        }
        return type.cast(known);
    }

    @Override
    public <L extends Ledger> L ledger(Class<L> type, Supplier<L> make) {
        LedgerIndex known = ledgers.get(type);
        if (known == null) {
            known = new LedgerIndex(this, make);
            ledgers.put(type, known);
            fill(known);
            indexes.add(known);
        }
        return type.cast(known.ledger());
    }

    private void fill(ClusterIndex index) {
        objects.all().forEach(object -> index.objectChanged(Optional.empty(), Optional.of(object)));
        for (int node = nodes.present().first();
                node >= 0;
                node = nodes.present().next(node + 1)) {
            index.nodeChanged(node, Optional.empty(), Optional.of(nodes.node(node)));
        }
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                index.podPlaced(row);
            }
        }
    }

    /** How many facets a plugin should keep columns for: as many as fill 64 MB with an int for each node. */
    public int columnsWorthKeeping() {
        return worthKeeping(INTS_IN_64_MB);
    }

    /** How many rankings are worth their memory: as many as fill 192 MB. Kinds of pods without one of their own share some. */
    public int rankingsWorthKeeping() {
        return worthKeeping(RANKED_NODES_IN_192_MB);
    }

    /** As many facets as fill 64 MB, if a plugin keeps no more of each than a few bits for each node. */
    public int setsWorthKeeping() {
        return Math.clamp(NODES_OF_SETS_IN_64_MB / Math.max(1, nodes.end()), FEWEST_COLUMNS, MOST_SETS);
    }

    private int worthKeeping(int nodesOfAll) {
        return Math.clamp(nodesOfAll / Math.max(1, nodes.end()), FEWEST_COLUMNS, MOST_COLUMNS);
    }

    List<ClusterIndex> indexes() {
        return indexes.all();
    }

    /** The nodes of a set, for plugins that look at them one by one. Those of the tree take the set. */
    private final class NodesOneByOne extends AbstractCollection<NodeInfo> {
        private final NodeSetView set;

        NodesOneByOne(NodeSetView set) {
            this.set = set;
        }

        @Override
        public int size() {
            return set.size();
        }

        @Override
        public boolean contains(Object node) {
            return node instanceof NodeInfo info && set.contains(LiveNode.idOf(info));
        }

        @Override
        public Iterator<NodeInfo> iterator() {
            return new Iterator<>() {
                private int next = set.first();

                @Override
                public boolean hasNext() {
                    return next >= 0;
                }

                @Override
                public NodeInfo next() {
                    if (next < 0) {
                        throw new NoSuchElementException();
                    }
                    NodeInfo node = nodeInfo(next);
                    next = set.next(next + 1);
                    return node;
                }
            };
        }
    }
}
