package io.evenkeel.app.cli;

import io.evenkeel.app.cli.usage.Version;
import io.evenkeel.app.why.WhyOutput;
import io.evenkeel.app.why.api.PlacementApi;
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
import java.util.Optional;

/** Answers of an Evenkeel that runs in the cluster, through the API server, where it serves why.evenkeel.io. */
record ServedAnswers(ConnectionOptions connection, PrintWriter warnings) {
    /**
     * Empty where nobody answers such questions there, and where this user may not ask.
     *
     * @param pod as {@code namespace/name}
     * @throws FailureException if there is no such pod
     */
    Optional<String> about(String pod, WhyOutput output, int columns) {
        String path = PlacementApi.NAMESPACES + pod.replace("/", "/pods/") + "/placement?output=" + output.written()
                + "&columns=" + columns;
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            Answered answer = Answered.whole(transport, ApiCall.get(path + "&allNamespaces"));
            if (answer.code() == HttpURLConnection.HTTP_FORBIDDEN) {
                answer = Answered.whole(transport, ApiCall.get(path));
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

    private void warn(String why) {
        warnings.println(
                "evenkeel: warning: why.evenkeel.io does not answer, and the cluster is listed instead: " + why);
    }
}
