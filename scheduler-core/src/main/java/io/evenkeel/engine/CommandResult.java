package io.evenkeel.engine;

import io.evenkeel.model.Pod;
import java.util.Optional;

/** The result of a command. */
public sealed interface CommandResult extends SchedulerEvent {

    /** The pod as it was in the command. */
    Pod pod();

    /** The result for a pod that is on its way to a node. */
    sealed interface OfBinding extends CommandResult {}

    /** The result of a write that a pod needs before it is bound. */
    sealed interface OfPreparation extends CommandResult {}

    /** The result for a pod that is to go. */
    sealed interface OfEviction extends CommandResult {}

    record Bound(Pod pod, String node) implements OfBinding {}

    /**
     * The pod was not bound, as far as is known.
     *
     * @param message for the pod's user; where something failed it says which plugin, and where
     */
    record NotBound(Pod pod, String node, BindFailure failure, String message) implements OfBinding {}

    /** The pod as it is at the server; empty where there is none of that name. */
    record Found(Pod pod, Optional<Pod> found) implements OfBinding {}

    /** The server could not be asked. */
    record LookupFailed(Pod pod, String message) implements OfBinding {}

    /**
     * It is written.
     *
     * @param uid of the object; empty where the server did not say
     * @param resourceVersion that the object has now; likewise
     * @param at when, in seconds by the clock of who wrote it; 0 where that is not said
     */
    record Written(Pod pod, String uid, String resourceVersion, long at) implements OfPreparation {
        public Written(Pod pod) {
            this(pod, "", "", 0);
        }
    }

    /** It is not written, as far as is known. */
    record NotWritten(Pod pod, WriteFailure failure, String message) implements OfPreparation {}

    /** Nothing was to be written, but only said: what would come of it is taken as given. */
    record OnlySaid(Pod pod) implements OfPreparation {}

    /** Why it was not written. */
    enum WriteFailure {
        /** The server said no. */
        FAILED,
        /** The server said nothing, or nothing that tells whether it is written. */
        UNKNOWN,
        /** The lease was not renewed in time. */
        NOT_LEADING,
        /** The server said no, as the object has been changed since, or is gone. */
        OVERTAKEN
    }

    /** The server has let the pod go: it is being deleted, or gone already. */
    record Evicted(Pod pod) implements OfEviction {}

    /** The pod was not evicted, as far as is known. */
    record NotEvicted(Pod pod, EvictionFailure failure, String message) implements OfEviction {}

    /** Why a pod was not evicted. */
    enum EvictionFailure {
        /** There is no such pod any more. */
        GONE,
        /** Nothing was sent, or the server said no, or nothing that could be understood. */
        FAILED
    }

    /** Why a pod was not bound. */
    enum BindFailure {
        /** There is no such pod any more. */
        GONE,
        /** A pod of the same name has taken its place. */
        OTHER_UID,
        /** It is on a node already: on this one by an earlier attempt, or on another by somebody else's. */
        ALREADY_BOUND,
        /** It has scheduling gates. */
        GATED,
        /** A plugin failed, or the server, for good reasons of its own, said no. */
        FAILED,
        /** A plugin turned the pod away at PreBind or Bind. */
        REJECTED,
        /** The lease was not renewed in time: nothing was sent. */
        NOT_LEADING,
        /** No answer came, or one that does not say whether the pod was bound. */
        UNKNOWN
    }
}
