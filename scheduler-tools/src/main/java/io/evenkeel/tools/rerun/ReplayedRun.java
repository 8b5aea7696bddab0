package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.Entry;
import io.evenkeel.app.record.Recorder;
import io.evenkeel.app.record.Said;
import io.evenkeel.app.record.Said.DecisionHash;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A scheduler that is called as the recorded one was, from the beginning of its run on, and
 * what it says is compared.
 */
final class ReplayedRun extends ReplayedCalls {
    /** What no scheduler read that wrote records without the kinds that it awaited. */
    private static final List<Kind<?>> DEVICES =
            List.of(Kinds.DEVICE_CLASS, Kinds.RESOURCE_SLICE, Kinds.RESOURCE_CLAIM, Kinds.DEVICE_TAINT_RULE);

    private final SegmentHeader first;
    private final DecisionHash hash = new DecisionHash();
    private Optional<Difference> difference = Optional.empty();

    ReplayedRun(SegmentHeader first, PluginRegistry registry) {
        super(first, registry, Recorder.choice(first.seed()));
        this.first = first;
    }

    /** A run begins with nothing; where a record does not say what was awaited, nothing of devices was, so that there is none. */
    @Override
    void begin(List<KubernetesObject> objects) {
        if (first.settings().settings().awaitedKinds().isEmpty()) {
            DEVICES.forEach(kind -> {
                scheduler().handle(new Relist.Began(kind.name()));
                scheduler().handle(new Relist.Ended(kind.name()));
            });
        }
    }

    @Override
    long hash() {
        return hash.value();
    }

    @Override
    Tally tally() {
        return new Tally(events(), hash.decisions(), 0, 0, 0);
    }

    @Override
    Optional<Difference> difference() {
        return difference;
    }

    @Override
    void make(RecordedCall call) {
        try {
            call.make(scheduler());
        } catch (RuntimeException fault) {
            differ("", "the scheduler failed: " + fault);
        }
        if (call.hasNextCommand()) {
            Said missing = call.nextCommand().said();
            differ(missing.pod(), "recorded: " + missing + "; replayed: nothing");
        }
    }

    @Override
    void said(Command command, Optional<RecordedCall> call) {
        Said said = Said.of(command);
        hash.add(said);
        if (call.isEmpty() || !call.get().hasNextCommand()) {
            differ(said.pod(), "recorded: nothing; replayed: " + said);
            return;
        }
        RecordedCall.Command recorded = call.get().nextCommand();
        if (!recorded.said().equals(said)) {
            differ(
                    said.pod(),
                    "recorded: " + recorded.said() + "; replayed: "
                            + (said.toString().equals(recorded.said().toString()) ? "the same in other words" : said));
        }
        recorded.notSent().ifPresent(why -> {
            throw new RecordedFault(why);
        });
    }

    private void differ(String pod, String text) {
        if (difference.isEmpty()) {
            difference = Optional.of(new Difference(events(), timeOf(now()), pod, text));
        }
    }

    private Instant timeOf(long nanos) {
        return first.time().plusNanos(nanos - first.nanos());
    }

    /** Says what was thrown in the run, in its words. */
    private static final class RecordedFault extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final String text;

        RecordedFault(Entry.NotSent why) {
            super(why.message().orElse(null));
            text = why.text();
        }

        /** Of whatever class it was then. */
        @Override
        @SuppressWarnings("OverrideThrowableToString")
        public String toString() {
            return text;
        }
    }
}
