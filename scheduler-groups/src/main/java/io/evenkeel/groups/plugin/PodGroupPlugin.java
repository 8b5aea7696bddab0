package io.evenkeel.groups.plugin;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PreEnqueuePlugin;
import io.evenkeel.api.Status;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.index.ObjectStore;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.GroupPlugin.GroupMembers;
import io.evenkeel.framework.GroupPlugin.GroupTerms;
import io.evenkeel.framework.TreeContext;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.GroupObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kind;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A plugin for one kind of PodGroup: pods that name one wait until it is there, and as many of its pods as it needs; then they
 * are placed together.
 */
abstract class PodGroupPlugin<G extends GroupObject> implements GroupPlugin, PreEnqueuePlugin, WakeUpPlugin {
    private static final String END_STATE = "end-state";

    private final String noun;
    private final Kind<G> kind;
    private final ObjectStore objects;
    private final GroupMembers members;

    /** @param noun what such a group is called in words to users */
    PodGroupPlugin(String noun, Kind<G> kind, TreeContext context) {
        this.noun = noun;
        this.kind = kind;
        this.objects = context.cluster().objects();
        this.members = context.members();
    }

    /** The name of the group that the pod names; empty where it names none. */
    abstract String nameIn(Pod pod);

    /** The terms with what the group says beside how many pods are needed; empty where each pod is placed by itself. */
    abstract Optional<GroupTerms> terms(G group, GroupTerms gang);

    /** Why a pod waits if its group is not there. */
    abstract String waitingForGroup(String name);

    /** Why a pod waits if its group has fewer pods than it needs. */
    abstract String waitingForPods(int known, int needed);

    @Override
    public Set<Kind<?>> reads() {
        return Set.of(kind);
    }

    @Override
    public Optional<GroupKey> groupOf(Pod pod) {
        String name = nameIn(pod);
        return name.isEmpty() || GroupPlugin.isAlone(pod)
                ? Optional.empty()
                : Optional.of(new GroupKey(noun, pod.namespace(), name, ""));
    }

    @Override
    public Optional<GroupTerms> termsFor(Pod waiting) {
        return find(waiting).flatMap(this::termsOf);
    }

    /** Of a group that is not there yet nobody knows that it is none. */
    @Override
    public boolean mayBeInGang(Pod pod) {
        Optional<G> group = find(pod);
        return group.isEmpty()
                || group.flatMap(this::termsOf).filter(GroupTerms::isGang).isPresent();
    }

    private Optional<GroupTerms> termsOf(G group) {
        boolean atOnce = group.meta().annotations().has(Annotations.GROUP_PLACEMENT, END_STATE);
        GroupTerms gang = GroupTerms.gang(group.minimum().orElse(0), Optional.of(group));
        return terms(group, gang.atOnce(atOnce));
    }

    private Optional<G> find(Pod pod) {
        return objects.find(kind, pod.namespace() + "/" + nameIn(pod));
    }

    @Override
    public Status preEnqueue(Pod pod) {
        Optional<GroupKey> key = groupOf(pod);
        if (key.isEmpty()) {
            return Status.SUCCESS;
        }
        Optional<G> group = find(pod);
        if (group.isEmpty()) {
            return Status.unresolvable(waitingForGroup(nameIn(pod)));
        }
        Optional<String> nonsense = nonsense(group.get());
        if (nonsense.isPresent()) {
            return Status.unresolvable(nonsense.get());
        }
        int needed = group.get().minimum().orElse(0);
        int known = members.known(key.get());
        return known >= needed ? Status.SUCCESS : Status.unresolvable(waitingForPods(known, needed));
    }

    private Optional<String> nonsense(G group) {
        String value = group.meta().annotations().getOrDefault(Annotations.GROUP_PLACEMENT, END_STATE);
        return value.equals(END_STATE)
                ? Optional.empty()
                : Optional.of(noun + " " + group.meta().key() + ": annotation " + Annotations.GROUP_PLACEMENT
                        + ": expected " + END_STATE + ", got \"" + value + '"');
    }

    /** Whoever else comes of its group is told of by the queue. */
    @Override
    public List<WakeUp> wakeUps() {
        return List.of(
                WakeUp.onAnyOf(Hint.ALWAYS, kind)
                        .filedBy(pod -> Interest.inObjects(pod.pod().namespace(), List.of(nameIn(pod.pod())))),
                WakeUp.on(this::changesDomains, ChangeKind.NODE_ADDED, ChangeKind.NODE_DELETED, ChangeKind.NODE_LABELS)
                        .alsoOfGangs(),
                WakeUp.on(Hint.ALWAYS, ChangeKind.OWN_LABELS));
    }

    /** Whether the pods of its group are to be in one domain, and a node has come into one or has left one. */
    private boolean changesDomains(PendingPod waiting, ClusterChange change) {
        return termsFor(waiting.pod())
                .flatMap(GroupTerms::topologyKey)
                .filter(key ->
                        !domainOf(key, change.before(Node.class)).equals(domainOf(key, change.after(Node.class))))
                .isPresent();
    }

    private static Optional<String> domainOf(String key, Optional<Node> node) {
        return node.map(Node::labels).filter(labels -> labels.has(key)).map(labels -> labels.getOrDefault(key, ""));
    }
}
