package io.evenkeel.kube.event;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.event.EventTask.Occurrence;
import io.evenkeel.kube.event.EventTask.SeriesEnd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Writes events. The first of a series is created; the second tells the server at once that there is a series; of those
 * that follow it is told every {@link SeriesCache#FOLDED_WITHIN}, and once more when the series has ended. A task that
 * is to be tried again is handed in again as it was.
 */
public final class EventWriter {
    private static final int MOST_SERIES = 4_096;
    private static final int LONGEST_NAME = 253;
    private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    /** What became of a task. */
    public sealed interface Result {
        /** The server has it. */
        record Written() implements Result {}

        /** Counted, to be written later with others like it. */
        record Folded() implements Result {}

        /** Not written: the namespace it would be in is gone, or about to go. */
        record Gone(String message) implements Result {}

        /** Not written, and it would be no use to try again. */
        record Refused(String message) implements Result {}

        /** Not written, for reasons that may pass. */
        record TryAgain(Optional<Duration> retryAfter, String message) implements Result {}
    }

    private final ApiTransport transport;
    private final String hostname;
    private final SeriesCache lately = new SeriesCache(MOST_SERIES);

    public EventWriter(ApiTransport transport, String hostname) {
        this.transport = transport;
        this.hostname = hostname;
    }

    /** The series that have ended and that the server is yet to be told about. */
    public List<SeriesEnd> takeFinished(Instant now) {
        return lately.takeFinished(now);
    }

    public Result write(EventTask task) {
        try {
            return switch (task) {
                case Occurrence occurrence ->
                    lately.continuedBy(occurrence)
                            .map(series -> repeat(occurrence, series.seenAgain(occurrence.time())))
                            .orElseGet(() -> create(occurrence));
                case SeriesEnd end -> judge(patch(end.series()));
            };
        } catch (NoAnswer none) {
            return new Result.TryAgain(Optional.empty(), none.message);
        }
    }

    private Result repeat(Occurrence occurrence, Series series) {
        boolean isNews = series.written() == 1;
        boolean isDue = !series.lastWritten().plus(SeriesCache.FOLDED_WITHIN).isAfter(series.lastObserved());
        if (!isNews && !isDue) {
            lately.put(occurrence, series);
            return new Result.Folded();
        }
        Answered answer = patch(series);
        if (answer.code() == 404) {
            lately.forget(occurrence); // events live for an hour or so
            return create(occurrence);
        }
        Result result = judge(answer);
        if (!(result instanceof Result.TryAgain)) {
            lately.put(occurrence, answer.isSuccess() ? series.nowWritten() : series);
        }
        return result;
    }

    private Result create(Occurrence occurrence) {
        String namespace = namespaceOf(occurrence.regarding());
        String name = nameOf(occurrence);
        Answered answer = send(
                "POST", path(namespace), "application/json", EventBody.write(occurrence, name, namespace, hostname));
        Result result = judge(answer);
        if (result instanceof Result.Written) {
            lately.put(occurrence, Series.startedBy(namespace, name, occurrence.time()));
        }
        return result;
    }

    private Answered patch(Series series) {
        return send(
                "PATCH",
                path(series.namespace()) + "/" + series.name(),
                STRATEGIC_MERGE_PATCH,
                SeriesBody.write(series));
    }

    private Answered send(String method, String path, String contentType, String body) {
        try {
            return Answered.write(transport, ApiCall.send(method, path, contentType, body));
        } catch (IOException noAnswer) {
            throw new NoAnswer(noAnswer);
        }
    }

    private static Result judge(Answered answer) {
        if (answer.isSuccess() || answer.code() == 409) {
            return new Result.Written(); // 409: created by an attempt whose answer was lost
        }
        String message = answer.status().explanation();
        if (answer.mayPass()) {
            return new Result.TryAgain(answer.retryAfter(), message);
        }
        return isNamespaceGone(answer) ? new Result.Gone(message) : new Result.Refused(message);
    }

    private static boolean isNamespaceGone(Answered answer) {
        return (answer.code() == 404 && answer.status().kind().equals("namespaces"))
                || (answer.code() == 403 && answer.status().message().contains("being terminated"));
    }

    private static String path(String namespace) {
        return "/apis/events.k8s.io/v1/namespaces/" + namespace + "/events";
    }

    private static String namespaceOf(Regarding regarding) {
        return regarding.namespace().isEmpty() ? "default" : regarding.namespace();
    }

    private static String nameOf(Occurrence occurrence) {
        Instant time = occurrence.time();
        long nanos = Math.addExact(Math.multiplyExact(time.getEpochSecond(), 1_000_000_000L), time.getNano());
        String name = occurrence.regarding().name() + "." + Long.toHexString(nanos);
        return name.length() > LONGEST_NAME
                ? UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8)).toString()
                : name;
    }

    /** No answer came. */
    private static final class NoAnswer extends RuntimeException {
        private final String message;

        NoAnswer(IOException cause) {
            super(cause);
            message = String.valueOf(cause.getMessage());
        }
    }
}
