package io.evenkeel.app.record.replay;

import io.evenkeel.app.record.format.RecordException;
import io.evenkeel.framework.run.PluginRegistry;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
                .orElseThrow(() -> new RecordException(path + ": it was never " + time + " UTC in what is recorded, "
                        + String.join(
                                ", ",
                                spans.reversed().stream().map(Span::toString).toList())));
        return new RecordedMoments(run, Optional.of(moment), List.of(path + ": " + time + " is " + moment));
    }
}
