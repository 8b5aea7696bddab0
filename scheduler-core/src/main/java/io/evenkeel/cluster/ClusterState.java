package io.evenkeel.cluster;

import io.evenkeel.cluster.PodInfo.PodAdmission;
import io.evenkeel.cluster.counting.CarriedTerms;
import io.evenkeel.cluster.counting.DomainCounters;
import io.evenkeel.cluster.counting.SelectorIndex;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.cluster.node.DerivedColumn;
import io.evenkeel.cluster.node.DerivedMask;
import io.evenkeel.cluster.node.NodeTable;
import io.evenkeel.cluster.node.PodTable;
import io.evenkeel.cluster.shape.Facet;
import io.evenkeel.cluster.shape.PodShape;
import io.evenkeel.cluster.shape.PodShapes;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Container;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodSpec;
import io.evenkeel.model.UnreadObject;
import io.evenkeel.model.constraint.NodeAffinity;
import io.evenkeel.model.constraint.NodeSelectorRequirement;
import io.evenkeel.model.constraint.NodeSelectorTerm;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinity.WeightedPodAffinityTerm;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.kind.ObjectSize;
import io.evenkeel.model.value.LabelRequirement;
import io.evenkeel.model.value.LabelSelector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The cluster: its nodes and the pods on them, and every count that scheduling reads, kept with each change.
 *
 * <p>Everything may come in any order: a pod may name a node that is not there yet, a node may go before its pods. One
 * thread, the engine's, calls this class; there are no locks. All others are given the {@link #view}, which changes
 * nothing. What is worked out from nodes alone is brought up to date when it is read ({@link DerivedMask}, {@link
 * DerivedColumn}); what is counted over pods is brought up to date at once ({@link SelectorIndex}, {@link
 * DomainCounters}, {@link CarriedTerms}).
 */
public final class ClusterState implements PodAdmission {
    private static final int UNITS_TO_ADMIT = 128;

    /** For each element of any list or map that is read of a pod. */
    private static final int UNITS_AN_ELEMENT = 8;

    /** Of any other object: an element has some thirty. */
    private static final int BYTES_A_UNIT = 4;

    private final ClusterView view;
    private final ObjectStore.Writer objects;
    private final NodeTable nodes;
    private final PodTable pods;
    private final PodShapes.Writer shapes;
    private final NodeTable.Writer nodeRows;
    private final PodTable.Writer podRows;
    private final ClusterIndexes indexes;
    /** The what-ifs that are open, innermost first. */
    private final Deque<WhatIf> whatIfs = new ArrayDeque<>();

    /** An empty cluster that reads pods with the default feature gates. */
    public ClusterState() {
        this(FeatureGates.DEFAULTS);
    }

    /** An empty cluster; the gates say what counts of a pod. */
    public ClusterState(FeatureGates featureGates) {
        this(featureGates, ClusterLimits.USUAL);
    }

    /** An empty cluster within limits. */
    public ClusterState(FeatureGates featureGates, ClusterLimits limits) {
        this(new ClusterWriters(featureGates, limits));
    }

    ClusterState(ClusterWriters writers) {
        view = new ClusterView(writers);
        objects = writers.objects;
        nodes = view.nodes();
        pods = view.pods();
        shapes = writers.shapes;
        nodeRows = writers.nodes;
        podRows = writers.pods;
        indexes = writers.indexes;
    }

    public ClusterView view() {
        return view;
    }

    @Override
    public PodInfo admit(Pod pod) {
        view.work().add(UNITS_TO_ADMIT * rules(pod.spec()) + UNITS_AN_ELEMENT * ElementCount.of(pod));
        return new PodInfo(pod, shapes.acquire(pod));
    }

    /** Counts the rules of a pod, which users can write many of. */
    private static long rules(PodSpec spec) {
        PodAffinity terms = spec.podAffinity();
        return 1L
                + spec.containers().size()
                + spec.topologySpread().size()
                + terms.requiredAffinity().size()
                + terms.requiredAntiAffinity().size()
                + terms.preferredAffinity().size()
                + terms.preferredAntiAffinity().size();
    }

    @Override
    public void dismiss(PodInfo pod) {
        addGoing(pod.pod());
        giveBack(pod);
    }

    /** Gives back a pod that was read only to be looked at: nothing goes with it. */
    public void giveBack(PodInfo pod) {
        shapes.release(pod.interned());
    }

    /** Rules that were bound for a pod may go with it. */
    private void addGoing(Pod pod) {
        view.work().add(UNITS_TO_ADMIT * rules(pod.spec()));
    }

    /** Takes an object in as the API serves it, new or changed. */
    public void put(KubernetesObject object) {
        switch (object) {
            case Node node -> putNode(node);
            case Pod pod -> putPod(pod);
            case UnreadObject _ -> {}
            default -> {
                view.work().add(sizeOf(object));
                indexes.objectChanged(objects.put(object), Optional.of(object));
            }
        }
    }

