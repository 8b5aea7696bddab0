package io.evenkeel.cluster;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.Pod;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as everybody but its one writer sees it: nothing here, nor on anything that is handed out here, changes
 * what is known of it. It is live, not a copy: to be read on the engine's thread, and anew each time.
 *
 * <p>What readers work out is interned and kept up to date for them: pods that they admit, masks and columns, and the
 * groups and counters of {@link SelectorIndex} and {@link DomainCounters}. That is no change of the cluster; each is given
 * back once by whoever asked for it.
 */
public final class ClusterView {
    private static final int INTS_IN_64_MB = 64 * 1024 * 1024 / Integer.BYTES;
    private static final int FEWEST_COLUMNS = 64;
    private static final int MOST_COLUMNS = 8192;

    private final FeatureGates featureGates;
    private final ResourceNames resources = new ResourceNames();
    private final NodeTable nodes = new NodeTable(resources);
    private final PodTable pods = new PodTable();
    private final PodShapes shapes;
    private final Namespaces namespaces = new Namespaces();
    private final Workloads workloads = new Workloads();
    private final DomainCounters counters = new DomainCounters(nodes);
    private final SelectorIndex selectors = new SelectorIndex(pods, namespaces);
    private final CarriedTerms carriedTerms = new CarriedTerms(counters, selectors, namespaces);
    private final HostPorts hostPorts = new HostPorts();
    private final NodeImages images = new NodeImages();
    private final ChangeLog nodeChanges = new ChangeLog();
    private final ChangeLog usageChanges = new ChangeLog();
    private final Set<Derived> derived = new LinkedHashSet<>();
    private @Nullable NodeInfo[] nodeInfos = new NodeInfo[64];

    ClusterView(FeatureGates featureGates) {
        this.featureGates = featureGates;
        this.shapes = new PodShapes(resources, featureGates);
    }

    /** A cluster of nothing, to make plugins from that will never see a pod. */
    public static ClusterView empty(FeatureGates featureGates) {
        return new ClusterView(featureGates);
    }

    public FeatureGates featureGates() {
        return featureGates;
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

    public NodeInfo nodeInfo(int node) {
        if (node >= nodeInfos.length) {
            nodeInfos = Arrays.copyOf(nodeInfos, Math.max(node + 1, nodeInfos.length * 2));
        }
        NodeInfo info = nodeInfos[node];
        if (info == null) {
            info = new NodeInfo(this, node);
            nodeInfos[node] = info;
        }
        return info;
    }

    /** Whether the pod was placed and the word of its binding has not come yet. */
    public boolean isAssumed(String podKey) {
        int row = pods.find(podKey);
        return row != PodTable.NONE && pods.isAssumed(row);
    }

    /** The pods in place, for audits and dumps. */
    public List<Pod> placedPods() {
        List<Pod> all = new ArrayList<>();
        for (int row = 0; row < pods.end(); row++) {
            if (!pods.isFree(row)) {
                all.add(pods.pod(row));
            }
        }
        return all;
    }

    /** Reads a pod, without placing it. To be given back by {@link #dismiss}. */
    public PodInfo admit(Pod pod) {
        return new PodInfo(pod, shapes.acquire(pod));
    }

    public void dismiss(PodInfo pod) {
        shapes.release(pod.interned());
    }

    /** A mask over nodes by what is written in the Node object. */
    public DerivedMask maskOverNodes(IntPredicate test) {
        return keep(new DerivedMask(nodes, nodeChanges, test));
    }

    /** A column by what is written in the Node object. */
    public DerivedColumn columnOverNodes(IntUnaryOperator evaluate) {
        return keep(new DerivedColumn(nodes, nodeChanges, evaluate));
    }

    /** A mask that also depends on what the node's pods use. */
    public DerivedMask maskOverUsage(IntPredicate test) {
        return keep(new DerivedMask(nodes, usageChanges, test));
    }

    /** A column that also depends on what the node's pods use. */
    public DerivedColumn columnOverUsage(IntUnaryOperator evaluate) {
        return keep(new DerivedColumn(nodes, usageChanges, evaluate));
    }

    /** Groups of nodes by a number that also depends on what the node's pods use. */
    public DerivedGroups groupsOverUsage(IntUnaryOperator numberOf) {
        return keep(new DerivedGroups(nodes, usageChanges, numberOf));
    }

    public void drop(DerivedMask mask) {
        derived.remove(mask);
    }

    public void drop(DerivedColumn column) {
        derived.remove(column);
    }

    public void drop(DerivedGroups groups) {
        derived.remove(groups);
    }

    /** How many facets a plugin should keep columns for: as many as fill 64 MB with an int for each node. */
    public int columnsWorthKeeping() {
        return Math.clamp(INTS_IN_64_MB / Math.max(1, nodes.end()), FEWEST_COLUMNS, MOST_COLUMNS);
    }

    Set<Derived> derived() {
        return derived;
    }

    void usageChanged(int node) {
        usageChanges.append(node);
    }

    void nodeChanged(int node) {
        nodeChanges.append(node);
        usageChanges.append(node);
    }

    private <D extends Derived> D keep(D kept) {
        derived.add(kept);
        return kept;
    }
}
