package io.evenkeel.groups.plugin;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.config.PluginArgs.GroupPlacementArgs;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.framework.TreeFactory;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Looks ahead for the pods of one owner, so that none of them takes a place without which another has none: each goes where a
 * plan for all of them has it go. Nothing waits for anything, unless the pods ask for it: an annotation makes the pods of an owner
 * a gang.
 */
public final class GroupPlacement implements GroupPlugin, PreEnqueuePlugin, WakeUpPlugin {
    public static final String NAME = "GroupPlacement";

    private static final Set<Kind<?>> OWNERS =
            Set.of(Kinds.REPLICATION_CONTROLLER, Kinds.REPLICA_SET, Kinds.STATEFUL_SET);

    private static final String NO_NUMBER = "annotation " + Annotations.GROUP_PLACEMENT
            + ": waiting for an owner that says how many pods are placed together, a ReplicaSet, StatefulSet or"
            + " ReplicationController, with the scope Owner; use a PodGroup for others";

    private final GroupPlacementArgs args;
    private final PodOwners owners;
    private final GroupMembers members;

    /** Found by a {@link java.util.ServiceLoader}. */
    public static final class Factory extends TreeFactory<GroupPlacement> {
        public Factory() {
            super(NAME, GroupPlacement.class, GroupPlacement::new);
        }
    }

