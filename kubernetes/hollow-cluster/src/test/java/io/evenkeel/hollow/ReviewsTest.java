package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.schema.TypeMeta;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What {@code kubectl auth} asks, and acting as another. */
class ReviewsTest {
    private static final String JSON = "application/json";
    private static final String WHO_AM_I = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
    private static final String RULES = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @BeforeEach
    void aViewerWhoMayOnlyListPods() {
        cluster.tokens().add("secret", User.named("viewer", "guests"));
        cluster.authorize((user, what) -> !user.name().equals("viewer")
                || (what.verb().equals("list") && what.resourcePath().equals("pods")));
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void whoCallsIsTold() throws Exception {
        cluster.authorize((_, _) -> true);

        assertThat(client.send("POST", WHO_AM_I, "{}", JSON, "secret").body())
                .contains("\"username\":\"viewer\"", "\"groups\":[\"guests\",\"system:authenticated\"]");
    }

    @Test
    void anAdministratorMayDoEverything() throws Exception {
        assertThat(status(client.post(RULES, "{\"spec\":{\"namespace\":\"default\"}}"))
                        .getAsJsonArray("resourceRules"))
                .hasToString("[{\"verbs\":[\"*\"],\"apiGroups\":[\"*\"],\"resources\":[\"*\"]}]");
    }

    @Test
    void rulesAreThoseOfTheAuthorizer() throws Exception {
        cluster.authorize((_, what) -> what.resource().equals("selfsubjectrulesreviews")
                || what.resourcePath().equals("pods/status")
                || (what.verb().equals("list") && what.resourcePath().equals("pods")));

        JsonObject status = status(client.post(RULES, "{\"spec\":{\"namespace\":\"default\"}}"));

        assertThat(status.getAsJsonArray("resourceRules").asList())
                .extracting(Object::toString)
                .containsExactly(
                        "{\"verbs\":[\"list\"],\"apiGroups\":[\"\"],\"resources\":[\"pods\"]}",
                        "{\"verbs\":[\"get\",\"patch\",\"update\"],\"apiGroups\":[\"\"],\"resources\":[\"pods/status\"]}",
                        "{\"verbs\":[\"create\"],\"apiGroups\":[\"authorization.k8s.io\"],"
                                + "\"resources\":[\"selfsubjectrulesreviews\"]}");
        assertThat(status.get("incomplete").getAsBoolean()).isFalse();
    }

    @Test
    void aReviewInProtobufIsAnsweredInProtobuf() throws Exception {
        JsonObject review = JsonParser.parseString(
                        "{\"spec\":{\"resourceAttributes\":{\"verb\":\"create\",\"resource\":\"pods\"}}}")
                .getAsJsonObject();
        TypeMeta type = new TypeMeta("authorization.k8s.io/v1", "SelfSubjectAccessReview");
        Encoding protobuf = new ProtobufEncoding();

        HttpResponse<byte[]> answer = client.sendProtobuf(
                "POST",
                "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
                protobuf.object(type, protobuf.body(type, review)));

        assertThat(answer.headers().firstValue("Content-Type")).hasValue(TestClient.PROTOBUF);
        assertThat(ProtobufBody.read(answer.body()).getAsJsonObject("status")).hasToString("{\"allowed\":true}");
    }

    @Test
    void aReviewMayBeAboutOneNamespace() throws Exception {
        String path = "/apis/authorization.k8s.io/v1/namespaces/default/localsubjectaccessreviews";
        String review = """
            {"spec":{"user":"viewer","resourceAttributes":{"verb":"%s","resource":"pods","namespace":"default"}}}\
            """;

        assertThat(client.post(path, review.formatted("list")).body()).contains("\"allowed\":true");
        assertThat(client.post(path, review.formatted("get")).body()).contains("\"allowed\":false");
    }

    @Test
    void whoActsAsAnotherHasThatOnesRights() throws Exception {
        String pods = "/api/v1/namespaces/default/pods";

        HttpResponse<String> asViewer = client.getWith(pods + "/p", cluster.adminToken(), "Impersonate-User", "viewer");

        assertThat(asViewer.statusCode()).isEqualTo(403);
        assertThat(asViewer.body()).contains("User \\\"viewer\\\" cannot get resource \\\"pods\\\"");
        assertThat(client.getWith(pods, cluster.adminToken(), "Impersonate-User", "viewer")
                        .statusCode())
                .isEqualTo(200);
    }

    @Test
    void notEverybodyMayActAsAnother() throws Exception {
        HttpResponse<String> refused = client.getWith("/api/v1/pods", "secret", "Impersonate-User", "hollow-admin");

        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body())
                .contains("users \\\"hollow-admin\\\" is forbidden: User \\\"viewer\\\" cannot impersonate");
    }

    @Test
    void aServiceAccountThatIsActedAsBringsItsGroups() throws Exception {
        HttpResponse<String> list =
                client.getWith("/api/v1/pods", cluster.adminToken(), "Impersonate-User", "system:serviceaccount:a:b");

        assertThat(list.statusCode()).isEqualTo(200);
        assertThat(cluster.requestLog().requests().getLast().user()).isEqualTo("system:serviceaccount:a:b");
        assertThat(User.serviceAccount("system:serviceaccount:a:b")
                        .orElseThrow()
                        .groups())
                .containsExactly("system:serviceaccounts", "system:serviceaccounts:a", "system:authenticated");
    }

    private static JsonObject status(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        return JsonParser.parseString(answer.body()).getAsJsonObject().getAsJsonObject("status");
    }
}
