package io.evenkeel.world;

import io.evenkeel.world.play.Agenda;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What happened in a world, line by line: a table of when, who and what. Equal stories are equal runs. */
public final class Story {
    private record Line(long nanos, String who, Supplier<String> what) {
        @Override
        public String toString() {
            double seconds = nanos / (double) TimeUnit.SECONDS.toNanos(1);
            return String.format(Locale.ROOT, "%11.6f  %-10s  %s", seconds, who, what.get());
        }
    }

    private final Agenda agenda;
    private final List<Line> lines = new ArrayList<>();

    public Story(Agenda agenda) {
        this.agenda = agenda;
    }

    public void tell(String who, String what) {
        tell(who, () -> what);
    }

    /** Of what never changes, as it is put into words when somebody wants to read it: nobody does where all goes well. */
    public void tell(String who, Supplier<String> what) {
        lines.add(new Line(agenda.now(), who, what));
    }

    public int length() {
        return lines.size();
    }

    /** The last lines, which are those that matter. */
    public String end(int most) {
        StringBuilder text = new StringBuilder("    seconds  who         what\n");
        lines.subList(Math.max(0, lines.size() - most), lines.size())
                .forEach(line -> text.append(line).append('\n'));
        return text.toString();
    }

    @Override
    public String toString() {
        return end(Integer.MAX_VALUE);
    }
}
