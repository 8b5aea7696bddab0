package io.evenkeel.engine.group;

import io.evenkeel.model.GroupObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.Attempt;
import java.util.Optional;

/** The turns of pods that are placed together with others. */
public interface GroupTurns {
    /** Each pod is decided by itself. */
    GroupTurns NONE = new GroupTurns() {};

    /** Whether other pods come before all gangs now, as one of these has just taken long. */
    default boolean gangsGiveWay(long now) {
        return false;
    }

    /** Decides the pod together with others of its group; false where it is to be decided by itself. */
    default boolean decide(Attempt attempt, long startedAt) {
        return false;
    }

    /** Why not all pods of its group have a place, as it was last found out; empty where they have, or it is in none. */
    default Optional<String> shortfall(Pod pod) {
        return Optional.empty();
    }

    /** Nodes have come, gone or changed in what scheduling reads of them. */
    default void nodesChanged() {}

    /** An object that groups are called after has come, gone or changed: more or fewer pods of theirs may be needed. */
    default void termsChanged(ObjectMeta object) {}

    /** An object has changed that says how many are needed: more may be missing now. */
    default void termsChanged(GroupObject object) {}

    /** Settles all that was told together. */
    default void settle(boolean isClusterKnown) {}

    /** A pod has come into its place. */
    default void sawPlaced(Pod pod) {}

    /**
     * A pod counts on its node no longer, or waits no more.
     *
     * @param hasFinished whether it has run to its end, so that it is not missed
     */
    default void sawLeft(Pod pod, boolean hasFinished) {}
}
