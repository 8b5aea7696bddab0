package io.evenkeel.engine;

import io.evenkeel.engine.binding.PodBinding;
import io.evenkeel.model.Pod;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The pods that count on a node and are not yet known to be bound there: some wait for a permit, the others are being
 * bound.
 */
final class AssumedPods {
    private final Permits permits;
    private final Bindings bindings;

    AssumedPods(Permits permits, Bindings bindings) {
        this.permits = permits;
        this.bindings = bindings;
    }

    Stream<PodBinding> all() {
        return Stream.concat(permits.all().stream(), bindings.all().stream());
    }

    boolean isOnItsWay(Pod pod) {
        return permits.holds(pod) || bindings.isOnItsWay(pod);
    }

    /** Whether news that the pod is on no node can be true, although it is counted on one. */
    boolean mayBeUnbound(Pod pod) {
        return permits.holds(pod) || bindings.mayBeUnbound(pod);
    }

    /** The watch shows the pod on a node, and it is counted there. */
    void sawPlaced(Pod pod) {
        permits.sawPlaced(pod);
        bindings.sawPlaced(pod);
    }

    /** The pod is being deleted, and on no node. What is being bound goes on; the server refuses it. */
    void sawTerminating(Pod pod) {
        permits.sawTerminating(pod);
    }

    /** The pod is gone, and is counted nowhere any more. */
    void sawGone(String uid) {
        permits.sawGone(uid);
        bindings.sawGone(uid);
    }

    void tick() {
        permits.tick();
        bindings.tick();
    }

    OptionalLong nextDeadline() {
        return Stream.of(permits.nextDeadline(), bindings.nextDeadline())
                .flatMapToLong(OptionalLong::stream)
                .min();
    }
}
