package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import io.evenkeel.app.dump.DumpReader;
import io.evenkeel.app.http.Request;
import io.evenkeel.app.http.StreamedReply;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kinds;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The dump of what a scheduler knows, which asks the server nothing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class CacheDumpTest {
    private static final Node NODE =
            NodeBuilder.node("acme-1").allocatable("pods", "10").build();

    private final ScriptedTransport server = new ScriptedTransport(_ -> Answers.of(503, ""));
    private final DrivenScheduler scheduler = new DrivenScheduler(server, LiveObservers.NONE, false);
    private final CacheDump dump = new CacheDump(scheduler.live(), "1");

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void whatIsKnownIsADumpAndNobodyIsAsked() throws IOException {
        scheduler.leads(NODE, PodBuilder.pod("acme-web").build());

        DumpReader.Dump read = DumpReader.read(written(Map.of()), Kinds.IN_TREE);

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
        assertThat(DumpReader.read(file, Kinds.IN_TREE).objects()).hasSize(2);
    }

    private Path written(Map<String, List<String>> query) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Request request = new Request("GET", "/debug/dump", query, new Headers());
        ((StreamedReply) dump.answer(request)).content().writeTo(bytes);
        return Files.write(folder.resolve("dump"), bytes.toByteArray());
    }
}
