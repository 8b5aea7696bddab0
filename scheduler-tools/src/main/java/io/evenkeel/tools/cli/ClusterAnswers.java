package io.evenkeel.tools.cli;

import io.evenkeel.app.terminal.ClusterListing;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.watch.ClusterList;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.problem.UserProblem;
import io.evenkeel.tools.why.Asker;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.SuppositionException;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Answers questions about a cluster that is listed as a whole. */
final class ClusterAnswers {
    private final ClusterQuestions questions;
    private final ApiTransport transport;
    private final List<Kind<?>> listed;

    private ClusterAnswers(ClusterQuestions questions, ApiTransport transport, List<Kind<?>> listed) {
        this.questions = questions;
        this.transport = transport;
        this.listed = listed;
    }

    /**
     * Tells the questions of all there is.
     *
     * @throws io.evenkeel.problem.UserProblem if nodes or pods cannot be listed
     */
    static ClusterAnswers of(ClusterQuestions questions, ApiTransport transport, PrintWriter warnings)
            throws InterruptedException {
        ClusterList list = ClusterListing.of(questions.kinds(), transport, ClusterListing.warningsTo(warnings));
        questions.tell(list.objects());
        return new ClusterAnswers(
                questions,
                transport,
                questions.kinds().stream()
                        .filter(kind -> !list.failed().containsKey(kind.name()))
                        .toList());
    }

    /** The kinds with objects to list, if any. */
    List<Kind<?>> listed() {
        return listed;
    }

    /**
     * Reports on the pods now.
     *
     * @throws UserProblem if there is no such pod, or something that is supposed cannot be so
     */
    List<PodReport> about(AskedPods asked) {
        questions.tell(new SchedulerLeases(transport, InstantSource.system())::of);
        return switch (asked) {
            case AskedPods.One one -> List.of(about(one));
            case AskedPods.AllThatWait all -> questions.allThatWait(all.namespace(), Asker.OPERATOR);
        };
    }

    private PodReport about(AskedPods.One asked) {
        try {
            Optional<PodReport> report = asked.suppositions().isEmpty()
                    ? questions.about(asked.key(), Asker.OPERATOR)
                    : questions.supposing(asked.key(), asked.suppositions(), Asker.OPERATOR);
            return report.orElseThrow(() -> new NoSuchPodException(asked.key(), transport.host()));
        } catch (SuppositionException impossible) {
            throw new UserProblem("--if: " + impossible.getMessage(), impossible);
        }
    }
}
