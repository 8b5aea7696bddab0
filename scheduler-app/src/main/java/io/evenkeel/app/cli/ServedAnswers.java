package io.evenkeel.app.cli;

import io.evenkeel.app.cli.usage.Version;
import io.evenkeel.app.why.WhyOutput;
import io.evenkeel.app.why.api.PlacementApi;
import io.evenkeel.config.yaml.GoDuration;
import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.access.ConnectionOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** Answers of an Evenkeel that runs in the cluster, through the API server, where it serves why.evenkeel.io. */
record ServedAnswers(ConnectionOptions connection, PrintWriter warnings) {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /**
     * Empty where nobody answers such questions there, and where this user may not ask.
     *
     * @param pod as {@code namespace/name}
     * @throws FailureException if there is no such pod
     */
    Optional<String> about(String pod, WhyOutput output, int columns) throws InterruptedException {
        String path = PlacementApi.NAMESPACES + pod.replace("/", "/pods/") + "/placement?output=" + output.written()
                + "&columns=" + columns;
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            Answered answer = asked(transport, path);
            Optional<Duration> pause = pauseAfter(answer);
            if (pause.isPresent()) {
                warnings.println("evenkeel: why.evenkeel.io is busy, asking again in " + GoDuration.rounded(pause.get())
                        + ": " + answer.status().explanation());
                warnings.flush();
                Thread.sleep(pause.get());
                answer = asked(transport, path);
            }
            if (answer.isNoSuchPod()) {
                throw new FailureException(
                        "there is no pod " + pod + " in " + transport.host() + ", or it has finished");
            }
            if (answer.isSuccess()) {
                return Optional.of(new String(answer.body(), StandardCharsets.UTF_8).stripTrailing());
            }
            if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
                warn(answer.status().explanation());
            }
        } catch (IOException noAnswer) {
            warn(NoAnswer.why(noAnswer));
        }
        return Optional.empty();
    }

    private static Answered asked(HttpTransport transport, String path) throws IOException {
        Answered answer = Answered.whole(transport, ApiCall.get(path + "&allNamespaces"));
        return answer.code() == HttpURLConnection.HTTP_FORBIDDEN
                ? Answered.whole(transport, ApiCall.get(path))
                : answer;
    }

    /** How long to wait before asking once more; empty where that would be no use, or longer than to list the cluster. */
    private static Optional<Duration> pauseAfter(Answered answer) {
        return answer.code() == TOO_MANY_REQUESTS || answer.code() == HttpURLConnection.HTTP_UNAVAILABLE
                ? answer.retryAfter().filter(pause -> pause.compareTo(LONGEST_PAUSE) <= 0)
                : Optional.empty();
    }

    private void warn(String why) {
        warnings.println(
                "evenkeel: warning: why.evenkeel.io does not answer, and the cluster is listed instead: " + why);
    }
}
