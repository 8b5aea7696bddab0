package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.Entry;
import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.Said;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.app.record.SegmentHeader.Start;
import io.evenkeel.app.record.SegmentInput;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.tools.rerun.ChainReplay.Chain;
import io.evenkeel.tools.rerun.ChainReplay.Chain.Segment;
import io.evenkeel.tools.rerun.RecordReplay.Moment;
import io.evenkeel.tools.rerun.RecordReplay.RecordedMoments;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * A recorded run to look into at any moment: what came of the cluster is told again, and nothing is decided anew. So a moment is there soon
 * and is as it was, whatever version has recorded it. Each file of a record begins with all objects there are: a moment is reached from the
 * beginning of its file, and nothing is kept for going back.
 */
public final class RecordPlayer {
    private final Path path;
    private final Kinds kinds;
    private final List<Part> parts;
    private final Optional<Instant> next;
    private final List<String> remarks;
    private final Instant last;
    private final Instant meant;

    /** A file of the record; times of its chain are counted from the chain's beginning. */
    private record Part(Segment segment, SegmentHeader base) {
        Instant begin() {
            return timeAt(segment.header().nanos());
        }

        Instant timeAt(long nanos) {
            return base.time().plusNanos(nanos - base.nanos());
        }
    }

    private RecordPlayer(Path path, Optional<Moment> at, PluginRegistry plugins, String version) {
        this.path = path;
        RecordedMoments moments = RecordedMoments.of(path, at, plugins);
        remarks = new ArrayList<>(moments.run().leftOut());
        remarks.addAll(moments.remarks());
        parts = new ArrayList<>();
        for (Chain chain : moments.run().chains()) {
            chain.segments().forEach(segment -> parts.add(new Part(segment, chain.first())));
        }
        next = moments.run().next();
        kinds = ChainReplay.kinds(moments.run().chains().getFirst(), plugins);
        String recorder = parts.getFirst().base().settings().version();
        if (!recorder.equals(version)) {
            remarks.add(path + ": recorded by evenkeel " + recorder + ", and this is " + version
                    + ": it may explain otherwise");
        }
        last = end();
        meant = moments.until().filter(last::isAfter).orElse(last);
    }

    /**
     * Opens the record that is in a directory, or the one segment that a file is.
     *
     * @param at which run is meant, and which moment; the end of the newest one if not said
     * @param version of this program
     * @throws RecordException if there is none, or it is one of plugins that there are not
     */
    public static RecordPlayer open(Path path, Optional<Moment> at, PluginRegistry plugins, String version) {
        return new RecordPlayer(path, at, plugins, version);
    }

    private Instant end() {
        try (Playing playing = new Playing(parts.size() - 1, Taker.NONE)) {
            playing.playTo(Instant.MAX, () -> true);
            playing.cutOff().ifPresent(remarks::add);
            return playing.reached();
        }
    }

    public Path path() {
        return path;
    }

    /** The scheduler's, as it was recorded. */
    public SchedulerConfiguration configuration() {
        return parts.getFirst().base().settings().configuration();
    }

    public Instant first() {
        return parts.getFirst().begin();
    }

    public Instant last() {
        return last;
    }

    /** The moment that was asked for at first. */
    public Instant meant() {
        return meant;
    }

    /** The facts that a user should also know. */
    public List<String> remarks() {
        return remarks;
    }

    /** How many files there are. */
    public int parts() {
        return parts.size();
    }

    /** The number of the file that has the moment. */
    public int partOf(Instant moment) {
        int part = parts.size() - 1;
        while (part > 0 && parts.get(part).begin().isAfter(moment)) {
            part--;
        }
        return part;
    }

    /** Begins to play a file. */
    public Playing play(int part, Taker taker) {
        return new Playing(part, taker);
    }

    /** Takes in what is played. */
    public interface Taker {
        Taker NONE = new Taker() {
            @Override
            public void began(Instant time, List<KubernetesObject> known) {}

            @Override
            public void took(Instant time, SchedulerEvent event) {}

            @Override
            public void decided(Said command) {}
        };

