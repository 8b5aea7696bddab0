package io.evenkeel.app.live;

import io.evenkeel.app.http.Answer;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.Parameters;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.Routes.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Semaphore;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;

/**
 * A JFR recording of this process, made while the client waits: one at a time, of a minute and 16 MiB at most. It ends early where
 * the client hangs up. It is refused beside another recording of the process, since each of both would have the other's events.
 *
 * @param events to record, each with its settings
 */
record Profile(Map<String, Map<String, String>> events) implements Endpoint {
    static final Map<String, Map<String, String>> PROCESSOR = Map.of(
            "jdk.ExecutionSample", Map.of("period", "10 ms"), "jdk.NativeMethodSample", Map.of("period", "20 ms"));
    static final Map<String, Map<String, String>> ALLOCATIONS =
            Map.of("jdk.ObjectAllocationSample", Map.of("throttle", "300/s"), "jdk.GCHeapSummary", Map.of());
    private static final Semaphore TURN = new Semaphore(1);
    private static final String SECONDS = "seconds";
    private static final Parameters PARAMETERS = Parameters.named(Set.of(SECONDS));
    private static final int LONGEST = 60;
    /** It may be a file of 12 MB more; /tmp, where all is, has 64 MiB in a pod. */
    private static final long MOST_BYTES = 1L << 24;

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(100);

    @Override
    public Answer answer(Request request) {
        List<String> given = request.values(SECONDS);
        String seconds = given.isEmpty() ? "30" : given.getLast();
        if (PARAMETERS.problem(request).isPresent()
                || !seconds.matches("[1-9][0-9]?")
                || Integer.parseInt(seconds) > LONGEST) {
            return Reply.text(400, "expected ?seconds= from 1 to " + LONGEST + " and nothing else\n");
        }
        if (request.method().equals("HEAD")) {
            return Reply.text(200, "");
        }
        if (!TURN.tryAcquire()) {
            return Reply.text(429, "another profile is being recorded, come again later\n");
        }
        try {
            return recorded(Duration.ofSeconds(Integer.parseInt(seconds)), request);
        } catch (IOException | RuntimeException | InterruptedException impossible) {
            TURN.release();
            if (impossible instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            return Reply.text(503, "cannot record: " + impossible.getMessage() + "\n");
        }
    }

    /** The turn ends when the answer has been sent. */
    private Answer recorded(Duration time, Request request) throws IOException, InterruptedException {
        Recording recording = new Recording();
        try {
            if (!isAlone(recording) || !record(recording, time, request)) {
                recording.close();
                TURN.release();
                return Reply.text(409, "another JFR recording runs in this process: stop it, or read that one\n");
            }
            InputStream recorded = Objects.requireNonNull(recording.getStream(null, null), "nothing was recorded");
            return new StreamedReply("application/octet-stream", recorded::transferTo, () -> end(recording, recorded));
        } catch (IOException | RuntimeException | InterruptedException impossible) {
            recording.close();
            throw impossible;
        }
    }

    private static boolean isAlone(Recording recording) {
        return FlightRecorder.getFlightRecorder().getRecordings().stream()
                .allMatch(each -> each.getState() != RecordingState.RUNNING || each.getId() == recording.getId());
    }

    /** Answers whether it was alone all the time. */
    private boolean record(Recording recording, Duration time, Request request) throws InterruptedException {
        events.forEach((event, settings) -> {
            var enabled = recording.enable(event);
            settings.forEach(enabled::with);
        });
        recording.setMaxSize(MOST_BYTES);
        recording.start();
        long end = System.nanoTime() + time.toNanos();
        while (isAlone(recording)
                && end - System.nanoTime() > 0
                && request.stillThere().getAsBoolean()) {
            Thread.sleep(BETWEEN_LOOKS);
        }
        boolean wasAlone = isAlone(recording);
        recording.stop();
        return wasAlone;
    }

    /** The stream holds files of the recording until it is closed, read or not. */
    private static void end(Recording recording, InputStream recorded) {
        try {
            recorded.close();
        } catch (IOException unexpected) {
            throw new UncheckedIOException(unexpected);
        } finally {
            recording.close();
            TURN.release();
        }
    }
}
