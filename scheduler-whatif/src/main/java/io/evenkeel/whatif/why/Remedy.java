package io.evenkeel.whatif.why;

import io.evenkeel.cluster.ClusterView;
import io.evenkeel.framework.why.Change;
import io.evenkeel.framework.why.Change.DriversInstalled;
import io.evenkeel.framework.why.Change.NodeAdded;
import io.evenkeel.framework.why.Change.ObjectAdded;
import io.evenkeel.framework.why.Change.ObjectRemoved;
import io.evenkeel.framework.why.Change.PatchOperation;
import io.evenkeel.framework.why.Change.PodGone;
import io.evenkeel.framework.why.Change.PolicyLimit;
import io.evenkeel.framework.why.ClaimChange;
import io.evenkeel.framework.why.NodeChange;
import io.evenkeel.framework.why.PodChange;
import io.evenkeel.framework.why.PodChange.Priority;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.workload.Templates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes that together let a pod fit. That they do was tried.
 *
 * @param edits what is to be done to the objects for them
 * @param smallest whether it was tried too that none of them can be left out, and none be smaller
 * @param node where the pod goes then
 * @param template of the pod's owner, where what is changed of the pod belongs
 * @param claiming pods that wait, for which other claims are made then: the pod, and others of its gang
 */
public record Remedy(
        List<Change> changes,
        List<Edit> edits,
        boolean smallest,
        String node,
        Optional<PodTemplate> template,
        List<Pod> claiming) {
    static final Comparator<Remedy> MILDEST_FIRST = Comparator.<Remedy>comparingInt(
                    remedy -> remedy.changes().size())
            .thenComparing(Remedy::kind)
            .thenComparing(Remedy::text);

    /** That of the change which weighs most; with a higher priority, those who go for the pod go because of it. */
    public Change.Kind kind() {
        return changes.getFirst() instanceof Priority priority
                ? priority.kind()
                : changes.stream()
                        .map(Change::kind)
                        .max(Comparator.naturalOrder())
                        .orElseThrow();
    }

    public String text() {
        if (changes.size() > 1 && changes.stream().allMatch(NodeAdded.class::isInstance)) {
            return changes.size() + " more nodes like " + ((NodeAdded) changes.getFirst()).like();
        }
        if (changes.getFirst() instanceof Priority priority) {
            return priority.text() + inTemplate() + gone();
        }
        return inOrder().map(Change::text).collect(Collectors.joining(", and ")) + inTemplate();
    }

    /** Puts the changes of a template last. */
    private Stream<Change> inOrder() {
        return inTemplate().isEmpty()
                ? changes.stream()
                : Stream.concat(
                        changes.stream().filter(change -> !(change instanceof PodChange)),
                        changes.stream().filter(PodChange.class::isInstance));
    }

    private String inTemplate() {
        return template.filter(_ -> changes.stream().anyMatch(PodChange.class::isInstance))
                .map(there -> ", in the template of " + there.owner())
                .orElse("");
    }

    private String gone() {
        List<String> pods = changes.stream()
                .filter(PodGone.class::isInstance)
                .map(gone -> ((PodGone) gone).pod().key())
                .toList();
        return "; then " + String.join(", ", pods) + (pods.size() == 1 ? " goes" : " go") + " from node " + node;
    }

    /** Whether it asks for all that the other one does, and for something else too. */
    boolean isMoreThan(Remedy other) {
        return kinds().size() > other.kinds().size() && kinds().containsAll(other.kinds());
    }

    private Set<Change.Kind> kinds() {
        return changes.stream().map(Change::kind).collect(Collectors.toSet());
    }

    /**
     * Where the pods of a workload are described. A pod that is there can hardly be changed; who changes this gets others.
     *
     * @param apiVersion of the workload; empty where it is concluded from a name
     * @param kind as {@code Deployment}
     */
    public record PodTemplate(String apiVersion, String kind, String namespace, String name) {
        private static final String DEPLOYMENT = "Deployment";

        /** Returns the template of the controller of a pod; empty where the pod has no owner. */
        public static Optional<PodTemplate> of(Pod pod, ClusterView cluster) {
            return pod.meta().controller().map(controller -> workload(pod, controller, cluster));
        }

        /** A ReplicaSet is a Deployment's where it says so, or, while it is not known, where its name is made as a Deployment makes it. */
        private static PodTemplate workload(Pod pod, OwnerReference controller, ClusterView cluster) {
            if (WorkloadOwner.Kind.REPLICA_SET.isReferredToBy(controller)) {
                Optional<WorkloadOwner> set = cluster.objects()
                        .find(WorkloadOwner.Kind.REPLICA_SET.kindName(), pod.namespace() + "/" + controller.name())
                        .map(WorkloadOwner.class::cast);
                if (set.isPresent()) {
                    OwnerReference above = set.get().meta().controller().orElse(controller);
                    return new PodTemplate(above.apiVersion(), above.kind(), pod.namespace(), above.name());
                }
                String ending = "-" + pod.labels().getOrDefault(Templates.HASH, "");
                int length = controller.name().length() - ending.length();
                if (ending.length() > 1 && length > 0 && controller.name().endsWith(ending)) {
                    return new PodTemplate(
                            "", DEPLOYMENT, pod.namespace(), controller.name().substring(0, length));
                }
                return new PodTemplate("", controller.kind(), pod.namespace(), controller.name());
            }
            return new PodTemplate(controller.apiVersion(), controller.kind(), pod.namespace(), controller.name());
        }

        /** As {@code Deployment shop/web}. */
        private String owner() {
            return kind + " " + namespace + "/" + name;
        }
    }

    /** An edit of the objects that makes a change, for somebody, or a program, to do. */
    public sealed interface Edit {

        /**
         * An object is patched.
         *
         * @param object as {@code Node/n1} or {@code Pod/default/web-1}
         */
        record Patched(String object, List<PatchOperation> operations) implements Edit {}

        record Added(KubernetesObject object) implements Edit {}

        record Removed(KubernetesObject object) implements Edit {}

        /** The edits for changes, each as the object is after those before; one after the other of one object are one. */
        static List<Edit> of(List<Change> changes, Pod pod, ClusterView cluster) {
            List<Edit> edits = new ArrayList<>();
            Map<String, Node> nodes = new HashMap<>();
            Map<String, ResourceClaim> claims = ClaimChange.claimsOf(pod, cluster.objects());
            Pod changed = pod;
            for (Change change : changes) {
                switch (change) {
                    case PodChange own -> {
                        append(edits, new Patched("Pod/" + pod.key(), own.patch(changed)));
                        changed = own.applied(changed);
                    }
                    case ClaimChange own -> {
                        ResourceClaim before = claims.get(own.source().claim());
                        if (before != null) {
                            append(edits, new Patched(own.source().object(), own.patch(before.spec())));
                            claims.put(own.source().claim(), own.applied(before));
                        }
                    }
                    case NodeChange there -> {
                        Node before = nodes.computeIfAbsent(
                                there.node(),
                                name -> cluster.nodes().node(cluster.nodes().findPresent(name)));
                        append(edits, new Patched("Node/" + there.node(), there.patch(before)));
                        nodes.put(there.node(), there.applied(before));
                    }
                    case NodeAdded added -> {
                        edits.add(new Added(added.node()));
                        added.with().forEach(object -> edits.add(new Added(object)));
                    }
                    case DriversInstalled drivers -> {
                        boolean isToldOf = cluster.objects()
                                .find(Kinds.CSI_NODE, drivers.node())
                                .isPresent();
                        edits.add(
                                isToldOf
                                        ? new Patched("CSINode/" + drivers.node(), drivers.patch())
                                        : new Added(drivers.applied(Optional.empty())));
                    }
                    case ObjectAdded added -> edits.add(new Added(added.object()));
                    case ObjectRemoved removed -> edits.add(new Removed(removed.object()));
                    case PolicyLimit more ->
                        append(edits, new Patched(more.kindName() + "/" + more.policy(), more.patch()));
                    case PodGone gone -> edits.add(new Removed(gone.pod()));
                }
            }
            return List.copyOf(edits);
        }

        private static void append(List<Edit> edits, Patched next) {
            if (!edits.isEmpty()
                    && edits.getLast() instanceof Patched(var object, var operations)
                    && object.equals(next.object)) {
                List<PatchOperation> all = new ArrayList<>(operations);
                all.addAll(next.operations);
                edits.set(edits.size() - 1, new Patched(object, List.copyOf(all)));
            } else {
                edits.add(next);
            }
        }
    }
}
