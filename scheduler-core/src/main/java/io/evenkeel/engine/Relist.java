package io.evenkeel.engine;

/**
 * The objects of one kind are read anew, for the first time or because changes were lost. In between every object that
 * there is comes as {@link ClusterEvent.Put}; those that do not come are gone.
 */
public sealed interface Relist extends SchedulerEvent {

    /** The kind, such as Pod. */
    String kind();

    record Began(String kind) implements Relist {}

    record Ended(String kind) implements Relist {}
}
