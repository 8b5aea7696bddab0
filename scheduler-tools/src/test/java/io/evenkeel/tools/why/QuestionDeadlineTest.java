package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.api.CycleState;
import io.evenkeel.api.FilterPlugin;
import io.evenkeel.api.NodeInfo;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.PluginFactory;
import io.evenkeel.api.Status;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.CopyAnswers.QuestionDeadline;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** How long a served question waits, by a clock that only the questions themselves move. */
class QuestionDeadlineTest {
    private long secondsOfSlowPod;
    private long waitedUntil;

    /** The plugin is slow with the pod that is asked about. */
    private final FilterPlugin slow = new FilterPlugin() {
        @Override
        public String name() {
            return "Slow";
        }

        @Override
        public Status filter(CycleState state, PendingPod pod, NodeInfo node) {
            cluster.pass(secondsOfSlowPod);
            return Status.SUCCESS;
        }
    };

    private final CopiedCluster cluster = new CopiedCluster(
            InTreePlugins.registry().withInEveryProfile(PluginFactory.of("Slow", FilterPlugin.class, _ -> slow)));
    private final PlacementApi api = new PlacementApi(
            new CopyAnswers(cluster.copy, () -> true, new QuestionDeadline(this::until)),
            (_, _) -> new Spreads.Rows(List.of(), 0),
            _ -> QueueKnowledge.NONE,
            new PodsAtServer(new ScriptedTransport(_ -> Answers.of(404, "{}"))),
            () -> Instant.EPOCH);

    @BeforeEach
    void fill() {
        cluster.put(NodeBuilder.node("n1").allocatable("pods", "10").build());
        cluster.put(PodBuilder.pod("shop", "web")
                .uid("web")
                .schedulerName("default-scheduler")
                .build());
    }

    /** Has the copy take its turns, and looks when what is waited for was done: whoever waits goes on from there. */
    private void until(Future<?> done, Duration longest) throws TimeoutException {
        long begin = waitedUntil;
        var _ = ((CompletableFuture<?>) done).whenComplete((_, _) -> waitedUntil = cluster.now);
        while (!done.isDone()) {
            cluster.copy.turn(0);
        }
        if (waitedUntil - begin > longest.toNanos()) {
            throw new TimeoutException();
        }
    }

    private void askedBefore(long seconds) {
        var _ = cluster.copy.ask(Requester.OPERATOR, "shop/other", (_, _) -> {
            cluster.pass(seconds);
            return "";
        });
    }

    @Test
    void beginsWithTheQuestionsTurn() {
        askedBefore(14);
        secondsOfSlowPod = 9;

        Reply reply = ask();

        assertThat(TimeUnit.NANOSECONDS.toSeconds(cluster.now)).isEqualTo(23);
        assertThat(reply.code()).isEqualTo(200);
    }

    @Test
    void ofWhoeverWaitsInLineHasAnEndToo() {
        askedBefore(16);

        assertLate(ask(), "it was not the question's turn within 15 seconds, as others wait too");
    }

    @Test
    void ofTheQuestionItselfIsNoLongerForAShortLine() {
        secondsOfSlowPod = 11;

        assertLate(ask(), "no answer within 10 seconds");
    }

    private static void assertLate(Reply reply, String message) {
        assertThat(reply.code()).isEqualTo(504);
        assertThat(reply.headers()).doesNotContainKey("Retry-After");
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).contains("\"message\":\"" + message + "\"");
    }

    private Reply ask() {
        return (Reply) api.answer(
                new Request("GET", PlacementApi.NAMESPACES + "shop/pods/web/placement", Map.of(), new Headers()));
    }
}
