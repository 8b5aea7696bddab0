package io.evenkeel.tools.cli;

import io.evenkeel.kube.api.Answered;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.NoAnswer;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import io.evenkeel.tools.why.PlacementApi;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;

/** Answers of an Evenkeel that runs in the cluster, through the API server, where it serves why.evenkeel.io. */
final class ServedAnswers {
    private final ApiTransport transport;
    private final Layout layout;
    private boolean ofAll = true;

    ServedAnswers(ApiTransport transport, Layout layout) {
        this.transport = transport;
        this.layout = layout;
    }

    /**
     * Asks about all namespaces, until that is forbidden, and then about the pod's own.
     *
     * @param pod as {@code namespace/name}
     */
    Served about(String pod, Output output) {
        String path = PlacementApi.NAMESPACES + pod.replace("/", "/pods/") + "/placement?output=" + output.written()
                + "&columns=" + layout.columns() + (layout.colours() ? "&colors" : "")
                + layout.kubectl().stream()
                        .map(option -> "&kubectl=" + URLEncoder.encode(option, StandardCharsets.UTF_8))
                        .collect(Collectors.joining());
        try {
            Answered answer = answered(ofAll ? path + "&allNamespaces" : path);
            if (ofAll && answer.code() == HttpURLConnection.HTTP_FORBIDDEN) {
                ofAll = false;
                answer = answered(path);
            }
            return served(answer);
        } catch (IOException noAnswer) {
            return NoAnswer.unreached(noAnswer)
                    .<Served>map(why -> new Served.Unreached(transport.host(), why))
                    .orElseGet(() -> new Served.Failed(NoAnswer.why(noAnswer), Optional.empty()));
        }
    }

    /** Asks again where no replica was reached: the API server takes any of them, also one that has just gone. */
    private Answered answered(String path) throws IOException {
        Answered answer = Answered.whole(transport, ApiCall.get(path));
        for (int more = 2; more > 0 && isOfNoReplica(answer); more--) {
            answer = Answered.whole(transport, ApiCall.get(path));
        }
        return answer;
    }

    /** A replica that is not ready says when to ask it again. */
    private static boolean isOfNoReplica(Answered answer) {
        return answer.code() == HttpURLConnection.HTTP_UNAVAILABLE
                && answer.retryAfter().isEmpty();
    }

    private Served served(Answered answer) {
        if (answer.isNoSuchPod()) {
            return new Served.NoSuchPod(transport.host());
        }
        if (answer.isSuccess()) {
            return new Served.Told(new String(answer.body(), StandardCharsets.UTF_8).stripTrailing());
        }
        return answer.code() == HttpURLConnection.HTTP_NOT_FOUND
                ? new Served.NotServed()
                : new Served.Failed(answer.status().explanation(), answer.retryAfter());
    }

    /** The result of a question to an Evenkeel that may run in the cluster. */
    sealed interface Served {

        /** The answer, in the format that was asked for. */
        record Told(String answer) implements Served {}

        record NoSuchPod(String host) implements Served {}

        /** No Evenkeel serves answers there, or none to this user. */
        record NotServed() implements Served {}

        record Unreached(String host, String why) implements Served {
            String told() {
                return "the API server " + host + " does not answer: " + why;
            }
        }

        /**
         * The server gave no answer.
         *
         * @param retryAfter when to ask again, where that was said
         */
        record Failed(String why, Optional<Duration> retryAfter) implements Served {}
    }
}
