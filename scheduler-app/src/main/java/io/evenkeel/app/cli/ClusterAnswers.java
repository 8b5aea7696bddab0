package io.evenkeel.app.cli;

import io.evenkeel.app.cli.listing.ClusterListing;
import io.evenkeel.app.cli.usage.Version;
import io.evenkeel.app.why.Asker;
import io.evenkeel.app.why.ClusterQuestions;
import io.evenkeel.app.why.PodReport;
import io.evenkeel.app.why.WhyFormat;
import io.evenkeel.app.why.suppose.Supposition;
import io.evenkeel.app.why.suppose.SuppositionException;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.kube.client.access.ConnectionOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** Answers of a cluster of which all is listed once. */
final class ClusterAnswers {
    private final ClusterQuestions questions;
    private final String host;

    private ClusterAnswers(ClusterQuestions questions, String host) {
        this.questions = questions;
        this.host = host;
    }

    /** @throws io.evenkeel.app.cli.listing.UnlistedException if nodes or pods cannot be listed */
    static ClusterAnswers of(
            ConnectionOptions connection,
            SchedulerConfiguration configuration,
            PluginRegistry registry,
            boolean configured,
            PrintWriter warnings)
            throws InterruptedException {
        ClusterQuestions questions = new ClusterQuestions(configuration, registry, configured);
        try (HttpTransport transport = HttpTransport.open(connection, new Version().number(), ApiObserver.NONE)) {
            questions.tell(ClusterListing.of(questions.kinds(), transport, ClusterListing.warningsTo(warnings))
                    .objects());
            return new ClusterAnswers(questions, transport.host());
        }
    }

    /** @throws FailureException if there is no such pod, or something that is supposed cannot be */
    PodReport about(String pod, List<Supposition> suppositions) {
        try {
            return found(
                    pod,
                    suppositions.isEmpty()
                            ? questions.about(pod, Asker.OPERATOR)
                            : questions.supposing(pod, suppositions, Asker.OPERATOR));
        } catch (SuppositionException impossible) {
            throw new FailureException("--if: " + impossible.getMessage(), impossible);
        }
    }

    private PodReport found(String pod, Optional<PodReport> report) {
        return report.orElseThrow(
                () -> new FailureException("there is no pod " + pod + " in " + host + ", or it has finished"));
    }

    List<PodReport> allThatWait(Optional<String> namespace) {
        return questions.allThatWait(namespace, Asker.OPERATOR);
    }

    void print(List<PodReport> reports, WhyFormat format, PrintWriter out) throws IOException {
        for (PodReport report : reports) {
            out.println(format.format(report));
        }
        out.flush();
    }
}
