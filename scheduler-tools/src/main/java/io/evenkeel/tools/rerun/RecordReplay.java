package io.evenkeel.tools.rerun;

import io.evenkeel.app.record.RecordDirectory;
import io.evenkeel.app.record.RecordDirectory.SegmentFile;
import io.evenkeel.app.record.RecordException;
import io.evenkeel.app.record.SegmentHeader;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.Pod;
import io.evenkeel.tools.rerun.ChainReplay.Chain;
import io.evenkeel.tools.rerun.ChainReplay.Chain.Segment;
import io.evenkeel.tools.rerun.ReplayedCalls.Difference;
import io.evenkeel.tools.rerun.ReplayedCalls.Tally;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Requester;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

/** Replays a record until a moment, says whether everything was decided as recorded, and answers why as of then. */
public final class RecordReplay {
    private final Path path;
    private final PluginRegistry plugins;
    private final List<String> lines = new ArrayList<>();
    private final List<String> remarks = new ArrayList<>();
    private boolean same = true;
    private Optional<ChainReplay> last = Optional.empty();
    private Optional<String> gap = Optional.empty();

    private RecordReplay(Path path, PluginRegistry plugins) {
        this.path = path;
        this.plugins = plugins;
    }

    /**
     * Replays the record that is in a directory, or the one segment that a file is.
     *
     * @param plugins that profiles may name
     * @param version of this program
     * @throws RecordException if the record cannot be read
     */
    public static RecordReplay run(Path path, Optional<Moment> at, PluginRegistry plugins, String version) {
        RecordReplay replay = new RecordReplay(path, plugins);
        replay.run(at, version);
        return replay;
    }

    private void run(Optional<Moment> at, String version) {
        RecordedMoments moments = RecordedMoments.of(path, at, plugins);
        RecordedRun found = moments.run();
        Optional<Instant> until = moments.until();
        remarks.addAll(found.leftOut());
        remarks.addAll(moments.remarks());
        List<Chain> chains = found.chains();
        SegmentHeader first = chains.getFirst().first();
        if (!first.settings().version().equals(version)) {
            remarks.add(path + ": recorded by evenkeel " + first.settings().version() + ", and this is " + version
                    + ": it may decide otherwise");
        }
        Deque<Chain> left = new ArrayDeque<>(chains);
        while (!left.isEmpty()
                && until.filter(left.getFirst().first().time()::isAfter).isEmpty()) {
            replay(left, until);
        }
        ChainReplay known = last.orElseThrow(() -> new RecordException(String.join("\n", remarks)));
        Optional<Instant> next = left.isEmpty()
                ? found.next()
                : Optional.of(left.getFirst().first().time());
        if (!known.isOver() && until.filter(known.reached()::isBefore).isPresent()) {
            unknown(known.reached(), next);
        }
    }

    /** The moment is in no record. */
    private void unknown(Instant from, Optional<Instant> to) {
        if (to.isPresent()) {
            gap = Optional.of(path + ": nothing is recorded from " + from + " to " + to.get());
        } else {
            remarks.add(path + ": nothing is recorded after " + from);
        }
    }

    /** Replays the first of the chains that are left. */
    private void replay(Deque<Chain> left, Optional<Instant> until) {
        Chain chain = left.removeFirst();
        ChainReplay replay = new ChainReplay(chain, plugins, until);
        replay.run();
        replay.cutOff().ifPresent(remarks::add);
        replay.rest().ifPresent(left::addFirst);
        if (replay.isBegun()) {
            tell(chain, replay);
            last = Optional.of(replay);
        }
        if (!replay.isOver() && !left.isEmpty() && left.getFirst().first().events() > replay.events()) {
            remarks.add(String.format(
                    Locale.ROOT,
                    "%s: events %,d to %,d are missing",
                    path,
                    replay.events() + 1,
                    left.getFirst().first().events()));
        }
    }

