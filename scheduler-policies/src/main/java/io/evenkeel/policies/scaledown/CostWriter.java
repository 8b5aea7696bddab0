package io.evenkeel.policies.scaledown;

import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.policies.scaledown.OwnedPods.Owner;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes costs on pods, and remembers each until the pod is seen with it. On the engine's thread but for the queue of
 * ended writes.
 */
final class CostWriter implements PatchObserver {
    private static final Logger log = LoggerFactory.getLogger(CostWriter.class);
    private static final long UNTIL_NEXT_TRY = TimeUnit.MINUTES.toNanos(5);

    /** As many in a row, and it is no matter of single pods. */
    private static final int MOST_REFUSED = 10;

    private final ScaleDownMetrics metrics;
    private final ConcurrentLinkedQueue<Ended> ended = new ConcurrentLinkedQueue<>();
    private final Map<String, Sent> underway = new HashMap<>();
    private final Map<String, Sent> yetToBeSeen = new HashMap<>();
    private final Deque<Refused> refused = new ArrayDeque<>();
    private PatchSink sink = _ -> {};
    private int refusedInARow;
    private boolean hasSaidSo;

    private record Ended(MergePatch patch, End end, String why) {}

    private record Sent(Owner owner, MergePatch patch, Mark mark) {

        boolean isOf(Pod pod) {
            return patch.object().uid().equals(pod.meta().uid());
        }

        boolean isOfVersion(Pod pod) {
            return patch.object().resourceVersion().equals(pod.meta().resourceVersion());
        }
    }

    private record Refused(Owner owner, String pod, String uid, long until) {}

    CostWriter(ScaleDownMetrics metrics) {
        this.metrics = metrics;
    }

    void begin(PatchSink patches) {
        sink = patches;
    }

    @Override
    public void ended(MergePatch patch, End end, String why) {
        ended.add(new Ended(patch, end, why));
    }

    int underway() {
        return underway.size();
    }

    /** Whether the server takes none at the moment, whichever pod's. */
    boolean isRefused() {
        return refusedInARow >= MOST_REFUSED && !refused.isEmpty();
    }

    /** The mark on the pod, or the one that it gets once the write on its way has arrived. */
    Mark markOf(Pod pod) {
        Mark seen = Mark.on(pod);
        underway.computeIfPresent(pod.key(), (_, sent) -> isOver(sent, pod, seen) ? null : sent);
        yetToBeSeen.computeIfPresent(
                pod.key(), (_, sent) -> isOver(sent, pod, seen) || !sent.isOfVersion(pod) ? null : sent);
        return Optional.ofNullable(underway.get(pod.key()))
                .or(() -> Optional.ofNullable(yetToBeSeen.get(pod.key())))
                .map(Sent::mark)
                .orElse(seen);
    }

    private static boolean isOver(Sent sent, Pod pod, Mark seen) {
        return !sent.isOf(pod) || seen.isAnothers() || seen.equals(sent.mark());
    }

    void write(Owner owner, Pod pod, int cost) {
        Optional<String> text = Optional.of(Integer.toString(cost));
        Map<String, Optional<String>> annotations = Map.of(
                Annotations.DELETION_COST, text,
                Annotations.OWN_DELETION_COST, text);
        put(owner, pod, annotations, Mark.ours(cost));
    }

    /** Takes our marks off the pod: also the cost, unless another writer has replaced it. */
    void takeBack(Owner owner, Pod pod) {
        Optional<String> none = Optional.empty();
        Mark mark = Mark.on(pod);
        put(
                owner,
                pod,
                mark.isAnothers()
                        ? Map.of(Annotations.OWN_DELETION_COST, none)
                        : Map.of(Annotations.DELETION_COST, none, Annotations.OWN_DELETION_COST, none),
                Mark.NONE);
    }

    private void put(Owner owner, Pod pod, Map<String, Optional<String>> annotations, Mark mark) {
        boolean waits =
                refused.stream().anyMatch(each -> each.uid().equals(pod.meta().uid()));
        if (!waits) {
            MergePatch patch = MergePatch.annotations(Kinds.POD, pod.meta(), annotations);
            yetToBeSeen.remove(pod.key());
            underway.put(pod.key(), new Sent(owner, patch, mark));
            sink.put(patch);
        }
    }

    /** Takes in the ended writes, and tells which owners' pods are to be looked at again. */
    void takeIn(long now, Consumer<Owner> again) {
        for (Ended each = ended.poll(); each != null; each = ended.poll()) {
            takeIn(each, now, again);
        }
        while (!refused.isEmpty() && now - refused.getFirst().until() >= 0) {
            again.accept(refused.removeFirst().owner());
        }
    }

    private void takeIn(Ended each, long now, Consumer<Owner> again) {
        metrics.ended(each.end());
        String key = each.patch().object().key();
        if (each.end() == End.WRITTEN) {
            refusedInARow = 0;
            tellThatItWorks();
        }
        Optional.ofNullable(underway.get(key))
                .filter(its -> its.patch().equals(each.patch()))
                .ifPresent(its -> {
                    underway.remove(key);
                    end(each, key, its, now, again);
                });
    }

    private void end(Ended each, String key, Sent its, long now, Consumer<Owner> again) {
        switch (each.end()) {
            case WRITTEN, NOT_SENT -> yetToBeSeen.put(key, its);
            case GONE -> {}
            case OVERTAKEN -> again.accept(its.owner());
            case REFUSED -> {
                refusedInARow++;
                refused.add(new Refused(its.owner(), key, its.patch().object().uid(), now + UNTIL_NEXT_TRY));
                tell(key, each.why());
            }
        }
    }

    /** Forgets pods that are there no longer. */
    void retain(Predicate<String> isThere) {
        underway.keySet().removeIf(pod -> !isThere.test(pod));
        yetToBeSeen.keySet().removeIf(pod -> !isThere.test(pod));
    }

    private void tell(String pod, String why) {
        if (!hasSaidSo) {
            hasSaidSo = true;
            log.atWarn()
                    .setMessage("Cannot write pod deletion costs, podDeletionCost of policies has no effect")
                    .addKeyValue("pod", pod)
                    .addKeyValue("why", why)
                    .log();
        }
    }

    private void tellThatItWorks() {
        if (hasSaidSo) {
            hasSaidSo = false;
            log.info("Pod deletion costs can be written again");
        }
    }
}
