package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Fields that a kind has not, such as misspelt ones; words as a real server's. */
class FieldValidationTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String POD = """
        {"metadata":{"name":"p"},"zork":1,"spec":{"topologySpreadConstraint":[],
         "containers":[{"name":"c","image":"x"},{"name":"d","image":"x","env":[{"name":"A","valu":"1"}]}],
         "volumes":[{"name":"v","emptyDir":{}},{"name":"w","emptyDirs":{}}]}}\
        """;

    private final HollowCluster cluster =
            HollowCluster.start(HollowOptions.DEFAULT.plainHttp().withoutServiceAccountTokens());
    private final TestClient client = new TestClient(cluster);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void areRefusedWhereTheClientWantsThatAsKubectlDoes() throws Exception {
        HttpResponse<String> refused = client.post(PODS + "?fieldValidation=Strict", POD);

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(message(refused))
                .isEqualTo("Pod in version \"v1\" cannot be handled as a Pod: strict decoding error: unknown field"
                        + " \"zork\", unknown field \"spec.topologySpreadConstraint\", unknown field"
                        + " \"spec.containers[1].env[0].valu\", unknown field \"spec.volumes[1].emptyDirs\"");
        assertThat(client.get(PODS + "/p").statusCode()).isEqualTo(404);
    }

    @Test
    void areWarnedOfAndNotKeptOtherwise() throws Exception {
        HttpResponse<String> created = client.post(PODS, POD);

        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.headers().allValues("Warning"))
                .containsExactly(
                        "299 - \"unknown field \\\"zork\\\"\"",
                        "299 - \"unknown field \\\"spec.topologySpreadConstraint\\\"\"",
                        "299 - \"unknown field \\\"spec.containers[1].env[0].valu\\\"\"",
                        "299 - \"unknown field \\\"spec.volumes[1].emptyDirs\\\"\"");
        assertThat(client.get(PODS + "/p").body())
                .contains("\"emptyDir\":{}")
                .doesNotContain("zork", "topologySpreadConstraint\"", "valu\"", "emptyDirs");
        assertThat(client.post(PODS + "?fieldValidation=Ignore", POD.replace("\"p\"", "\"q\""))
                        .headers()
                        .allValues("Warning"))
                .isEmpty();
    }

    @Test
    void arePatchedInByNobody() throws Exception {
        String account = "/api/v1/namespaces/default/serviceaccounts/default";
        String patch = "{\"metadata\":{\"labels\":{\"a\":\"b\"}},\"zork\":1}";

        HttpResponse<String> refused = client.patch(account + "?fieldValidation=Strict", patch, "merge-patch");
        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(message(refused)).endsWith("strict decoding error: unknown field \"zork\"");

        HttpResponse<String> patched = client.patch(account, patch, "merge-patch");
        assertThat(patched.headers().allValues("Warning")).containsExactly("299 - \"unknown field \\\"zork\\\"\"");
        assertThat(patched.body()).contains("\"a\":\"b\"").doesNotContain("zork");
    }

    @Test
    void anObjectWithinAnotherMaySayItsType() throws Exception {
        HttpResponse<String> created =
                client.post("/apis/apps/v1/namespaces/default/statefulsets?fieldValidation=Strict", """
                    {"metadata":{"name":"s"},"spec":{"serviceName":"s","selector":{"matchLabels":{"a":"b"}},
                     "template":{"metadata":{"labels":{"a":"b"}},"spec":{"containers":[]}},
                     "volumeClaimTemplates":[{"kind":"PersistentVolumeClaim","apiVersion":"v1",
                      "metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],
                       "resources":{"requests":{"storage":"1Gi"}}}}]}}\
                    """);

        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private static String message(HttpResponse<String> refused) {
        return Trees.text(JsonParser.parseString(refused.body()).getAsJsonObject(), "message");
    }
}