    private void tell(Chain chain, ChainReplay replay) {
        Tally tally = replay.calls().tally();
        String span = chain.first().time() + " to " + replay.reached() + ": " + count(tally.events(), "event") + ", "
                + count(tally.decisions(), "command");
        if (chain.isWhole()) {
            lines.add("From the beginning, " + span);
            lines.add(replay.calls()
                    .difference()
                    .map(RecordReplay::text)
                    .orElseGet(() -> "All as recorded, hash %016x"
                            .formatted(replay.calls().hash())));
            same &= replay.calls().difference().isEmpty() && replay.calls().hash() == replay.recordedHash();
        } else {
            lines.add("From a checkpoint, " + span);
            lines.add(String.format(
                    Locale.ROOT,
                    "As a scheduler decides that was restarted at the checkpoint: of %,d bindings %,d as recorded, %,d to"
                            + " another node, %,d not, as the pod was bound before its turn",
                    tally.bindings(),
                    tally.same(),
                    tally.others(),
                    tally.bindings() - tally.same() - tally.others()));
        }
    }

    private static String text(Difference difference) {
        return "Decided otherwise after event " + String.format(Locale.ROOT, "%,d", difference.event()) + ", at "
                + difference.time() + (difference.pod().isEmpty() ? "" : ", pod " + difference.pod()) + ": "
                + difference.text();
    }

    private static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    public List<String> lines() {
        return lines;
    }

    /** The facts that a user should also know. */
    public List<String> remarks() {
        return remarks;
    }

    /** Whether nothing was decided otherwise, as far as it has to be the same. */
    public boolean isSame() {
        return same;
    }

    /** That nothing is recorded of the moment, for a user, where that is so though more comes after it. */
    public Optional<String> gap() {
        return gap;
    }

    /**
     * Why a pod was where it was at the moment, or nowhere; empty where there was none of this name.
     *
     * @param faults hears of plugins that fail as they are asked
     */
    public Optional<PodReport> why(String pod, BiConsumer<Pod, RuntimeException> faults) {
        gap.ifPresent(unknown -> {
            throw new RecordException(unknown);
        });
        ChainReplay known = last.orElseThrow();
        return known.questions(faults).about(pod, known.calls().scheduler().onTheirWay(), Requester.OPERATOR);
    }

    /**
     * The run in which a moment is, and the moment.
     *
     * @param until when the replay ends; none where that is the end of the run
     * @param remarks what else a user should know of the moment
     */
    record RecordedMoments(RecordedRun run, Optional<Instant> until, List<String> remarks) {

        /**
         * Of a directory or a file. Without a moment it is the newest run.
         *
         * @throws RecordException if there is nothing to replay, or it does not reach back so far
         */
        static RecordedMoments of(Path path, Optional<Moment> at, PluginRegistry plugins) {
            RecordedMoments found = switch (at.orElse(new Moment.At(Instant.MAX))) {
                case Moment.At(Instant time) -> {
                    RecordedRun run = RecordedRun.of(path, each -> !each.begin().isAfter(time));
                    yield new RecordedMoments(run, at.map(_ -> time), List.of());
                }
                case Moment.After(var duration) -> {
                    RecordedRun run = RecordedRun.of(path, _ -> true);
                    yield new RecordedMoments(run, Optional.of(run.begin().plus(duration)), List.of());
                }
                case Moment.OfDay(LocalTime time) -> ofDay(path, time, plugins);
            };
            Instant begin = found.run.begin();
            if (found.until.filter(begin::isAfter).isPresent()) {
                throw new RecordException(
                        path + ": the record begins at " + begin + ", which is after " + found.until.get());
            }
            return found;
        }

        private static RecordedMoments ofDay(Path path, LocalTime time, PluginRegistry plugins) {
            List<Span> spans = new ArrayList<>();
            RecordedRun run = RecordedRun.of(path, each -> {
                spans.add(each.span(plugins));
                return spans.getLast().last(time).isPresent();
            });
            Instant moment = spans.getLast()
                    .last(time)
                    .orElseThrow(() ->
                            new RecordException(path + ": it was never " + time + " UTC in what is recorded, "
                                    + String.join(
                                            ", ",
                                            spans.reversed().stream()
                                                    .map(Span::toString)
                                                    .toList())));
            return new RecordedMoments(run, Optional.of(moment), List.of(path + ": " + time + " is " + moment));
        }
    }

