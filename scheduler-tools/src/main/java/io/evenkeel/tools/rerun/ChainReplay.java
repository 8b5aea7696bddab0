package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.Entry;
import io.evenkeel.app.record.RecordDirectory.SegmentFile;
import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.Said.DecisionHash;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.app.record.SegmentHeader.Start;
import io.evenkeel.app.record.SegmentInput;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.problem.ConfigurationException;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Replays one chain until a moment, or to its end. */
final class ChainReplay {
    private final Chain chain;
    private final ReplayedCalls calls;
    private final PluginRegistry plugins;
    private final Kinds kinds;
    private final Optional<Instant> until;
    private final DecisionHash recorded;
    private Optional<RecordedCall> pending = Optional.empty();
    private Optional<String> cutOff = Optional.empty();
    private Optional<Chain> rest = Optional.empty();
    private Instant reached;
    private boolean isBegun;
    private boolean isOver;

    /** @param plugins that profiles may name */
    ChainReplay(Chain chain, PluginRegistry plugins, Optional<Instant> until) {
        this.chain = chain;
        this.until = until;
        SegmentHeader first = chain.first();
        reached = first.time();
        isBegun = chain.isWhole();
        recorded = DecisionHash.from(chain.isWhole() ? 0 : first.hash(), first.decisions());
        this.plugins = plugins;
        try {
            calls = chain.isWhole() ? new ReplayedRun(first, plugins) : new RestartedRun(first, plugins);
        } catch (ConfigurationException missing) {
            throw new RecordException(chain.segments().getFirst().path() + ": recorded with plugins that are not here: "
                    + String.valueOf(missing.getMessage()).lines().findFirst().orElse(""));
        }
        kinds = Kinds.IN_TREE.with(calls.scheduler().watchedKinds());
    }

    /** The kinds of the objects in a chain. */
    static Kinds kinds(Chain chain, PluginRegistry plugins) {
        return new ChainReplay(chain, plugins, Optional.empty()).kinds;
    }

    ReplayedCalls calls() {
        return calls;
    }

    /**
     * Questions about the cluster as it was where the replay has come.
     *
     * @param faults hears of plugins that fail
     */
    ClusterQuestions questions(BiConsumer<Pod, RuntimeException> faults) {
        ClusterQuestions questions =
                new ClusterQuestions(chain.first().settings().configuration(), plugins, Judgement.OWN, faults);
        questions.tell(calls.scheduler().known());
        return questions;
    }

    /** The time of day of the last call. */
    Instant reached() {
        return reached;
    }

    /** Whether all is known that was there when it begins. */
    boolean isBegun() {
        return isBegun;
    }

    /** Whether it has come to the moment or to a difference, and not to the end of the chain. */
    boolean isOver() {
        return isOver;
    }

    /** How many events the run had taken in where the replay has come. */
    long events() {
        return chain.first().events() + calls.tally().events();
    }

    /** The segments that do not go on where the replay has come, though they should: something is missing before them. */
    Optional<Chain> rest() {
        return rest;
    }

    /** Where a segment ends too early, for a user: nothing after it was replayed. */
    Optional<String> cutOff() {
        return cutOff;
    }

    /** The hash of what was recorded until where the replay has come. */
    long recordedHash() {
        return recorded.value();
    }

    /** The time of day of the last call that is recorded, whether or not it is replayed. */
    Instant end() {
        Instant end = chain.segments().getLast().header().time();
        try (SegmentInput input = SegmentInput.open(chain.segments().getLast().path())) {
            input.expect(kinds);
            for (Optional<Entry> next = input.next(); next.isPresent(); next = input.next()) {
                if (next.get() instanceof Entry.Time(long nanos)) {
                    end = timeAt(nanos);
                }
            }
        }
        return end;
    }

    private Instant timeAt(long nanos) {
        return chain.first().time().plusNanos(nanos - chain.first().nanos());
    }

