package io.evenkeel.app.record;

import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.model.KubernetesObject;
import java.util.Optional;

/**
 * An entry of a record. What the engine was called with comes first, and then, in their order, what it asked for and what it
 * said until the next call.
 *
 * <pre>
 *   Took put web-1      Time 17   Time 19
 *   Ticking             Time 21
 *   Placing             Time 22   Decided bind web-1 to n3   Time 40   Decided event web-1
 * </pre>
 */
public sealed interface Entry {

    /** A call of the scheduler. */
    sealed interface Call extends Entry {}

    /** An event was handed in. */
    record Took(SchedulerEvent event) implements Call {}

    /** The engine does what is due. */
    record Ticking() implements Call {}

    /** The next pod is decided. */
    record Placing() implements Call {}

    /** The clock was read. */
    record Time(long nanos) implements Entry {}

    /** A command was given. */
    record Decided(Said said) implements Entry {}

    /** The taker of commands threw: the one before was not sent. The message may be told to users; the text is with the type. */
    record NotSent(Optional<String> message, String text) implements Entry {
        public static NotSent of(Throwable thrown) {
            return new NotSent(Optional.ofNullable(thrown.getMessage()), thrown.toString());
        }
    }

    /** An object that was known when the segment began. */
    record Known(KubernetesObject object) implements Entry {}

    /** All that was known has been told. */
    record AllKnown() implements Entry {}

    /** The hash of all decisions of the run until here. */
    record Hash(long hash) implements Entry {}

    /** The segment ends as it should. */
    record Ended(Why why) implements Entry {}

    /** Why a segment ends. */
    enum Why {
        /** The run has ended. */
        STOPPED,
        /** It was long enough, and the next one goes on where it ends. */
        FULL,
        /** The next events were not written. */
        GAP
    }
}
