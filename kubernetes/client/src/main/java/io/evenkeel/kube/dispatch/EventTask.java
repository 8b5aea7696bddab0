package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.Regarding;
import java.time.Instant;

/** Something to be written about an object. Those about one object are written in their order. */
sealed interface EventTask extends Job.Work {

    Regarding regarding();

    @Override
    default String key() {
        return regarding().identity();
    }

    @Override
    default CommandKind kind() {
        return CommandKind.RECORD_EVENT;
    }

    record Occurrence(Regarding regarding, ObjectEvent event, Instant time) implements EventTask {}

    /** It has not happened again for a while: the count that the server has may be behind. */
    record SeriesEnd(Regarding regarding, Series series) implements EventTask {}

    /**
     * Equal events that are one at the server.
     *
     * @param name of the first event, which stands for all
     * @param written the count that the server has
     */
    record Series(String namespace, String name, int count, Instant lastObserved, int written, Instant lastWritten) {

        static Series startedBy(String namespace, String name, Instant time) {
            return new Series(namespace, name, 1, time, 1, time);
        }

        Series seenAgain(Instant time) {
            return new Series(namespace, name, count + 1, time, written, lastWritten);
        }

        Series nowWritten() {
            return new Series(namespace, name, count, lastObserved, count, lastObserved);
        }

        boolean isBehind() {
            return written < count;
        }
    }
}
