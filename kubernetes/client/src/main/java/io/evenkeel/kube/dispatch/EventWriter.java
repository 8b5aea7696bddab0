package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Clocks.ApiTime;
import io.evenkeel.kube.api.EventSink.Regarding;
import io.evenkeel.kube.dispatch.DispatcherObserver.Drop;
import io.evenkeel.kube.dispatch.Job.EventTask;
import io.evenkeel.kube.dispatch.Job.EventTask.Occurrence;
import io.evenkeel.kube.dispatch.Job.EventTask.Series;
import io.evenkeel.kube.dispatch.Job.EventTask.SeriesEnd;
import io.evenkeel.kube.dispatch.Job.Outcome;
import io.evenkeel.kube.dispatch.Job.Retries;
import io.evenkeel.kube.dispatch.Job.Write;
import io.evenkeel.model.write.Tree;
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
final class EventWriter {
    private static final int MOST_SERIES = 4_096;
    private static final int LONGEST_NAME = 253;
    private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    private final ApiTransport transport;
    private final String identity;
    private final SeriesCache lately = new SeriesCache(MOST_SERIES);

    EventWriter(ApiTransport transport, String identity) {
        this.transport = transport;
        this.identity = identity;
    }

    /** The series that have ended and that the server is yet to be told about. */
    List<SeriesEnd> takeFinished(Instant now) {
        return lately.takeFinished(now);
    }

    Outcome write(EventTask task, int attempts) {
        try {
            return switch (task) {
                case Occurrence occurrence -> {
                    Optional<Series> before = lately.continuedBy(occurrence);
                    yield before.isPresent()
                            ? repeat(occurrence, before.get().seenAgain(occurrence.time()), attempts)
                            : creation(occurrence, attempts).carryOut(transport);
                }
                case SeriesEnd end -> judgeEnd(patch(end.series()), attempts);
            };
        } catch (IOException noAnswer) {
            return unanswered(noAnswer, attempts);
        }
    }

    /**
     * Begins to write an event that continues no series, without waiting for the answer.
     *
     * @param ended is told once, and works out what became of it
     * @return false, and nothing is done, where a thread has to {@link #write} it
     */
    boolean begin(EventTask task, int attempts, Consumer<Supplier<Outcome>> ended) {
        return task instanceof Occurrence occurrence
                && lately.continuedBy(occurrence).isEmpty()
                && creation(occurrence, attempts).begin(transport, ended);
    }

    private Outcome repeat(Occurrence occurrence, Series series, int attempts) throws IOException {
        boolean isNews = series.written() == 1;
        boolean isDue = !series.lastWritten().plus(SeriesCache.FOLDED_WITHIN).isAfter(series.lastObserved());
        if (!isNews && !isDue) {
            lately.put(occurrence, series);
            return new Outcome.Folded();
        }
        Answered answer = patch(series);
        if (answer.code() == 404) {
            lately.forget(occurrence); // events live for an hour or so
            return creation(occurrence, attempts).carryOut(transport);
        }
        if (isWritten(answer) || !answer.mayPass()) {
            lately.put(occurrence, answer.isSuccess() ? series.nowWritten() : series);
        }
        return judge(answer, attempts);
    }

    private Write creation(Occurrence occurrence, int attempts) {
        String namespace = namespaceOf(occurrence.regarding());
        String name = nameOf(occurrence);
        ApiCall call = ApiCall.send(
                "POST", path(namespace), "application/json", EventBody.write(occurrence, name, namespace, identity));
        return new Write(
                call,
                answer -> {
                    if (isWritten(answer)) {
                        lately.put(occurrence, Series.startedBy(namespace, name, occurrence.time()));
                    }
                    return judge(answer, attempts);
                },
                noAnswer -> unanswered(noAnswer, attempts));
    }

    /** Tells an Event how often it has happened. */
    private Answered patch(Series series) throws IOException {
        Tree told =
                new Tree().put("count", series.count()).put("lastObservedTime", ApiTime.micros(series.lastObserved()));
        String body = new Tree().put("series", told).json();
        String path = path(series.namespace()) + "/" + series.name();
        return Answered.write(transport, ApiCall.send("PATCH", path, STRATEGIC_MERGE_PATCH, body));
    }

    private static Outcome unanswered(IOException why, int attempts) {
        return Retries.again(attempts, Optional.empty(), String.valueOf(why.getMessage()));
    }

    /** With 409, an attempt has created it, and its answer was lost. */
    private static boolean isWritten(Answered answer) {
        return answer.isSuccess() || answer.code() == 409;
    }

    private static Outcome judge(Answered answer, int attempts) {
        if (isWritten(answer)) {
            return new Outcome.Silent();
        }
        String message = answer.status().explanation();
        return answer.mayPass()
                ? Retries.again(attempts, answer.retryAfter(), message)
                : new Outcome.Dropped(isNamespaceGone(answer) ? Drop.GONE : Drop.REFUSED, message);
    }

    /** Judges the end of a series. If its first event is gone, no reader misses the count. */
    private static Outcome judgeEnd(Answered answer, int attempts) {
        return answer.code() == 404
                ? new Outcome.Dropped(Drop.GONE, answer.status().explanation())
                : judge(answer, attempts);
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

    static final class EventBody {
        /** In bytes, as the server counts them. */
        private static final int LONGEST_NOTE = 1024;

        private static final String CUT = " ...";
        private static final int LONGEST_INSTANCE = 128;

        private EventBody() {}

        static String write(Occurrence occurrence, String name, String namespace, String identity) {
            ObjectEvent said = occurrence.event();
            Regarding regarding = occurrence.regarding();
            return new Tree()
                    .put("apiVersion", "events.k8s.io/v1")
                    .put("kind", "Event")
                    .put("metadata", new Tree().put("name", name).put("namespace", namespace))
                    .put("eventTime", ApiTime.micros(occurrence.time()))
                    .put("reportingController", said.reportingController())
                    .put("reportingInstance", instance(said.reportingController(), identity))
                    .put("action", said.action())
                    .put("reason", said.reason())
                    .put(
                            "regarding",
                            new Tree()
                                    .put("kind", regarding.kind())
                                    .put("namespace", regarding.namespace())
                                    .put("name", regarding.name())
                                    .putNonEmpty("uid", regarding.uid())
                                    .put("apiVersion", regarding.apiVersion())
                                    .putNonEmpty("resourceVersion", regarding.resourceVersion()))
                    .put("note", cut(said.note()))
                    .put("type", said.type().apiName())
                    .json();
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
