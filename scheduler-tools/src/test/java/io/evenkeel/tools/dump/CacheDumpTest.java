package io.evenkeel.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.http.Answer.StreamedReply;
import io.evenkeel.app.http.Reply;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.live.DrivenScheduler;
import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The dump of what a scheduler knows, which asks the server nothing. */
class CacheDumpTest {
    private static final Node NODE =
            NodeBuilder.node("acme-1").allocatable("pods", "10").build();

    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.of(503, ""));
    private final AtomicLong now = new AtomicLong();
    private final CacheDump dump = new CacheDump("1", now::get);
    private final DrivenScheduler scheduler =
            new DrivenScheduler(server, LiveObservers.NONE.with(List.of(dump)), false);

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void whatIsKnownIsADumpAndNobodyIsAsked() throws IOException {
        scheduler.leads(NODE, PodBuilder.pod("acme-web").build());

        Dump read = Dump.read(written(Map.of()), Kinds.IN_TREE);

        assertThat(read.header().orElseThrow().source()).isEqualTo("cache");
        assertThat(read.objects())
                .contains(NODE)
                .hasSize(2)
                .last()
                .satisfies(pod -> assertThat(((Pod) pod).spec().nodeName()).isEqualTo("acme-1"));
        assertThat(server.calls()).isEmpty();
    }

    @Test
    void itMayBeHadWithoutNames() throws IOException {
        scheduler.leads(NODE, PodBuilder.pod("acme-web").build());

        Path file = written(Map.of("anonymise", List.of("true")));

        assertThat(Files.readString(file)).doesNotContain("acme");
        assertThat(Dump.read(file, Kinds.IN_TREE).objects()).hasSize(2);
    }

    @Test
    void aClusterThatIsNotKnownYetIsNotDumped() {
        Reply reply = (Reply) dump.answer(asked(Map.of()));

        assertThat(reply.code()).isEqualTo(503);
        assertThat(reply.headers()).containsKey("Retry-After");
    }

    /** Whoever comes second learns it before anything is sent, and holds nothing. */
    @Test
    void oneReaderAtATimeHasADump() {
        scheduler.leads(NODE);
        StreamedReply first = (StreamedReply) dump.answer(asked(Map.of()));

        Reply second = (Reply) dump.answer(asked(Map.of()));

        assertThat(second.code()).isEqualTo(429);
        assertThat(second.headers()).containsEntry("Retry-After", "10");
        first.end().run();
        assertThat(dump.answer(asked(Map.of()))).isInstanceOf(StreamedReply.class);
    }

    @Test
    void anEngineThatHasEndedIsSaidAndKeepsNobodyFromAskingAgain() {
        scheduler.leads(NODE);
        scheduler.fail();

        for (int time = 0; time < 2; time++) {
            assertThat(((Reply) dump.answer(asked(Map.of()))).code()).isEqualTo(503);
        }
    }

    /** Or it would be told names by a slip of the pen. */
    @Test
    void whoAsksForAnythingElseGetsNone() {
        scheduler.leads(NODE);

        for (Map<String, List<String>> query : List.of(
                Map.of("anonymize", List.of("true")),
                Map.of("anonymise", List.of("yes")),
                Map.of("anonymise", List.of("")),
                Map.of("anonymise", List.of("true", "false")))) {
            assertThat(((Reply) dump.answer(asked(query))).code())
                    .as("%s", query)
                    .isEqualTo(400);
        }
    }

    @Test
    void aReaderThatTakesTooLongIsCutOff() {
        scheduler.leads(IntStream.range(0, 200)
                .mapToObj(i -> NodeBuilder.node("n" + i).build())
                .toArray(KubernetesObject[]::new));
        StreamedReply reply = (StreamedReply) dump.answer(asked(Map.of()));
        OutputStream slow = new OutputStream() {
            @Override
            public void write(int b) {
                now.addAndGet(TimeUnit.SECONDS.toNanos(1));
            }
        };

        assertThatThrownBy(() -> reply.content().writeTo(slow))
                .isInstanceOf(IOException.class)
                .hasMessage("the reader is too slow");
    }

    private static Request asked(Map<String, List<String>> query) {
        return new Request("GET", "/debug/dump", query, new Headers());
    }

    private Path written(Map<String, List<String>> query) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ((StreamedReply) dump.answer(asked(query))).content().writeTo(bytes);
        return Files.write(folder.resolve("dump"), bytes.toByteArray());
    }
}
