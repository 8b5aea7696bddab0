package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.evenkeel.hollow.json.Trees;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Policies, good and bad: the answers of a real server with the chart's definitions were recorded, and the hollow one says the same word by word. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyRulesTest {
    private final HollowCluster cluster =
            HollowCluster.start(HollowOptions.DEFAULT.plainHttp().withoutServiceAccountTokens());
    private final TestClient client = new TestClient(cluster);

    @AfterAll
    void close() {
        client.close();
        cluster.close();
    }

    static List<Recorded> recorded() {
        return Recorded.in("policies.jsonl");
    }

    @ParameterizedTest
    @MethodSource("recorded")
    void isAnsweredAsByARealServer(Recorded recorded) throws Exception {
        HttpResponse<String> answer =
                client.post(recorded.path() + "?dryRun=All", recorded.object().toString());

        assertThat(Trees.text(JsonParser.parseString(answer.body()).getAsJsonObject(), "message"))
                .isEqualTo(recorded.message());
        assertThat(answer.statusCode()).isEqualTo(recorded.code());
    }
}
