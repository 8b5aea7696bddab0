package io.evenkeel.cluster;

import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Namespace;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.Service;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.WorkloadOwner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The cluster: its nodes and the pods on them, and every count that scheduling reads, kept with each change.
 *
 * <p>Everything may come in any order: a pod may name a node that is not there yet, a node may go before its pods. One
 * thread, the engine's, calls this class; there are no locks. What is worked out from nodes alone is brought up to date
 * when it is read ({@link DerivedMask}, {@link DerivedColumn}); what is counted over pods is brought up to date at once
 * ({@link SelectorIndex}, {@link DomainCounters}, {@link CarriedTerms}).
 */
public final class ClusterState {
    private static final int INTS_IN_64_MB = 64 * 1024 * 1024 / Integer.BYTES;
    private static final int FEWEST_COLUMNS = 64;
    private static final int MOST_COLUMNS = 8192;

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
    private final FeatureGates featureGates;
    private @Nullable NodeInfo[] nodeInfos = new NodeInfo[64];

    /** An empty cluster whose pods are read with the default feature gates. */
    public ClusterState() {
        this(FeatureGates.DEFAULTS);
    }

    /** An empty cluster; the gates say what counts of a pod. */
    public ClusterState(FeatureGates featureGates) {
        this.featureGates = featureGates;
        this.shapes = new PodShapes(resources, featureGates);
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

    public void drop(DerivedMask mask) {
        derived.remove(mask);
    }

    public void drop(DerivedColumn column) {
        derived.remove(column);
    }

    /** How many facets a plugin should keep columns for: as many as fill 64 MB with an int for each node. */
    public int columnsWorthKeeping() {
        return Math.clamp(INTS_IN_64_MB / Math.max(1, nodes.end()), FEWEST_COLUMNS, MOST_COLUMNS);
    }

    Set<Derived> derived() {
        return derived;
    }

    /** Takes an object in as the API serves it, new or changed. */
    public void put(KubernetesObject object) {
        switch (object) {
            case Node node -> putNode(node);
            case Pod pod -> putPod(pod);
            case Namespace namespace -> putNamespace(namespace);
            case Service service -> workloads.put(service);
            case WorkloadOwner owner -> workloads.put(owner);
            case PriorityClass _, UnreadObject _ -> {}
        }
    }

    /** Takes an object out; only its kind and name are read. */
    public void remove(KubernetesObject object) {
        switch (object) {
            case Node node -> removeNode(node.name());
            case Pod pod -> removePod(pod.key());
            case Namespace namespace -> removeNamespace(namespace.meta().name());
            case Service service -> workloads.remove(service.meta().key());
            case WorkloadOwner owner ->
                workloads.remove(owner.kind(), owner.meta().key());
            case PriorityClass _, UnreadObject _ -> {}
        }
    }

    public void putNode(Node node) {
        int id = nodes.row(node.name());
        if (nodes.isPresent(id)) {
            replaceNode(id, node);
        } else {
            nodes.becomePresent(id, node);
            images.addNode(id, node);
            counters.addNode(id);
            nodeChanged(id);
        }
    }

    /** Leaves alone what reads only parts of the node that stayed as they were. */
    private void replaceNode(int id, Node node) {
        Node before = nodes.node(id);
        boolean sameImages = before.images().equals(node.images());
        if (sameImages) {
            images.renewSizes(node);
        }
        if (before.schedulesLike(node)) {
            return;
        }
        boolean sameCounts =
                before.labels().equals(node.labels()) && before.taints().equals(node.taints());
        if (!sameImages) {
            images.removeNode(id, before);
        }
        if (!sameCounts) {
            counters.removeNode(id);
        }
        nodes.becomePresent(id, node);
        if (!sameImages) {
            images.addNode(id, node);
        }
        if (!sameCounts) {
            counters.addNode(id);
        }
        nodeChanged(id);
    }

    /** Pods that are still said to be on it stay known, and count again when it comes back. */
    public void removeNode(String name) {
        int id = nodes.find(name);
        if (id < 0 || !nodes.isPresent(id)) {
            return;
        }
        images.removeNode(id, nodes.node(id));
        counters.removeNode(id);
        nodes.becomeAbsent(id);
        nodeChanged(id);
    }

    /**
     * Takes in a pod that is on a node. One that is not, or that has run to its end, uses nothing; it is forgotten,
     * unless it is assumed: then the word of its binding has just not come yet.
     */
    public void putPod(Pod pod) {
        if (pod.status().isFinished()) {
            removePod(pod.key());
        } else if (pod.isPlaced()) {
            place(admit(pod), nodes.row(pod.spec().nodeName()), false, PodTable.NONE);
        } else if (!isAssumedItself(pod)) {
            removePod(pod.key());
        }
    }

    /** Not so where a pod of the same name was assumed, has been deleted, and this one was created in its place. */
    private boolean isAssumedItself(Pod pod) {
        int row = pods.find(pod.key());
        return row != PodTable.NONE
                && pods.isAssumed(row)
                && pods.pod(row).meta().uid().equals(pod.meta().uid());
    }

    public void removePod(String key) {
        int row = pods.find(key);
        if (row != PodTable.NONE) {
            removeRow(row);
        }
    }

    /** Counts a pod on the node that was chosen for it, before anybody else knows. */
    public void assume(PodInfo pod, int node) {
        if (node >= nodes.end() || nodes.name(node).isEmpty()) {
            throw new IllegalArgumentException(
                    "no node has id " + node + " to assume " + pod.pod().key() + " on");
        }
        shapes.acquireAgain(pod.interned());
        place(pod, node, true, PodTable.NONE);
    }

    /** The same for a pod that was not admitted before. */
    public void assume(Pod pod, int node) {
        PodInfo admitted = admit(pod);
        assume(admitted, node);
        dismiss(admitted);
    }

    public boolean isAssumed(String podKey) {
        int row = pods.find(podKey);
        return row != PodTable.NONE && pods.isAssumed(row);
    }

    public void putNamespace(Namespace namespace) {
        namespaces.put(namespace.meta().name(), namespace.meta().labels());
        namespaceChanged(namespace.meta().name());
    }

    public void removeNamespace(String name) {
        namespaces.remove(name);
        namespaceChanged(name);
    }

    /** Reads a pod that waits to be placed. To be given back by {@link #dismiss}. */
    public PodInfo admit(Pod pod) {
        return new PodInfo(pod, shapes.acquire(pod));
    }

    public void dismiss(PodInfo pod) {
        shapes.release(pod.interned());
    }

    /** Changes that are taken back, exactly, when it is closed. */
    public WhatIf whatIf() {
        return new WhatIf(this);
    }

    /** Puts a pod back where it was: on its node after the row that it had followed there. */
    void putBack(Pod pod, String node, boolean assumed, int after) {
        place(admit(pod), nodes.row(node), assumed, after);
    }

    /** Takes over the caller's use of the shape. */
    private void place(PodInfo admitted, int node, boolean assumed, int after) {
        Pod pod = admitted.pod();
        Facet<PodShape> shape = admitted.interned();
        int known = pods.find(pod.key());
        if (known != PodTable.NONE) {
            if (countsTheSame(known, pod, shape, node)) {
                pods.replace(known, pod, assumed);
                shapes.release(shape);
                return;
            }
            removeRowKeepingNode(known, node);
        }
        int row = pods.add(pod, shape, node, assumed, after);
        nodes.addPod(node, shape.value().resources().value());
        hostPorts.addPod(shape.value().hostPorts().value(), node);
        selectors.addPod(row);
        carriedTerms.addPod(shape.value().affinity(), node);
        usageChanges.append(node);
    }

    private boolean countsTheSame(int row, Pod pod, Facet<PodShape> shape, int node) {
        Pod before = pods.pod(row);
        return pods.node(row) == node
                && pods.shape(row) == shape
                && before.labels().equals(pod.labels())
                && before.meta().terminating() == pod.meta().terminating();
    }

    /** A row of a node that is not present lives only while it has pods, so it must not fall to zero in between. */
    private void removeRowKeepingNode(int row, int node) {
        String name = nodes.name(node);
        removeRow(row);
        if (nodes.find(name) != node) {
            int again = nodes.row(name);
            if (again != node) {
                throw new IllegalStateException("the row of node " + name + " moved");
            }
        }
    }

    private void removeRow(int row) {
        int node = pods.node(row);
        Facet<PodShape> shape = pods.shape(row);
        carriedTerms.removePod(shape.value().affinity(), node);
        selectors.removePod(row);
        hostPorts.removePod(shape.value().hostPorts().value(), node);
        pods.remove(row);
        nodes.removePod(node, shape.value().resources().value());
        shapes.release(shape);
        usageChanges.append(node);
    }

    private void nodeChanged(int node) {
        nodeChanges.append(node);
        usageChanges.append(node);
    }

    private void namespaceChanged(String name) {
        selectors.namespaceChanged(name);
        carriedTerms.namespaceChanged();
    }

    private DerivedMask keep(DerivedMask mask) {
        derived.add(mask);
        return mask;
    }

    private DerivedColumn keep(DerivedColumn column) {
        derived.add(column);
        return column;
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
}
