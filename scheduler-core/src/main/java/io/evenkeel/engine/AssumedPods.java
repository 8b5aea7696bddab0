package io.evenkeel.engine;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import java.util.Collection;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The pods that count on a node and are not yet known to be bound there: some wait for a permit, some for their volumes, the
 * others are being bound.
 */
record AssumedPods(Permits permits, Preparations preparations, Bindings bindings) {
    Stream<PodBinding> all() {
        return Stream.of(permits.all(), preparations.all(), bindings.all()).flatMap(Collection::stream);
    }

    boolean isOnItsWay(Pod pod) {
        return permits.holds(pod) || preparations.holds(pod) || bindings.isOnItsWay(pod);
    }

    /** Whether news that the pod is on no node can be true, although it is counted on one. */
    boolean mayBeUnbound(Pod pod) {
        return permits.holds(pod) || preparations.holds(pod) || bindings.mayBeUnbound(pod);
    }

    /** The watch shows the pod on a node, and it is counted there. */
    void sawPlaced(Pod pod) {
        permits.sawPlaced(pod);
        preparations.sawPlaced(pod);
        bindings.sawPlaced(pod);
    }

    /** Something has become of an object that is neither node nor pod. */
    void sawChanged(KubernetesObject object) {
        preparations.changed(object);
    }

    /** The pod is being deleted, and on no node. What is being bound goes on; the server refuses it. */
    void sawTerminating(Pod pod) {
        permits.sawTerminating(pod);
    }

    /** The pod is gone, and is counted nowhere any more. */
    void sawGone(String uid) {
        permits.sawGone(uid);
        preparations.sawGone(uid);
        bindings.sawGone(uid);
    }

    void tick() {
        permits.tick();
        preparations.tick();
        bindings.tick();
    }

    OptionalLong nextDeadline() {
        return Stream.of(permits.nextDeadline(), preparations.nextDeadline(), bindings.nextDeadline())
                .flatMapToLong(OptionalLong::stream)
                .min();
    }
}
