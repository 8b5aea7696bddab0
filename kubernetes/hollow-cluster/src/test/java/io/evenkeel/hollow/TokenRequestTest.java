package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.resource.ResourceTable;
import java.net.http.HttpResponse;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tokens of service accounts, as {@code kubectl create token} asks for them. */
class TokenRequestTest {
    private static final String ACCOUNTS = "/api/v1/namespaces/default/serviceaccounts/";

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));
    private final HollowCluster cluster =
            HollowCluster.start(HollowOptions.DEFAULT.plainHttp().withClock(now::get));
    private final TestClient client = new TestClient(cluster);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void aTokenIsItsAccounts() throws Exception {
        JsonObject issued = issue("{\"spec\":{\"expirationSeconds\":600}}");

        assertThat(issued.get("expirationTimestamp").getAsString()).isEqualTo("2030-01-01T00:10:00Z");
        assertThat(callWith(issued)).isEqualTo(200);
        assertThat(cluster.requestLog().requests().getLast().user()).isEqualTo("system:serviceaccount:default:default");
    }

    @Test
    void aTokenEndsWithItsTime() throws Exception {
        JsonObject issued = issue("");

        now.set(Instant.parse("2030-01-01T00:59:59Z"));
        assertThat(callWith(issued)).isEqualTo(200);
        now.set(Instant.parse("2030-01-01T01:00:00Z"));
        assertThat(callWith(issued)).isEqualTo(401);
    }

    @Test
    void aTokenEndsWithItsAccount() throws Exception {
        JsonObject issued = issue("");

        cluster.objects().delete(ResourceTable.SERVICE_ACCOUNTS, "default", "default");
        assertThat(callWith(issued)).isEqualTo(401);
        cluster.objects()
                .create("{\"apiVersion\":\"v1\",\"kind\":\"ServiceAccount\",\"metadata\":{\"name\":\"default\"}}");
        assertThat(callWith(issued)).as("another account of this name").isEqualTo(401);
    }

    @Test
    void whatCannotBeIssuedIsRefused() throws Exception {
        assertThat(client.post(ACCOUNTS + "absent/token", "{}").body())
                .contains("serviceaccounts \\\"absent\\\" not found");
        HttpResponse<String> tooShort =
                client.post(ACCOUNTS + "default/token", "{\"spec\":{\"expirationSeconds\":599}}");
        assertThat(tooShort.statusCode()).isEqualTo(422);
        assertThat(tooShort.body())
                .contains(
                        "spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes");
    }

    private JsonObject issue(String request) throws Exception {
        HttpResponse<String> answer = client.post(ACCOUNTS + "default/token", request);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonObject("status");
    }

    private int callWith(JsonObject issued) throws Exception {
        String token = issued.get("token").getAsString();
        return client.send("GET", "/api/v1/pods", "", "application/json", token).statusCode();
    }
}