    /** Takes an object out; only its kind and name are read. */
    public void remove(KubernetesObject object) {
        switch (object) {
            case Node node -> removeNode(node.name());
            case Pod pod -> removePod(pod.key());
            default -> {
                Optional<KubernetesObject> before = objects.remove(object);
                if (before.isPresent()) {
                    view.work().add(sizeOf(before.get()));
                    indexes.objectChanged(before, Optional.empty());
                }
            }
        }
    }

    /** All objects of the kind are going to be put in. What is returned is told then which are not there. */
    public Consumer<Predicate<ObjectMeta>> listBegins(String kind) {
        List<Consumer<Predicate<ObjectMeta>>> told = indexes.listBegins(kind);
        return isGone -> told.forEach(each -> each.accept(isGone));
    }

    private static long sizeOf(KubernetesObject object) {
        return ObjectSize.of(object) / BYTES_A_UNIT;
    }

    public void putNode(Node node) {
        int id = nodeRows.row(node.name());
        Optional<Node> before = nodes.isPresent(id) ? Optional.of(nodes.node(id)) : Optional.empty();
        if (before.isPresent() && before.get().schedulesLike(node)) {
            nodeRows.refresh(id, node);
            indexes.nodeUnchanged(id);
            return;
        }
        nodeRows.becomePresent(id, node);
        view.work().addOnce(sizeOf(node));
        indexes.nodeChanged(id, before, Optional.of(node));
    }

    /** Pods that are still said to be on it stay known, and count again when it comes back. */
    public void removeNode(String name) {
        int id = nodes.findPresent(name);
        if (id < 0) {
            return;
        }
        Optional<Node> before = Optional.of(nodes.node(id));
        nodeRows.becomeAbsent(id);
        indexes.nodeChanged(id, before, Optional.empty());
    }

    /**
     * Takes in a pod that is on a node. One that is not, or that has run to its end, uses nothing; it is forgotten,
     * unless it is assumed: then the word of its binding has just not come yet.
     */
    public void putPod(Pod pod) {
        int row = pods.find(pod.key());
        if (row != PodTable.NONE) {
            podRows.becomeNewest(row);
        }
        if (pod.isPlaced() && !pod.status().isFinished()) {
            place(admit(pod), nodeRows.row(pod.spec().nodeName()), false, PodTable.NONE);
            return;
        }
        if (row != PodTable.NONE && (pod.status().isFinished() || !isAssumedItself(row, pod))) {
            removeRow(row);
        }
    }

    /** Not so where a pod of the same name was assumed, has been deleted, and this one was created in its place. */
    private boolean isAssumedItself(int row, Pod pod) {
        return pods.isAssumed(row)
                && pods.pod(row).meta().uid().equals(pod.meta().uid());
    }

    public void removePod(String key) {
        int row = pods.find(key);
        if (row != PodTable.NONE) {
            podRows.becomeNewest(row);
            addGoing(pods.pod(row));
            removeRow(row);
        }
    }

