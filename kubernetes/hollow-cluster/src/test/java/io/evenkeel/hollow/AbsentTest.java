package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a hollow cluster has not, it says in words; what nobody has is refused as a real server does. */
class AbsentTest {
    private static final String JSON = "application/json";

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, /api/v1/namespaces/default/limitranges, limitranges",
        "GET, /apis/apps/v1/controllerrevisions, controllerrevisions.apps",
        "GET, /api/v1/componentstatuses, componentstatuses",
        "POST, /apis/networking.k8s.io/v1/namespaces/default/ingresses, ingresses.networking.k8s.io",
        "POST, /apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers, horizontalpodautoscalers.autoscaling",
        "GET, /apis/apiextensions.k8s.io/v1/customresourcedefinitions, customresourcedefinitions.apiextensions.k8s.io",
    })
    void aResourceThatKubernetesHas(String method, String path, String resource) throws Exception {
        HttpResponse<String> refused = client.send(method, path, "", JSON);

        assertThat(refused.statusCode()).isEqualTo(404);
        assertThat(message(refused))
                .isEqualTo("the server could not find the requested resource: a hollow cluster has no " + resource
                        + ", see docs/hollow.md");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, log, logs",
        "POST, exec, exec",
        "GET, exec, exec",
        "POST, attach, attach",
        "POST, portforward, port-forward",
        "PATCH, ephemeralcontainers, ephemeral containers",
    })
    void whatTakesContainers(String method, String subresource, String named) throws Exception {
        HttpResponse<String> refused =
                client.send(method, "/api/v1/namespaces/default/pods/p/" + subresource, "", JSON);

        assertThat(refused.statusCode()).isEqualTo(501);
        assertThat(message(refused)).isEqualTo("a hollow cluster has no " + named + ": its nodes run no containers");
    }

    /** Rules that nobody is held to, and the like. */
    @Test
    void whatIsOnlyKeptIsSaidAtItsCreation() throws Exception {
        String roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles";

        assertThat(client.post(roles, "{\"metadata\":{\"name\":\"r\"}}")
                        .headers()
                        .allValues("Warning"))
                .containsExactly("299 - \"in a hollow cluster this Role is kept, and everybody may do everything all"
                        + " the same\"");
        assertThat(client.post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"n\"}}")
                        .headers()
                        .allValues("Warning"))
                .isEmpty();
    }

    @Test
    void serverSideApply() throws Exception {
        HttpResponse<String> refused =
                client.send("PATCH", "/api/v1/nodes/n?fieldManager=m", "{}", "application/apply-patch+yaml");

        assertThat(refused.statusCode()).isEqualTo(415);
        assertThat(message(refused)).contains("no server-side apply: apply without --server-side");
    }

    /** kubectl shows the words of a plain text only. */
    @Test
    void explain() throws Exception {
        assertThat(client.getTree("/openapi/v3").getAsJsonObject("paths").keySet())
                .contains("api/v1", "apis/apps/v1", "apis/resource.k8s.io/v1");
        HttpResponse<String> refused = client.get("/openapi/v3/api/v1");

        assertThat(refused.statusCode()).isEqualTo(501);
        assertThat(refused.headers().firstValue("Content-Type").orElseThrow()).startsWith("text/plain");
        assertThat(refused.body()).isEqualTo("a hollow cluster has no descriptions of its fields");
    }

    @Test
    void whatNobodyHasIsNotSaidToBeMissingHere() throws Exception {
        for (String path : new String[] {"/api/v1/nosuch", "/apis/example.com/v1/things", "/api/v1/nodes/n/nosuch"}) {
            assertThat(message(client.get(path))).isEqualTo("the server could not find the requested resource");
        }
    }

    private static String message(HttpResponse<String> refused) {
        return Trees.text(JsonParser.parseString(refused.body()).getAsJsonObject(), "message");
    }
}