    GroupPlacement(TreeContext context) {
        this.args = context.argsOr(GroupPlacementArgs.class, GroupPlacementArgs.defaults());
        ClusterView cluster = context.cluster();
        this.owners = new PodOwners(cluster.objects());
        this.members = context.members();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public Set<Kind<?>> reads() {
        return args.scope() == GroupPlacementArgs.Scope.OWNER ? OWNERS : Set.of();
    }

    @Override
    public Optional<GroupKey> groupOf(Pod pod) {
        return switch (args.scope()) {
            case OWNER -> PodOwners.groupOf(pod);
            case LABEL ->
                pod.labels().has(args.labelKey())
                        ? Optional.of(new GroupKey(
                                args.labelKey(), pod.namespace(), pod.labels().getOrDefault(args.labelKey(), ""), ""))
                        : Optional.empty();
        };
    }

    @Override
    public Optional<GroupTerms> termsFor(Pod waiting) {
        OptionalInt expected = expected(waiting);
        GroupTerms lookAhead = GroupTerms.lookAhead(expected.orElse(0), args.maxSteps());
        return Optional.of(
                switch (Mode.of(waiting).orElse(Mode.LOOK_AHEAD)) {
                    case LOOK_AHEAD -> lookAhead;
                    case GANG -> lookAhead.needing(expected.orElse(1));
                    case END_STATE -> lookAhead.needing(expected.orElse(1)).atOnce(true);
                });
    }

    /** By the annotation alone: also where its owner is to have no pods just now. */
    @Override
    public boolean mayBeInGang(Pod pod) {
        return Mode.of(pod).filter(mode -> mode != Mode.LOOK_AHEAD).isPresent();
    }

    @Override
    public boolean waitsForOthers(Pod gated) {
        return Mode.of(gated).isPresent();
    }

    /** How many pods the group is to have; that of a label may have any number. */
    private OptionalInt expected(Pod pod) {
        return args.scope() == GroupPlacementArgs.Scope.OWNER ? owners.replicasFor(pod) : OptionalInt.empty();
    }

    /** A gang waits here until all of it is there; and so does a pod that asks for what there is not. */
    @Override
    public Status preEnqueue(Pod pod) {
        if (GroupPlugin.isAlone(pod)) {
            return Status.SUCCESS;
        }
        Optional<Mode> mode = Mode.of(pod);
        if (mode.isEmpty()) {
            return Status.unresolvable(Mode.refusal(pod));
        }
        if (mode.get() == Mode.LOOK_AHEAD) {
            return Status.SUCCESS;
        }
        Optional<GroupKey> group = groupOf(pod);
        OptionalInt needed = expected(pod);
        if (group.isEmpty() || needed.isEmpty()) {
            return Status.unresolvable(NO_NUMBER);
        }
        int known = members.known(group.get());
        return known >= needed.getAsInt()
                ? Status.SUCCESS
                : Status.unresolvable("waiting for the other pods of " + group.get() + ": " + known + " of "
                        + needed.getAsInt() + " are there");
    }

    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                WakeUp.onAnyOf(Hint.ALWAYS, Kinds.REPLICATION_CONTROLLER, Kinds.REPLICA_SET, Kinds.STATEFUL_SET)
                        .filedBy(GroupPlacement::itsOwner),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_OTHER, ChangeKind.OWN_LABELS));
    }

    private static Interest itsOwner(PendingPod waiting) {
        List<String> names = waiting.pod().meta().controller().stream()
                .map(OwnerReference::name)
                .toList();
        return Interest.inObjects(waiting.pod().namespace(), names);
    }

    /** The controllers of pods, and how many pods each is to have. */
    private record PodOwners(ObjectStore objects) {
        /** Its pods are each for a node of its own. */
        private static final String DAEMON_SET = "DaemonSet";

        /** A ReplicaSet is one revision of its Deployment; others have pods of one revision waiting, but for moments. */
        static Optional<GroupKey> groupOf(Pod pod) {
            return pod.meta()
                    .controller()
                    .filter(owner -> !owner.kind().equals(DAEMON_SET))
                    .map(owner -> new GroupKey(owner.kind(), pod.namespace(), owner.name(), owner.uid()));
        }

        /** How many pods the owner is to have; empty where it is not known. */
        OptionalInt replicasFor(Pod pod) {
            Optional<WorkloadOwner> owner =
                    pod.meta().controller().flatMap(reference -> find(reference, pod.namespace()));
            return owner.isPresent() ? OptionalInt.of(owner.get().replicas()) : OptionalInt.empty();
        }

        private Optional<WorkloadOwner> find(OwnerReference reference, String namespace) {
            for (WorkloadOwner.Kind kind : WorkloadOwner.Kind.values()) {
                if (kind.isReferredToBy(reference)) {
                    return objects.find(rowOf(kind), namespace + "/" + reference.name())
                            .filter(owner -> owner.meta().uid().equals(reference.uid()));
                }
            }
            return Optional.empty();
        }

        private static Kind<WorkloadOwner> rowOf(WorkloadOwner.Kind kind) {
            return switch (kind) {
                case REPLICA_SET -> Kinds.REPLICA_SET;
                case STATEFUL_SET -> Kinds.STATEFUL_SET;
                case REPLICATION_CONTROLLER -> Kinds.REPLICATION_CONTROLLER;
            };
        }
    }

    /** How the pods of an owner are placed, by the annotation {@code evenkeel.io/group-placement} of each. */
    private enum Mode {
        /** Each as it comes, with regard to the others. */
        LOOK_AHEAD,
        /** All or none. */
        GANG,
        /** The same, and at once where only the end is allowed. */
        END_STATE;

        private static final Optional<Mode> LOOKING_AHEAD = Optional.of(LOOK_AHEAD);
        private static final Optional<Mode> AS_A_GANG = Optional.of(GANG);
        private static final Optional<Mode> TO_AN_END = Optional.of(END_STATE);

        /** Empty where the annotation says nothing of these. */
        static Optional<Mode> of(Pod pod) {
            return switch (valueOf(pod)) {
                case "look-ahead" -> LOOKING_AHEAD;
                case "gang" -> AS_A_GANG;
                case "end-state" -> TO_AN_END;
                default -> Optional.empty();
            };
        }

        private static String valueOf(Pod pod) {
            return pod.meta().annotations().getOrDefault(Annotations.GROUP_PLACEMENT, "look-ahead");
        }

        static String refusal(Pod pod) {
            return "annotation " + Annotations.GROUP_PLACEMENT + ": expected look-ahead, gang or end-state, got \""
                    + valueOf(pod) + '"';
        }
    }
}
