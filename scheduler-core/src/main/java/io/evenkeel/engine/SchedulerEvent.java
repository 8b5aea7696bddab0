package io.evenkeel.engine;

import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.decision.Question.Answer;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** An event, result or question that comes to the scheduler through its mailbox. */
public sealed interface SchedulerEvent
        permits SchedulerEvent.ClusterEvent,
                SchedulerEvent.Relist,
                CommandResult,
                SchedulerEvent.UnreadablePod,
                SchedulerEvent.ExtendersAnswered,
                SchedulerEvent.OfPlace,
                SchedulerEvent.Inquiry {

    /**
     * A pod came or changed that cannot be read. What was known of it stays as it is.
     *
     * @param pod nothing of it but its metadata, its scheduler's name and its node are true
     * @param reason names the pod, the field and what is wrong with it
     */
    record UnreadablePod(Pod pod, String reason) implements SchedulerEvent {}

    /** The extenders have answered about the pod that they were last asked about. */
    record ExtendersAnswered(Pod pod, Answer answer) implements SchedulerEvent {}

    /**
     * A question by another thread, answered between two pods.
     *
     * @param question must not keep what it is given, and leaves it as it is
     */
    record Inquiry(Consumer<Scheduler> question) implements SchedulerEvent {}

    /** A place for the next pod of an owner, whose pod on a node is about to go. */
    sealed interface OfPlace extends SchedulerEvent {

        /** The pod to go; only its name and UID are read. */
        Pod pod();

        /** The place is to be held on this node, for so long at most. */
        record Held(Pod pod, String node, Duration within) implements OfPlace {}

        record Released(Pod pod) implements OfPlace {}
    }

    /** Something that happened in the cluster. */
    sealed interface ClusterEvent extends SchedulerEvent {

        /** An object came or changed. */
        record Put(KubernetesObject object) implements ClusterEvent {}

        /** An object went; only its kind, name and UID are read. */
        record Removed(KubernetesObject object) implements ClusterEvent {}
    }

    /**
     * All objects of one kind are listed, for the first time or because changes were lost. In between every object that
     * there is comes as {@link ClusterEvent.Put}, or as {@link Present} where it cannot be read; those that do not come are
     * gone.
     */
    sealed interface Relist extends SchedulerEvent {

        /** The kind, such as Pod. */
        String kind();

        record Began(String kind) implements Relist {}

        /**
         * An object is there but cannot be read: what is known of it stays as it is, and what is known of an earlier one of its
         * name is gone.
         *
         * @param identity of the object; empty where not even its name can be read, and then no object may be taken for gone
         */
        record Present(String kind, Optional<ObjectMeta> identity) implements Relist {}

        /** @param version up to which it tells of all; empty where that is not known */
        record Ended(String kind, String version) implements Relist {
            public Ended(String kind) {
                this(kind, "");
            }
        }
    }
}
