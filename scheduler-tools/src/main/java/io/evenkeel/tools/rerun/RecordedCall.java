package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.Entry;
import io.evenkeel.app.record.Said;
import io.evenkeel.engine.Scheduler;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A call of the scheduler as it was recorded: what it was, the clock's readings during it, and what was said. */
final class RecordedCall {
    /** A command, and why it was not sent, if it was not. */
    record Command(Said said, Optional<Entry.NotSent> notSent) {}

    private final Entry.Call call;
    private long[] times = new long[4];
    private int timesKnown;
    private int timesRead;
    private final List<Command> commands = new ArrayList<>(2);
    private int commandsSeen;

    RecordedCall(Entry.Call call) {
        this.call = call;
    }

    void make(Scheduler scheduler) {
        switch (call) {
            case Entry.Took(var event) -> scheduler.handle(event);
            case Entry.Ticking _ -> scheduler.tick();
            case Entry.Placing _ -> scheduler.scheduleNext();
        }
    }

    boolean isEvent() {
        return call instanceof Entry.Took;
    }

    void add(long time) {
        if (timesKnown == times.length) {
            times = Arrays.copyOf(times, 2 * times.length);
        }
        times[timesKnown++] = time;
    }

    void add(Said said) {
        commands.add(new Command(said, Optional.empty()));
    }

    void add(Entry.NotSent why) {
        if (!commands.isEmpty()) {
            commands.set(commands.size() - 1, new Command(commands.getLast().said(), Optional.of(why)));
        }
    }

    /** When it began, where the clock was looked at. */
    OptionalLong begun() {
        return timesKnown == 0 ? OptionalLong.empty() : OptionalLong.of(times[0]);
    }

    /** The next reading; none where the clock was not looked at as often. */
    OptionalLong nextTime() {
        return timesRead < timesKnown ? OptionalLong.of(times[timesRead++]) : OptionalLong.empty();
    }

    boolean hasNextCommand() {
        return commandsSeen < commands.size();
    }

    /** To be asked for while there is one. */
    Command nextCommand() {
        return commands.get(commandsSeen++);
    }

    List<Command> commands() {
        return commands;
    }
}
