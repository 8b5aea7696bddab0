package io.evenkeel.kube.event;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTime;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.JsonText;
import io.evenkeel.kube.api.Write;
import io.evenkeel.kube.event.EventTask.Occurrence;
import io.evenkeel.kube.event.EventTask.SeriesEnd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Writes events. The first of a series is created; the second tells the server at once that there is a series; of those
 * that follow it is told every {@link SeriesCache#FOLDED_WITHIN}, and once more when the series has ended. A task that
 * is to be tried again is handed in again as it was.
 */
public final class EventWriter {
    private static final int MOST_SERIES = 4_096;
    private static final int LONGEST_NAME = 253;
    private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    public sealed interface Result {
        record Written() implements Result {}

        /** Counted, to be written later with others like it. */
        record Folded() implements Result {}

        /** Not written: the namespace it would be in is gone, or about to go, or the event that it would continue. */
        record Gone(String message) implements Result {}

        /** Not written, and it would be no use to try again. */
        record Refused(String message) implements Result {}

        /** Not written, for reasons that may pass. */
        record TryAgain(Optional<Duration> retryAfter, String message) implements Result {}
    }

    private final ApiTransport transport;
    private final String identity;
    private final SeriesCache lately = new SeriesCache(MOST_SERIES);

    public EventWriter(ApiTransport transport, String identity) {
        this.transport = transport;
        this.identity = identity;
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
                            .orElseGet(() -> creation(occurrence).carryOut(transport));
                case SeriesEnd end -> judgeEnd(patch(end.series()));
            };
        } catch (NoAnswer none) {
            return unanswered(none.cause);
        }
    }

    /**
     * Begins to write an event that continues no series, without waiting for the answer.
     *
     * @param ended is told once, and works out what became of it
     * @return false, and nothing is done, where a thread has to {@link #write} it
     */
    public boolean begin(EventTask task, Consumer<Supplier<Result>> ended) {
        return task instanceof Occurrence occurrence
                && lately.continuedBy(occurrence).isEmpty()
                && creation(occurrence).begin(transport, ended);
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
            return creation(occurrence).carryOut(transport);
        }
        Result result = judge(answer);
        if (!(result instanceof Result.TryAgain)) {
            lately.put(occurrence, answer.isSuccess() ? series.nowWritten() : series);
        }
        return result;
    }

    private Write<Result> creation(Occurrence occurrence) {
        String namespace = namespaceOf(occurrence.regarding());
        String name = nameOf(occurrence);
        ApiCall call = ApiCall.send(
                "POST", path(namespace), "application/json", EventBody.write(occurrence, name, namespace, identity));
        return new Write<>(
                call,
                answer -> {
                    Result result = judge(answer);
                    if (result instanceof Result.Written) {
                        lately.put(occurrence, Series.startedBy(namespace, name, occurrence.time()));
                    }
                    return result;
                },
                EventWriter::unanswered);
    }

    private Answered patch(Series series) {
        String path = path(series.namespace()) + "/" + series.name();
        try {
            return Answered.write(
                    transport, ApiCall.send("PATCH", path, STRATEGIC_MERGE_PATCH, SeriesBody.write(series)));
        } catch (IOException noAnswer) {
            throw new NoAnswer(noAnswer);
        }
    }

    private static Result unanswered(IOException why) {
        return new Result.TryAgain(Optional.empty(), String.valueOf(why.getMessage()));
    }

    private static Result judge(Answered answer) {
        if (answer.isSuccess() || answer.code() == 409) {
            return new Result.Written(); // 409: an attempt has created it, and its answer was lost
        }
        String message = answer.status().explanation();
        if (answer.mayPass()) {
            return new Result.TryAgain(answer.retryAfter(), message);
        }
        return isNamespaceGone(answer) ? new Result.Gone(message) : new Result.Refused(message);
    }

    /** Judges the end of a series. If its first event is gone, no reader misses the count. */
    private static Result judgeEnd(Answered answer) {
        return answer.code() == 404 ? new Result.Gone(answer.status().explanation()) : judge(answer);
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

    private static final class NoAnswer extends RuntimeException {
        private final IOException cause;

        NoAnswer(IOException cause) {
            super(cause);
            this.cause = cause;
        }
    }

    /** The patch that tells an Event how often it has happened. */
    private static final class SeriesBody {
        private SeriesBody() {}

        static String write(Series series) {
            return JsonText.object(json -> {
                json.writeObjectFieldStart("series");
                json.writeNumberField("count", series.count());
                json.writeStringField("lastObservedTime", ApiTime.micros(series.lastObserved()));
                json.writeEndObject();
            });
        }
    }

    static final class EventBody {
        /** In bytes, as the server counts them. */
        private static final int LONGEST_NOTE = 1024;

        private static final String CUT = " ...";
        private static final int LONGEST_INSTANCE = 128;

        private EventBody() {}

        static String write(Occurrence occurrence, String name, String namespace, String identity) {
            ObjectEvent said = occurrence.event();
            Regarding regarding = occurrence.regarding();
            return JsonText.object(json -> {
                json.writeStringField("apiVersion", "events.k8s.io/v1");
                json.writeStringField("kind", "Event");
                json.writeObjectFieldStart("metadata");
                json.writeStringField("name", name);
                json.writeStringField("namespace", namespace);
                json.writeEndObject();
                json.writeStringField("eventTime", ApiTime.micros(occurrence.time()));
                json.writeStringField("reportingController", said.reportingController());
                json.writeStringField("reportingInstance", instance(said.reportingController(), identity));
                json.writeStringField("action", said.action());
                json.writeStringField("reason", said.reason());
                json.writeObjectFieldStart("regarding");
                json.writeStringField("kind", regarding.kind());
                json.writeStringField("namespace", regarding.namespace());
                json.writeStringField("name", regarding.name());
                if (!regarding.uid().isEmpty()) {
                    json.writeStringField("uid", regarding.uid());
                }
                json.writeStringField("apiVersion", regarding.apiVersion());
                if (!regarding.resourceVersion().isEmpty()) {
                    json.writeStringField("resourceVersion", regarding.resourceVersion());
                }
                json.writeEndObject();
                json.writeStringField("note", cut(said.note()));
                json.writeStringField("type", said.type().apiName());
            });
        }

        /** Cut at its beginning where it is too long: the end tells replicas on one host apart. */
        private static String instance(String controller, String identity) {
            String instance = controller + "-" + identity;
            return instance.substring(Math.max(0, instance.length() - LONGEST_INSTANCE));
        }

        static String cut(String note) {
            byte[] bytes = note.getBytes(StandardCharsets.UTF_8);
            if (bytes.length <= LONGEST_NOTE) {
                return note;
            }
            int end = LONGEST_NOTE - CUT.length();
            while ((bytes[end] & 0xC0) == 0x80) {
                end--; // not within a character
            }
            return new String(bytes, 0, end, StandardCharsets.UTF_8) + CUT;
        }
    }

    /**
     * Remembers which events were written lately, so that an equal one continues them: the same object, controller, reason,
     * action and note within {@link #FOLDED_WITHIN} of the last. Holds at most so many series and forgets those that were
     * quiet the longest; every operation is O(1) but {@link #takeFinished}, which is linear in what it returns.
     *
     * <p>Used by many threads. Two of them are never about the same object.
     */
    static final class SeriesCache {
        /** As in client-go's broadcaster of events.k8s.io. */
        static final Duration FOLDED_WITHIN = Duration.ofMinutes(6);

        private record Key(String object, String controller, String reason, String action, String note) {
            static Key of(Occurrence occurrence) {
                var said = occurrence.event();
                return new Key(
                        occurrence.regarding().identity(),
                        said.reportingController(),
                        said.reason(),
                        said.action(),
                        said.note());
            }
        }

        private record Kept(Regarding regarding, Series series) {}

        private final int capacity;
        private final LinkedHashMap<Key, Kept> quietestFirst = new LinkedHashMap<>();

        SeriesCache(int capacity) {
            this.capacity = capacity;
        }

        synchronized Optional<Series> continuedBy(Occurrence occurrence) {
            return Optional.ofNullable(quietestFirst.get(Key.of(occurrence)))
                    .map(Kept::series)
                    .filter(series -> series.lastObserved().plus(FOLDED_WITHIN).isAfter(occurrence.time()));
        }

        synchronized void put(Occurrence occurrence, Series series) {
            Key key = Key.of(occurrence);
            quietestFirst.remove(key);
            quietestFirst.put(key, new Kept(occurrence.regarding(), series));
            if (quietestFirst.size() > capacity) {
                quietestFirst.pollFirstEntry();
            }
        }

        synchronized void forget(Occurrence occurrence) {
            quietestFirst.remove(Key.of(occurrence));
        }

        /** Takes out the series that nothing continues any more; returns the ends with a count that the server does not know. */
        synchronized List<SeriesEnd> takeFinished(Instant now) {
            List<SeriesEnd> behind = new ArrayList<>();
            Iterator<Kept> all = quietestFirst.values().iterator();
            while (all.hasNext()) {
                Kept kept = all.next();
                if (kept.series().lastObserved().plus(FOLDED_WITHIN).isAfter(now)) {
                    break;
                }
                all.remove();
                if (kept.series().isBehind()) {
                    behind.add(new SeriesEnd(kept.regarding(), kept.series()));
                }
            }
            return behind;
        }
    }
}