        /** All objects that there were as the file began. */
        void began(Instant time, List<KubernetesObject> known);

        void took(Instant time, SchedulerEvent event);

        void decided(Said command);
    }

    /** A file that is played; it goes forward only. */
    public final class Playing implements AutoCloseable {
        private final int number;
        private final Part part;
        private final Taker taker;
        private final SegmentInput input;
        private final List<KubernetesObject> known = new ArrayList<>();
        private Optional<SchedulerEvent> event = Optional.empty();
        private Optional<Instant> held = Optional.empty();
        private Instant reached;
        private long events;
        private boolean isCallNew;
        private boolean isAtEnd;

        private Playing(int number, Taker taker) {
            this.number = number;
            this.taker = taker;
            part = parts.get(number);
            reached = part.begin();
            events = part.segment().header().events();
            input = SegmentInput.open(part.segment().path());
            input.expect(kinds);
        }

        public int part() {
            return number;
        }

        /** The time of the last call that was played. */
        public Instant reached() {
            return reached;
        }

        /** How many events of the run were taken in. */
        public long events() {
            return events;
        }

        Optional<String> cutOff() {
            return input.cutOff();
        }

        /** Whether nothing that was played came after the moment, so that it can go on from here. */
        public boolean canReach(Instant moment) {
            return !reached.isAfter(moment);
        }

        /**
         * Plays all that happened until then.
         *
         * @param goesOn asked now and then; whoever stops it can go on later
         * @return whether it has come so far, or to the end of the file
         * @throws RecordException if the file is damaged there
         */
        public boolean playTo(Instant moment, BooleanSupplier goesOn) {
            if (held.filter(moment::isBefore).isPresent()) {
                return true;
            }
            held.ifPresent(this::happens);
            held = Optional.empty();
            while (!isAtEnd) {
                Optional<Entry> entry = input.next();
                if (entry.isEmpty()) {
                    take();
                    isAtEnd = true;
                } else if (played(entry.get(), moment)) {
                    return true;
                } else if (isCallNew && !goesOn.getAsBoolean()) {
                    return false;
                }
            }
            return true;
        }

        /** Whether the next call is after the moment. */
        private boolean played(Entry entry, Instant moment) {
            switch (entry) {
                case Entry.Call call -> {
                    take();
                    isCallNew = true;
                    event = call instanceof Entry.Took(SchedulerEvent its) ? Optional.of(its) : Optional.empty();
                }
                case Entry.Time(long nanos) -> {
                    Instant time = part.timeAt(nanos);
                    if (isCallNew && time.isAfter(moment)) {
                        held = Optional.of(time);
                        return true;
                    }
                    happens(time);
                }
                case Entry.Decided(Said said) -> {
                    take();
                    taker.decided(said);
                }
                case Entry.Known(KubernetesObject object) -> known.add(object);
                case Entry.AllKnown _ -> {
                    taker.began(reached, List.copyOf(known));
                    known.clear();
                }
                case Entry.NotSent _, Entry.Hash _, Entry.Ended _ -> {}
            }
            return false;
        }

        private void happens(Instant time) {
            reached = time;
            take();
        }

        private void take() {
            isCallNew = false;
            event.ifPresent(its -> {
                events++;
                taker.took(reached, its);
            });
            event = Optional.empty();
        }

        /** That nothing is recorded of a moment after the end of the file, for a user, where that is so though more comes later. */
        public Optional<String> gapBefore(Instant moment) {
            if (!isAtEnd || !moment.isAfter(reached)) {
                return Optional.empty();
            }
            return (number + 1 < parts.size() ? Optional.of(parts.get(number + 1)) : Optional.<Part>empty())
                    .filter(following -> following.segment().header().start() != Start.FOLLOWS
                            || following.segment().header().events() != events)
                    .map(Part::begin)
                    .or(() -> number + 1 < parts.size() ? Optional.empty() : next)
                    .map(begin -> path + ": nothing is recorded from " + reached + " to " + begin);
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
