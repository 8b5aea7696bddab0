package io.evenkeel.engine;

import io.evenkeel.model.ObjectMeta;
import java.util.Optional;

/**
 * All objects of one kind are listed, for the first time or because changes were lost. In between every object that
 * there is comes as {@link ClusterEvent.Put}, or as {@link Present} where it cannot be read; those that do not come are
 * gone.
 */
public sealed interface Relist extends SchedulerEvent {

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

    record Ended(String kind) implements Relist {}
}
