package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.Entry;
import io.evenkeel.app.record.Recorder;
import io.evenkeel.app.record.Said;
import io.evenkeel.app.record.Said.DecisionHash;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.tools.rerun.ReplayedCalls.Difference;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A scheduler that is called as the recorded one was, from the beginning of its run on: the clock shows it what it showed then,
 * and what it says is compared.
 */
final class ReplayedRun implements ReplayedCalls {
    private final SegmentHeader first;
    private final Scheduler scheduler;
    private final DecisionHash hash = new DecisionHash();
    private Optional<RecordedCall> current = Optional.empty();
    private Optional<Difference> difference = Optional.empty();
    private long events;
    private long now;

    ReplayedRun(SegmentHeader first, PluginRegistry registry) {
        this.first = first;
        now = first.nanos();
        scheduler = new Scheduler(
                first.settings().configuration(),
                registry,
                Recorder.choice(first.seed()),
                first.settings().settings(),
                this::said,
                SchedulerObserver.NONE,
                this::time);
    }

    @Override
    public Scheduler scheduler() {
        return scheduler;
    }

    /** A run begins with nothing. */
    @Override
    public void begin(List<KubernetesObject> objects) {}

    @Override
    public long hash() {
        return hash.value();
    }

    @Override
    public Tally tally() {
        return new Tally(events, hash.decisions(), 0, 0, 0);
    }

    @Override
    public Optional<Difference> difference() {
        return difference;
    }

    @Override
    public void call(RecordedCall call) {
        current = Optional.of(call);
        events += call.isEvent() ? 1 : 0;
        try {
            call.make(scheduler);
        } catch (RuntimeException fault) {
            differ("", "the scheduler failed: " + fault);
        }
        if (call.hasNextCommand()) {
            Said missing = call.nextCommand().said();
            differ(missing.pod(), "recorded: " + missing + "; replayed: nothing");
        }
        current = Optional.empty();
    }

    private long time() {
        current.ifPresent(call -> call.nextTime().ifPresent(next -> now = next));
        return now;
    }

    private void said(Command command) {
        Said said = Said.of(command);
        hash.add(said);
        if (current.isEmpty() || !current.get().hasNextCommand()) {
            differ(said.pod(), "recorded: nothing; replayed: " + said);
            return;
        }
        RecordedCall.Command recorded = current.get().nextCommand();
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
            difference = Optional.of(new Difference(events, timeOf(now), pod, text));
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
