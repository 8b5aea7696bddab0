package io.evenkeel.tools.cli;

import io.evenkeel.app.logging.LoggingOptions;
import io.evenkeel.app.terminal.ClusterListing;
import io.evenkeel.config.file.GoDuration;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.watch.Watches;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.WhyFormat;
import io.evenkeel.tools.why.WhyOutput;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Prints what is answered about the pods of a cluster, once or whenever it changes.
 *
 * @param columns how long lines for people may be
 * @param watch whether to go on until a pod that waited has its node; for ever of pods in place, and of several
 */
record Answering(
        ApiTransport transport, WhyOutput output, int columns, boolean watch, PrintWriter out, PrintWriter err) {
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /**
     * Asks an Evenkeel that runs there; false where none answers.
     *
     * @throws NoSuchPodException if there is no such pod, or not any more
     * @throws UserProblem if not even the API server is reached
     */
    boolean byRunning(String pod) throws InterruptedException {
        ServedAnswers answers = new ServedAnswers(transport, columns);
        switch (patiently(answers, pod)) {
            case Served.Told told -> {
                if (watch) {
                    new ServedFollower(answers, output, printed(), this::warn, Machine.SYSTEM.sleeper())
                            .follow(pod, told);
                } else {
                    printed().print(told.answer());
                }
                return true;
            }
            case Served.NoSuchPod none -> throw new NoSuchPodException(pod, none.host());
            case Served.Unreached unreached -> throw new UserProblem(unreached.told());
            case Served.NotServed _ -> {}
            case Served.Failed failed ->
                warn("why.evenkeel.io gives no answer, and the cluster is listed instead: " + failed.why());
        }
        return false;
    }

    /** A busy server is asked once more after the pause that it names, unless to list the cluster would be faster. */
    private Served patiently(ServedAnswers answers, String pod) throws InterruptedException {
        WhyOutput asked = watch ? WhyOutput.JSON : output;
        Served served = answers.about(pod, asked);
        if (served instanceof Served.Failed failed
                && failed.retryAfter()
                        .filter(pause -> pause.compareTo(LONGEST_PAUSE) <= 0)
                        .isPresent()) {
            Duration pause = failed.retryAfter().get();
            err.println("evenkeel: why.evenkeel.io is busy, asking again in " + GoDuration.rounded(pause) + ": "
                    + failed.why());
            err.flush();
            Machine.SYSTEM.sleeper().sleep(pause.toNanos());
            return answers.about(pod, asked);
        }
        return served;
    }

    /** Lists the cluster, and follows it where that is asked for. */
    void byListing(ClusterQuestions questions, AskedPods asked) throws IOException, InterruptedException {
        ClusterAnswers answers = ClusterAnswers.of(questions, transport, err);
        ChangingAnswer printed = printed();
        List<PodReport> reports = answers.about(asked);
        if (reports.isEmpty()) {
            err.println("evenkeel: no pod waits" + where(asked));
        }
        printed.print(written(reports));
        if (watch) {
            LoggingOptions.applyWarningsOnly();
            LoggingOptions.silence(Watches.CONNECTION_LOG); // one line for all kinds is printed instead
            boolean waited = false;
            try (FollowedCluster followed =
                    new FollowedCluster(questions, answers.listed(), transport, Machine.SYSTEM, this::warn)) {
                while (!(waited && asked.isOne() && areInPlace(reports))) {
                    waited |= !areInPlace(reports);
                    followed.awaitNews();
                    reports = answers.about(asked);
                    printed.print(written(reports));
                }
            }
        }
    }

    private static String where(AskedPods asked) {
        return switch (asked) {
            case AskedPods.One _ -> "";
            case AskedPods.AllThatWait all ->
                all.namespace().map(name -> " in namespace " + name).orElse("");
        };
    }

    private static boolean areInPlace(List<PodReport> reports) {
        return reports.stream().allMatch(report -> report.state() instanceof PodReport.State.InPlace);
    }

    private String written(List<PodReport> reports) throws IOException {
        WhyFormat format = output.format(columns);
        List<String> written = new ArrayList<>();
        for (PodReport report : reports) {
            written.add(format.format(report));
        }
        return String.join(System.lineSeparator(), written);
    }

    private ChangingAnswer printed() {
        return new ChangingAnswer(out, output);
    }

    private void warn(String warning) {
        ClusterListing.warningsTo(err).accept(warning);
    }
}
