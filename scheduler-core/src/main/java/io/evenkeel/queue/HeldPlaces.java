package io.evenkeel.queue;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Places on nodes that are held for pods which do not exist yet: for the next pod of the owner of a pod that is about to go. It is
 * nominated there as soon as it comes; until then others leave it room as if it waited already. Each is held for a limited time.
 *
 * <pre>
 *   a is to go from n1, its place on n2 is held      others leave room on n2 for one like a
 *   b comes, of the same owner                       b is nominated to n2
 *   b is bound there, or the place is released       nobody leaves it room
 * </pre>
 *
 * <p>What comes or goes costs a step for each place that is held, mostly none.
 */
public final class HeldPlaces {
    /** No name of a pod ends so: in what plugins see of it, it is no other pod. */
    private static final String TO_COME = "~";

    private final KnownEntries entries;
    private final NominatedPods nominated;
    private final NominatedCapacity rooms;
    private final Map<String, Held> byUid = new LinkedHashMap<>();

    private static final class Held {
        private final OwnerReference owner;
        private final QueueEntry toCome;
        private final long until;
        private Optional<QueueEntry> taker = Optional.empty();

        Held(OwnerReference owner, QueueEntry toCome, long until) {
            this.owner = owner;
            this.toCome = toCome;
            this.until = until;
        }
    }

    HeldPlaces(KnownEntries entries, NominatedPods nominated, NominatedCapacity rooms) {
        this.entries = entries;
        this.nominated = nominated;
        this.rooms = rooms;
    }

    /**
     * Holds a place for the successor of a pod. None is held where no owner makes one, where another scheduler places it, or where it is
     * placed together with others.
     */
    public void hold(Pod pod, String node, long until, long now) {
        release(pod, now);
        if (mayHold(pod)) {
            QueueEntry toCome = toCome(pod, now);
            toCome.nominated = Optional.of(node);
            nominated.put(toCome);
            byUid.put(pod.meta().uid(), new Held(pod.meta().controller().orElseThrow(), toCome, until));
        }
    }

    /** Whether a place can be held for the successor of this pod. */
    public boolean mayHold(Pod pod) {
        return pod.meta().controller().isPresent()
                && entries.areKept(pod)
                && toCome(pod, 0).group().isEmpty();
    }

    private QueueEntry toCome(Pod pod, long now) {
        Pod successor = new Pod(
                pod.meta().ofAnother(pod.name() + TO_COME),
                PodBuilder.from(pod).nodeName("").build().spec(),
                pod.status());
        return entries.unlisted(successor, now);
    }

    /** Lets the place go, if one is held for the successor of this pod. */
    public void release(Pod pod, long now) {
        Held held = byUid.remove(pod.meta().uid());
        if (held != null) {
            end(held, now);
        }
    }

    private void end(Held held, long now) {
        QueueEntry taker = held.taker.orElse(held.toCome);
        String kept = nominated.nodeOf(taker);
        if (held.taker.isEmpty()) {
            nominated.remove(taker);
            rooms.freed(taker.pod(), kept, now);
            taker.dismiss();
        } else if (taker.isKnown && taker.heldPlace.isPresent()) {
            taker.leavePlace();
            rooms.reconsidered(taker, kept, now);
        }
    }

    /** A pod has come: it takes the first place that is held for one of its owner. */
    void came(QueueEntry entry) {
        Optional<OwnerReference> owner =
                byUid.isEmpty() ? Optional.empty() : entry.pod().meta().controller();
        for (Held held : byUid.values()) {
            if (held.taker.isEmpty() && owner.filter(held.owner::equals).isPresent() && isOpen(held)) {
                held.taker = Optional.of(entry);
                entry.heldPlace = Optional.of(nominated.nodeOf(held.toCome));
                nominated.remove(held.toCome);
                held.toCome.dismiss();
                return;
            }
        }
    }

    /** A more important pod may have been promised what it takes. */
    private boolean isOpen(Held held) {
        return !nominated.nodeOf(held.toCome).isEmpty();
    }

    void tick(long now) {
        if (!byUid.isEmpty()) {
            List.copyOf(byUid.entrySet()).stream()
                    .filter(one -> now - one.getValue().until >= 0)
                    .forEach(one -> {
                        byUid.remove(one.getKey());
                        end(one.getValue(), now);
                    });
        }
    }

    OptionalLong nextDeadline() {
        return byUid.values().stream().mapToLong(held -> held.until).min();
    }

    /** Whether a place is held for the successor of this pod, or was taken by it. */
    public boolean isHeld(Pod pod) {
        Held held = byUid.get(pod.meta().uid());
        return held != null && (held.taker.isPresent() || isOpen(held));
    }

    /** The UID of the pod that took the place held for the successor of this one. */
    public Optional<String> takenBy(Pod pod) {
        return Optional.ofNullable(byUid.get(pod.meta().uid()))
                .flatMap(held -> held.taker)
                .map(taker -> taker.pod().meta().uid());
    }

    public int size() {
        return byUid.size();
    }
}
