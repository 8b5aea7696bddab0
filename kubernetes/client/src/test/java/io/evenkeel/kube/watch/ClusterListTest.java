package io.evenkeel.kube.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.kind.Kinds;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterListTest {
    @Test
    void aServerThatDoesNotAnswerIsWaitedForOnce() throws InterruptedException {
        ScriptedServer server = new ScriptedServer().thenNone(new IOException("connect timed out"));

        ClusterList list = ClusterList.of(List.of(Kinds.NODE, Kinds.POD, Kinds.SERVICE), server);

        assertThat(server.asked).hasSize(1);
        assertThat(list.failed()).containsOnlyKeys("Node", "Pod", "Service").containsValue("connect timed out");
    }

    @Test
    void aRefusalIsOfOneKind() throws InterruptedException {
        ScriptedServer server = new ScriptedServer()
                .then(FakeAnswer.json(403, "{}"))
                .then(FakeAnswer.ok(
                        "{\"kind\":\"ServiceList\",\"metadata\":{\"resourceVersion\":\"5\"},\"items\":[]}"));

        assertThat(ClusterList.of(List.of(Kinds.NODE, Kinds.SERVICE), server).failed())
                .containsOnlyKeys("Node");
    }
}
