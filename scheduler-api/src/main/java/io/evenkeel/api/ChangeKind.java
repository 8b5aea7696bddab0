package io.evenkeel.api;

import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The kinds of change after which a pod that fitted nowhere may fit. Objects of a kind are added, updated and deleted; nodes
 * and pods are updated in aspects, so that a pod that waits for room is not tried again for a label. Heartbeats,
 * conditions, annotations and images are not among them: no filter reads them.
 *
 * <pre>
 *   of              added                 updated                                  deleted
 *   Rack            added(RACK)           updated(RACK)                            deleted(RACK)
 *   Node            NODE_ADDED            NODE_LABELS, NODE_TAINTS …               NODE_DELETED
 *   Pod on a node   ASSIGNED_POD_ADDED    ASSIGNED_POD_LABELS …                    ASSIGNED_POD_DELETED
 *   Pod that waits                        OWN_LABELS, OWN_TOLERATIONS …
 * </pre>
 *
 * @since 0.1
 */
public final class ChangeKind {
    private static final String ASSIGNED = "a pod on a node";

    /** The names in metrics of the kinds of a group, such as {@code storage.k8s.io/StorageClass}; a plugin's have its name. */
    private static final Map<String, String> IN_GROUPS = Kinds.IN_TREE.all().stream()
            .filter(kind -> !kind.group().isEmpty())
            .collect(Collectors.toUnmodifiableMap(Kind::name, kind -> kind.group() + "/" + kind.objectKind()));

    public static final ChangeKind NODE_ADDED = ofNode("NodeAdd", "is added");
    public static final ChangeKind NODE_DELETED = ofNode("NodeDelete", "goes");
    public static final ChangeKind NODE_ALLOCATABLE = ofNode("NodeUpdateNodeAllocatable", "offers more or less");
    public static final ChangeKind NODE_LABELS = ofNode("NodeUpdateNodeLabel", "has other labels");
    /** Taints, or {@code spec.unschedulable}. */
    public static final ChangeKind NODE_TAINTS = ofNode("NodeUpdateNodeTaint", "has other taints");

    public static final ChangeKind NODE_DECLARED_FEATURES =
            ofNode("NodeUpdateNodeDeclaredFeature", "has other declared features");

    /** A pod is on a node that was not there before: placed by whomever, or assumed. */
    public static final ChangeKind ASSIGNED_POD_ADDED = ofAssigned("AssignedPodAdd", "comes");

    public static final ChangeKind ASSIGNED_POD_LABELS = ofAssigned("AssignedPodUpdatePodLabel", "has other labels");
    public static final ChangeKind ASSIGNED_POD_SCALED_DOWN =
            ofAssigned("AssignedPodUpdatePodScaleDown", "asks for less");
    public static final ChangeKind ASSIGNED_POD_TOLERATIONS =
            ofAssigned("AssignedPodUpdatePodToleration", "has other tolerations");
    /** A pod on a node is being deleted; it still has its place but counts for spreading no more. */
    public static final ChangeKind ASSIGNED_POD_TERMINATING =
            new ChangeKind(Kinds.POD.name(), "AssignedPodTerminating", "AssignedPodUpdate", ASSIGNED, "is told to go");
    /** A pod on a node is marked as one that is to go. */
    public static final ChangeKind ASSIGNED_POD_DISRUPTED =
            new ChangeKind(Kinds.POD.name(), "AssignedPodDisrupted", "AssignedPodUpdate", ASSIGNED, "is to go");
    /** Anything else about a pod on a node: it grew, its owner changed. */
    public static final ChangeKind ASSIGNED_POD_OTHER = ofAssigned("AssignedPodUpdate", "changes otherwise");
    /** A pod on a node is gone or has run to its end. */
    public static final ChangeKind ASSIGNED_POD_DELETED = ofAssigned("AssignedPodDelete", "goes");