    public sealed interface Moment {
        record At(Instant time) implements Moment {}

        /** By the time of day alone, on the last day that has it on record; in UTC, as records tell times. */
        record OfDay(LocalTime time) implements Moment {}

        /** So long after the beginning of the record. */
        record After(Duration duration) implements Moment {}
    }

    /**
     * The run to replay: the newest recorded run of a directory that is meant, or the first of all. Files of
     * older runs are not opened; files that are no segments are left out.
     *
     * @param chains what is there of it, the first first, at least one
     * @param leftOut why some of its files are, in lines
     * @param next when the next run began, where that is recorded too
     */
    record RecordedRun(List<Chain> chains, List<String> leftOut, Optional<Instant> next) {

        /**
         * Finds the run to replay in a file or a directory.
         *
         * @param isMeant asked of runs from the newest on, until one is; of a file too
         * @throws RecordException if there is nothing
         */
        static RecordedRun of(Path path, Predicate<RecordedRun> isMeant) {
            if (Files.isDirectory(path)) {
                return in(path, new RecordDirectory(path), isMeant);
            }
            RecordedRun only =
                    new RecordedRun(List.of(new Chain(List.of(Segment.of(path)))), List.of(), Optional.empty());
            var _ = isMeant.test(only);
            return only;
        }

        private static RecordedRun in(Path path, RecordDirectory directory, Predicate<RecordedRun> isMeant) {
            List<String> leftOut = new ArrayList<>();
            directory.strangers().forEach(file -> leftOut.add(file + ": is not named as a segment is; it is left out"));
            Optional<RecordedRun> eldest = Optional.empty();
            Optional<Instant> next = Optional.empty();
            for (List<SegmentFile> files : directory.runs().reversed()) {
                List<String> ofThisRun = new ArrayList<>(leftOut);
                List<Segment> segments = segments(files, ofThisRun);
                if (segments.isEmpty()) {
                    leftOut.addAll(ofThisRun.subList(leftOut.size(), ofThisRun.size()));
                } else {
                    RecordedRun run = new RecordedRun(Chain.chains(segments), ofThisRun, next);
                    if (isMeant.test(run)) {
                        return run;
                    }
                    next = Optional.of(run.begin());
                    eldest = Optional.of(run);
                }
            }
            return eldest.orElseThrow(() -> new RecordException(none(path, leftOut)));
        }

        /** Returns the files that are segments; says in {@code leftOut} why the others are not. */
        private static List<Segment> segments(List<SegmentFile> files, List<String> leftOut) {
            List<Segment> segments = new ArrayList<>();
            for (SegmentFile file : files) {
                try {
                    segments.add(Segment.of(file));
                } catch (RecordException none) {
                    leftOut.add(none.getMessage() + "; it is left out");
                }
            }
            return segments;
        }

        private static String none(Path directory, List<String> leftOut) {
            List<String> lines = new ArrayList<>(leftOut);
            lines.add(directory + ": there is no record in it");
            return String.join("\n", lines);
        }

        Instant begin() {
            return chains.getFirst().first().time();
        }

        /** Reads the last of its files for that. */
        Span span(PluginRegistry plugins) {
            return new Span(begin(), new ChainReplay(chains.getLast(), plugins, Optional.empty()).end());
        }
    }

    /** From when to when a run is recorded. */
    private record Span(Instant begin, Instant end) {

        /** The last time in it that it was so late in the day; empty where it never was. */
        Optional<Instant> last(LocalTime time) {
            ZonedDateTime thatDay = end.atZone(ZoneOffset.UTC).with(time);
            Instant last = (thatDay.toInstant().isAfter(end) ? thatDay.minusDays(1) : thatDay).toInstant();
            return Optional.of(last).filter(moment -> !moment.isBefore(begin));
        }

        @Override
        public String toString() {
            return begin + " to " + end;
        }
    }
}
