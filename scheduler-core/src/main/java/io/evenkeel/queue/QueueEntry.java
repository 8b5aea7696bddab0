package io.evenkeel.queue;

import io.evenkeel.api.QueuedPod;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.cluster.PodInfo.PodAdmission;
import io.evenkeel.framework.GroupPlugin.GroupKey;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.queue.SleepingPods.Listener;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A pod in the queue with what the queue remembers of it. Its fields are the queue's to write; an entry is in at most
 * one heap at a time, whose index it carries.
 */
final class QueueEntry {
    /** Whether a change wakes the pod, while the change is being judged; from the weakest to the strongest. */
    enum Wake {
        NOT,
        /** Not even early where no other pod is active. */
        AFTER_WHOLE_BACKOFF,
        AFTER_BACKOFF,
        AT_ONCE;

        boolean isAtLeast(Wake other) {
            return compareTo(other) >= 0;
        }
    }

    final SchedulingProfile profile;
    final boolean needsExtenders;
    private final PodAdmission admission;
    private Pod pod;
    private @Nullable PodInfo admitted;
    private String nodeByNews;
    private Optional<GroupKey> group;
    QueuedPod queued;
    QueueState state = QueueState.ACTIVE;
    long stateSince;
    long sequence;
    int heapIndex = EntryHeap.NOWHERE;
    /** The namespace that makes it wait behind others' pods, while it does. */
    Optional<String> behind = Optional.empty();

    int attempts;
    boolean wasActive;
    long firstActiveAt;
    int rejections;
    int consecutiveErrors;
    long dueAt;
    /** Whether it is not taken before {@link #dueAt}, though no other pod is active. */
    boolean sitsOut;

    boolean flushed;
    /** Whether it was tried with all of a gang when it was last its turn: it may give way to others. */
    boolean isOfGang;
    /** Whether it was turned away then, as all of these were. */
    boolean waitsWithGang;

    /** False once the pod was removed, which an attempt in flight asks for. */
    boolean isKnown = true;

    /** The node that was asked to be written into the pod's status, until news of the pod show it. */
    Optional<String> nominated = Optional.empty();

    /** The node where a place was held for it before it came, for as long as that is so. */
    Optional<String> heldPlace = Optional.empty();

    /** The plugin that has others on their way out for the pod, which is not tried meanwhile. */
    Optional<String> heldBy = Optional.empty();

    /** The node where room was left for it in the state that it has left last; empty for none. */
    String roomBefore = "";

    List<Listener> listeners = List.of();
    /** The listeners of plugins that turned the pod away. */
    List<Listener> rejecters = List.of();

    List<Listener> pendingListeners = List.of();

    Wake wake = Wake.NOT;
    /** The name in metrics of the change that wakes it. */
    String wokenBy = "";

    QueueEntry(Pod pod, PodAdmission admission, SchedulingProfile profile, boolean needsExtenders, long now) {
        this.profile = profile;
        this.needsExtenders = needsExtenders;
        this.admission = admission;
        this.pod = pod;
        this.nodeByNews = pod.status().nominatedNodeName();
        this.queued = new QueuedPod(pod, now);
        this.group = profile.groups().groupOf(pod);
    }

    Pod pod() {
        return pod;
    }

    boolean hasUid(String uid) {
        return pod().meta().uid().equals(uid);
    }

    /**
     * The pod with its shape, which is not read again for every hint and attempt. It is read when it is first asked for: to read
     * thousands of terms takes long, and news cannot wait, but the pod's turn can.
     */
    PodInfo admitted() {
        if (admitted == null) {
            admitted = admission.admit(pod);
        }
        return admitted;
    }

    void dismiss() {
        if (admitted != null) {
            admission.dismiss(admitted);
        }
    }

    /** The node that the pod's status names, once all is written that was asked for; empty for none. */
    String nominatedNode() {
        return heldPlace.or(() -> nominated).orElse(nodeByNews);
    }

    /** No place is held for it any more: it is nominated to what its status names, or is to name. */
    void leavePlace() {
        heldPlace = Optional.empty();
        nominated = Optional.of(nominatedNode());
    }

    /** The node that the pod's status names by the last news of it; empty for none. */
    String nodeByNews() {
        return nodeByNews;
    }

    /** Sets the pod as it is once all is written that was asked for. */
    void foresee(Pod renominated) {
        becomes(renominated);
    }

    void replacePod(Pod newer) {
        becomes(newer);
        nodeByNews = newer.status().nominatedNodeName();
        nominated = nominated.filter(node -> !node.equals(nodeByNews));
        queued = new QueuedPod(newer, queued.queuedAtNanos());
        group = profile.groups().groupOf(newer);
    }

    /** Where the pod was read, the new copy is too, before the old one is given up: they share nearly all. */
    private void becomes(Pod newer) {
        PodInfo older = admitted;
        pod = newer;
        if (older != null) {
            admitted = admission.admit(newer);
            admission.dismiss(older);
        }
    }

    /** The group that the pod is placed with; empty where it is placed by itself. */
    Optional<GroupKey> group() {
        return group;
    }

    /** Whether a plugin does not let it be tried, other than while pods go for it. */
    boolean isHeldByGate() {
        return state == QueueState.GATED && heldBy.isEmpty();
    }

    boolean isAsleep() {
        return state == QueueState.UNSCHEDULABLE || state == QueueState.GATED;
    }

    /** Whether it is in a backoff that it does not leave early. */
    boolean isSittingOut() {
        return state == QueueState.BACKOFF && sitsOut;
    }

    boolean isKeptBy(String plugin) {
        for (int i = 0; i < listeners.size(); i++) {
            if (listeners.get(i).plugin.equals(plugin)) {
                return true;
            }
        }
        return false;
    }

    /** Whether its turn comes by itself. */
    boolean isLinedUp() {
        return state == QueueState.ACTIVE || state == QueueState.BACKOFF || state == QueueState.ERROR_BACKOFF;
    }

    /** Whether a change wakes the pod, which is judged again from then on. */
    Wake takeWake() {
        Wake how = wake;
        wake = Wake.NOT;
        return how;
    }

    QueueEntryView view() {
        boolean isTimed =
                state == QueueState.BACKOFF || state == QueueState.ERROR_BACKOFF || state == QueueState.UNSCHEDULABLE;
        return new QueueEntryView(
                pod().key(),
                state,
                pod().spec().priority(),
                attempts,
                stateSince,
                SleepingPods.pluginsThatKeep(this),
                nominatedNode(),
                needsExtenders,
                isTimed ? OptionalLong.of(dueAt) : OptionalLong.empty());
    }
}
