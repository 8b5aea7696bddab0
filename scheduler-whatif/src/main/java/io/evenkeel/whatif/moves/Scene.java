package io.evenkeel.whatif.moves;

import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.rebalance.Move;
import java.util.Optional;

/** The cluster as it is known at this moment, as far as moves need it. */
public interface Scene {

    /** The pod of this UID; empty once it is gone or has run to its end. */
    Optional<Pod> pod(String uid);

    /** Why the pod is to be left alone now, such as that its owner is rolling out; empty where it may be moved. */
    Optional<String> unrest(Move move);

    /** Whether the owner has as many pods as it is to have, not counting those that go: then it makes no more. */
    boolean isComplete(OwnerReference owner);

    /**
     * Why the move would not put the cluster right any more; empty where the pod is where the plan thinks, and its successor may go
     * where the plan wants it.
     */
    Optional<String> objection(Move move);

    /** What has become of the place that is held for the successor of this pod. */
    Hold hold(Pod pod);

    /** A place on a node, for the next pod of an owner. */
    sealed interface Hold {
        Hold NONE = new None();
        Hold OPEN = new Open();

        /** It is not held yet, or no longer. */
        record None() implements Hold {}

        record Open() implements Hold {}

        /** A pod of the owner came, and is to have the place. */
        record Taken(String uid) implements Hold {}
    }
}