    /** The waiting pod's own labels. */
    public static final ChangeKind OWN_LABELS = ofOwn("UnschedulablePodUpdatePodLabel", "has other labels");

    public static final ChangeKind OWN_SCALED_DOWN = ofOwn("UnschedulablePodUpdatePodScaleDown", "asks for less");
    public static final ChangeKind OWN_TOLERATIONS =
            ofOwn("UnschedulablePodUpdatePodToleration", "has other tolerations");
    /** The last of the waiting pod's scheduling gates went. */
    public static final ChangeKind OWN_GATES_GONE =
            ofOwn("UnschedulablePodUpdatePodSchedulingGatesEliminated", "loses its last scheduling gate");
    /** The names of claims that were made for the waiting pod came into its status. */
    public static final ChangeKind OWN_CLAIMS =
            ofOwn("UnschedulablePodUpdatePodGeneratedResourceClaim", "has its claims");
    /** Anything else about the waiting pod. */
    public static final ChangeKind OWN_OTHER = ofOwn("UnschedulablePodUpdate", "changes otherwise");

    /** The ways an object changes, by the names that metrics have for them. */
    public enum Action {
        ADDED("Add", "is added"),
        UPDATED("Update", "changes"),
        DELETED("Delete", "goes");

        private final String label;
        private final String happening;

        Action(String label, String happening) {
            this.label = label;
            this.happening = happening;
        }
    }

    private final String kind;
    private final String respect;
    private final String label;
    private final String subject;
    private final String happening;
    private final int hash;

    private ChangeKind(String kind, String respect, String label, String subject, String happening) {
        this.kind = kind;
        this.respect = respect;
        this.label = label;
        this.subject = subject;
        this.happening = happening;
        this.hash = 31 * kind.hashCode() + respect.hashCode();
    }

    private static ChangeKind ofNode(String label, String happening) {
        return new ChangeKind(Kinds.NODE.name(), label, label, "a node", happening);
    }

    private static ChangeKind ofAssigned(String label, String happening) {
        return new ChangeKind(Kinds.POD.name(), label, label, ASSIGNED, happening);
    }

    private static ChangeKind ofOwn(String label, String happening) {
        return new ChangeKind(Kinds.POD.name(), label, label, "the pod itself", happening);
    }

    /** An object of the kind is new. */
    public static ChangeKind added(Kind<?> kind) {
        return of(kind, Action.ADDED);
    }

    /** An object of the kind is another than it was in what is read of it. */
    public static ChangeKind updated(Kind<?> kind) {
        return of(kind, Action.UPDATED);
    }

    /** An object of the kind is gone. */
    public static ChangeKind deleted(Kind<?> kind) {
        return of(kind, Action.DELETED);
    }

    private static ChangeKind of(Kind<?> kind, Action action) {
        if (kind.equals(Kinds.NODE) || kind.equals(Kinds.POD)) {
            throw new IllegalArgumentException("changes of a " + kind.name()
                    + " are constants of ChangeKind, such as NODE_ADDED and ASSIGNED_POD_DELETED");
        }
        return of(kind.name(), action);
    }

    /**
     * The name of a kind stands for its row, as no two that are read have the same.
     *
     * @param kindName of any kind but Node and Pod
     */
    public static ChangeKind of(String kindName, Action action) {
        String label = IN_GROUPS.getOrDefault(kindName, kindName) + action.label;
        return new ChangeKind(kindName, action.label, label, "a " + kindName, action.happening);
    }

    /** The value of metrics' label {@code event}: the reference's for what it knows, one of its form for the others. */
    public String label() {
        return label;
    }

    /** Names the object, for people who ask what a pod waits for, such as {@code a node}. */
    public String subject() {
        return subject;
    }

    /** Names the change, such as {@code is added}. */
    public String happening() {
        return happening;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof ChangeKind that && kind.equals(that.kind) && respect.equals(that.respect));
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return label;
    }
}