    /** Takes a pod off its node; the others there stay in their order. */
    void takeAway(String key) {
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

    /** Assumes a pod that was not admitted before. */
    public void assume(Pod pod, int node) {
        PodInfo admitted = admit(pod);
        assume(admitted, node);
        giveBack(admitted);
    }

    /** Changes that are taken back, exactly, when it is closed. */
    public WhatIf whatIf() {
        return new WhatIf(this, whatIfs, indexes.whatIfBegins());
    }

    /** Ends the innermost what-if, and leaves its changes to the one around it, which takes them back in its turn. */
    public void keep(WhatIf innermost) {
        innermost.leaveToOuter();
    }

    /** Puts a pod back where it was: on its node after the row that it had followed there. */
    void putBack(Pod pod, String node, boolean assumed, int after) {
        place(admit(pod), nodeRows.row(node), assumed, after);
    }

    /** Takes over the caller's use of the shape. */
    private void place(PodInfo admitted, int node, boolean assumed, int after) {
        Pod pod = admitted.pod();
        Facet<PodShape> shape = admitted.interned();
        int known = pods.find(pod.key());
        if (known != PodTable.NONE) {
            if (countsTheSame(known, pod, shape, node)) {
                Pod before = pods.pod(known);
                podRows.replace(known, pod, assumed);
                shapes.release(shape);
                indexes.podReplaced(known, before);
                return;
            }
            removeRowKeepingNode(known, node);
        }
        int row = podRows.add(pod, shape, node, assumed, after);
        nodeRows.addPod(node, shape.value().resources().value());
        indexes.podPlaced(row);
    }

    private boolean countsTheSame(int row, Pod pod, Facet<PodShape> shape, int node) {
        Pod before = pods.pod(row);
        return pods.node(row) == node
                && pods.shape(row) == shape
                && before.labels().equals(pod.labels())
                && before.departure() == pod.departure();
    }

    /** A row of a node that is not present lives only while it has pods, so it must not fall to zero in between. */
    private void removeRowKeepingNode(int row, int node) {
        String name = nodes.name(node);
        removeRow(row);
        if (nodes.find(name) != node) {
            int again = nodeRows.row(name);
            if (again != node) {
                throw new IllegalStateException("the row of node " + name + " moved");
            }
        }
    }

    private void removeRow(int row) {
        int node = pods.node(row);
        Facet<PodShape> shape = pods.shape(row);
        indexes.podRemoved(row);
        podRows.remove(row);
        nodeRows.removePod(node, shape.value().resources().value());
        shapes.release(shape);
    }

    /** How many elements the lists and maps of a pod have: all are gone through once when it is taken in. */
    private static final class ElementCount {
        private ElementCount() {}

        /** Asked for each pod, so that it makes nothing. */
        static long of(Pod pod) {
            PodSpec spec = pod.spec();
            long count = 1L
                    + pod.labels().size()
                    + spec.nodeSelector().size()
                    + spec.volumes().size()
                    + spec.imageVolumes().size()
                    + spec.overhead().size()
                    + spec.tolerations().size()
                    + spec.schedulingGates().size()
                    + spec.resourceClaims().size()
                    + spec.podLimits().size()
                    + ofContainers(spec.containers())
                    + ofContainers(spec.initContainers())
                    + ofSpread(spec.topologySpread())
                    + of(spec.nodeAffinity())
                    + ofTerms(spec.podAffinity().requiredAffinity())
                    + ofTerms(spec.podAffinity().requiredAntiAffinity())
                    + ofWeighted(spec.podAffinity().preferredAffinity())
                    + ofWeighted(spec.podAffinity().preferredAntiAffinity());
            if (spec.podRequests().isPresent()) {
                count += spec.podRequests().get().size();
            }
            return count;
        }

        private static long ofContainers(List<Container> containers) {
            long count = containers.size();
            for (int i = 0; i < containers.size(); i++) {
                Container container = containers.get(i);
                count += container.requests().size();
                count += container.limits().size();
                count += container.hostPorts().size();
            }
            return count;
        }

        private static long ofSpread(List<TopologySpreadConstraint> constraints) {
            long count = constraints.size();
            for (int i = 0; i < constraints.size(); i++) {
                TopologySpreadConstraint constraint = constraints.get(i);
                count += constraint.matchLabelKeys().size() + of(constraint.labelSelector());
            }
            return count;
        }

        private static long ofTerms(List<PodAffinityTerm> terms) {
            long count = terms.size();
            for (int i = 0; i < terms.size(); i++) {
                count += of(terms.get(i));
            }
            return count;
        }

        private static long ofWeighted(List<WeightedPodAffinityTerm> terms) {
            long count = terms.size();
            for (int i = 0; i < terms.size(); i++) {
                count += of(terms.get(i).term());
            }
            return count;
        }

        private static long of(PodAffinityTerm term) {
            return term.namespaces().size() + of(term.labelSelector()) + of(term.namespaceSelector());
        }

        private static long of(LabelSelector selector) {
            List<LabelRequirement> requirements = selector.requirements();
            long count = requirements.size();
            for (int i = 0; i < requirements.size(); i++) {
                count += requirements.get(i).values().size();
            }
            return count;
        }

        private static long of(NodeAffinity affinity) {
            long count = 0;
            if (affinity.required().isPresent()) {
                List<NodeSelectorTerm> terms = affinity.required().get().terms();
                for (int i = 0; i < terms.size(); i++) {
                    count += of(terms.get(i));
                }
            }
            for (int i = 0; i < affinity.preferred().size(); i++) {
                count += of(affinity.preferred().get(i).preference());
            }
            return count;
        }

        private static long of(NodeSelectorTerm term) {
            return 1 + ofNodes(term.matchExpressions()) + ofNodes(term.matchFields());
        }

        private static long ofNodes(List<NodeSelectorRequirement> requirements) {
            long count = requirements.size();
            for (int i = 0; i < requirements.size(); i++) {
                count += requirements.get(i).values().size();
            }
            return count;
        }
    }

    /**
     * How much a cluster keeps of what only saves work. The least limits are right as well, and slow: what happens once in a
     * large cluster when a limit is reached happens at every step of a small one then, where a test sees it.
     *
     * @param idleFacets facets of one kind that no pod uses and that stay for the next one
     * @param loggedChanges of nodes, up to which whatever is derived from them catches up by reading them; a power of two
     */
    public record ClusterLimits(int idleFacets, int loggedChanges) {
        public static final ClusterLimits USUAL = new ClusterLimits(256, 1 << 14);
        public static final ClusterLimits LEAST = new ClusterLimits(1, 1);

        public ClusterLimits {
            if (idleFacets < 0) {
                throw new IllegalArgumentException("idleFacets: " + idleFacets + " is less than 0");
            }
            if (Integer.bitCount(loggedChanges) != 1 || loggedChanges < 0) {
                throw new IllegalArgumentException("loggedChanges: " + loggedChanges + " is no power of two");
            }
        }
    }
}
