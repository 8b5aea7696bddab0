package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Objects of storage and policies, good and bad: a real server's answers were recorded, and the hollow one says the same word by word,
 * but for objects that do not change: where a real one shows them as it has them in its memory, the hollow one names their fields.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RecordedRulesTest {
    private final HollowCluster cluster =
            HollowCluster.start(HollowOptions.DEFAULT.plainHttp().withoutServiceAccountTokens());
    private final TestClient client = new TestClient(cluster);

    @AfterAll
    void close() {
        client.close();
        cluster.close();
    }

    static List<Recorded> recorded() {
        return Stream.of("storage.jsonl", "policies.jsonl")
                .flatMap(file -> Recorded.in(file).stream())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void isAnsweredAsByARealServer(Recorded recorded) throws Exception {
        HttpResponse<String> answer = recorded.patch().isPresent() ? patched(recorded) : tried(recorded);

        assertThat(withoutObjects(message(answer))).isEqualTo(withoutObjects(recorded.message()));
        assertThat(answer.statusCode()).isEqualTo(recorded.code());
    }

    private HttpResponse<String> tried(Recorded recorded) throws IOException, InterruptedException {
        return client.post(recorded.path() + "?dryRun=All", recorded.object().toString());
    }

    private HttpResponse<String> patched(Recorded recorded) throws IOException, InterruptedException {
        HttpResponse<String> created =
                client.post(recorded.path(), recorded.object().toString());
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        String path = recorded.path() + "/" + Trees.text(recorded.object(), "metadata", "name");
        if (recorded.status().isPresent()) {
            JsonObject status = new JsonObject();
            status.add("status", recorded.status().get());
            client.patch(path + "/status", status.toString(), "merge-patch");
        }
        HttpResponse<String> answer =
                client.patch(path, recorded.patch().orElseThrow().toString(), "merge-patch");
        client.delete(path, "");
        return answer;
    }

    private static String message(HttpResponse<String> answer) {
        return Trees.text(JsonParser.parseString(answer.body()).getAsJsonObject(), "message");
    }

    private static String withoutObjects(String message) {
        return message.replaceAll("(?s)\n(@@|changed: ).*?(?=, volumeMode:|, spec\\.resources|]\\z|\\z)", "")
                .replaceAll("Invalid value: \\{[^ ]*}: field is immutable", "Invalid value: {}: field is immutable");
    }
}