    void run() {
        for (int i = 0; i < chain.segments().size() && !isOver; i++) {
            if (i > 0 && isAfterHole(chain.segments().get(i))) {
                rest = Optional.of(chain.from(i));
                return;
            }
            try (SegmentInput input = SegmentInput.open(chain.segments().get(i).path())) {
                input.expect(kinds);
                read(input, i == 0);
            }
        }
    }

    /** Whether the one before it was cut off, or is not the one that it goes on from. */
    private boolean isAfterHole(Chain.Segment next) {
        return cutOff.isPresent() || next.header().events() != events();
    }

    private void read(SegmentInput input, boolean isFirst) {
        List<KubernetesObject> known = new ArrayList<>();
        for (Optional<Entry> next = input.next(); next.isPresent() && !isOver; next = input.next()) {
            switch (next.get()) {
                case Entry.Call call -> {
                    finish();
                    pending = isOver ? Optional.empty() : Optional.of(new RecordedCall(call));
                }
                case Entry.Time(long nanos) -> time(nanos);
                case Entry.Decided(var said) -> pending.ifPresent(call -> call.add(said));
                case Entry.NotSent why -> pending.ifPresent(call -> call.add(why));
                case Entry.Known(var object) -> {
                    if (isFirst) {
                        known.add(object);
                    }
                }
                case Entry.AllKnown _ -> {
                    if (isFirst) {
                        isBegun = true;
                        calls.begin(known);
                    }
                }
                case Entry.Hash _ -> {}
                case Entry.Ended _ -> finish();
            }
        }
        cutOff = input.cutOff();
        if (cutOff.isPresent()) {
            // the content of a partial call is not known
            pending = Optional.empty();
        }
    }

    private void time(long nanos) {
        Instant time = timeAt(nanos);
        if (pending.isPresent()
                && pending.get().begun().isEmpty()
                && until.filter(time::isAfter).isPresent()) {
            pending = Optional.empty();
            isOver = true;
            return;
        }
        reached = time;
        pending.ifPresent(call -> call.add(nanos));
    }

    private void finish() {
        pending.ifPresent(call -> {
            call.commands().forEach(command -> recorded.add(command.said()));
            calls.call(call);
            isOver = isOver || calls.difference().isPresent();
        });
        pending = Optional.empty();
    }

    /**
     * Segments of one run that go on from one to the next, without a gap as far as their headers say.
     *
     * @param segments the first first, at least one
     */
    record Chain(List<Segment> segments) {
        /** Makes chains of these segments, which are in their order. */
        static List<Chain> chains(List<Segment> run) {
            List<List<Segment>> chains = new ArrayList<>();
            for (Segment segment : run) {
                if (chains.isEmpty() || !segment.goesOnFrom(chains.getLast().getLast())) {
                    chains.add(new ArrayList<>());
                }
                chains.getLast().add(segment);
            }
            return chains.stream().map(Chain::new).toList();
        }

        Chain from(int segment) {
            return new Chain(segments.subList(segment, segments.size()));
        }

        SegmentHeader first() {
            return segments.getFirst().header();
        }

        /** Whether it begins where the run does. */
        boolean isWhole() {
            return first().start() == Start.RUN;
        }

        /** A file of a record, and what it begins with. */
        record Segment(Path path, SegmentHeader header) {
            /** @throws RecordException if it is none */
            static Segment of(Path path) {
                try (SegmentInput input = SegmentInput.open(path)) {
                    return new Segment(path, input.header());
                }
            }

            /** @throws RecordException if it is none, or another than its name says */
            static Segment of(SegmentFile file) {
                Segment segment = of(file.path());
                SegmentHeader header = segment.header();
                if (!header.run().equals(file.run()) || header.number() != file.number()) {
                    throw new RecordException(file.path() + ": was renamed: it is segment " + header.number()
                            + " of run " + header.run());
                }
                return segment;
            }

            boolean goesOnFrom(Segment before) {
                return header.start() == Start.FOLLOWS
                        && header.number() == before.header().number() + 1;
            }
        }
    }
}
