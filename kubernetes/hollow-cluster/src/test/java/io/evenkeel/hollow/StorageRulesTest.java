package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Objects of storage as they change, beyond what was recorded of a real server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StorageRulesTest {
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";

    private final HollowCluster cluster =
            HollowCluster.start(HollowOptions.DEFAULT.plainHttp().withoutServiceAccountTokens());
    private final TestClient client = new TestClient(cluster);

    @AfterAll
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void aPatchThatMakesAnObjectUnreadableIsShown() throws Exception {
        createClaim("unread", "");

        HttpResponse<String> refused = client.patch(
                CLAIMS + "/unread", "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2GiB\"}}}}", "merge-patch");

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(message(refused))
                .startsWith(" \"\" is invalid: patch: Invalid value: ")
                .endsWith(": quantities must match the regular expression"
                        + " '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
    }

    @Test
    void aBoundClaimGrowsIfItsClassAllowsThat() throws Exception {
        client.post("/apis/storage.k8s.io/v1/storageclasses", """
            {"metadata":{"name":"elastic"},"provisioner":"a.b","allowVolumeExpansion":true}\
            """);
        createClaim("growing", "\"storageClassName\":\"elastic\",");
        client.patch(CLAIMS + "/growing/status", "{\"status\":{\"phase\":\"Bound\"}}", "merge-patch");

        HttpResponse<String> grown = client.patch(
                CLAIMS + "/growing", "{\"spec\":{\"resources\":{\"requests\":{\"storage\":\"2Gi\"}}}}", "merge-patch");

        assertThat(grown.statusCode()).as(grown.body()).isEqualTo(200);
    }

    @Test
    void anAmountWithoutANumberIsKeptAsNothing() throws Exception {
        client.post("/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities", """
            {"metadata":{"name":"none"},"storageClassName":"a","capacity":"Gi"}\
            """);

        assertThat(client.get("/apis/storage.k8s.io/v1/namespaces/default/csistoragecapacities/none")
                        .body())
                .contains("\"capacity\":\"0\"");
    }

    private void createClaim(String name, String members) throws IOException, InterruptedException {
        HttpResponse<String> created = client.post(CLAIMS, """
            {"metadata":{"name":"%s"},"spec":{%s"accessModes":["ReadWriteOnce"],
             "resources":{"requests":{"storage":"1Gi"}}}}\
            """.formatted(name, members));
        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
    }

    private static String message(HttpResponse<String> answer) {
        return Trees.text(JsonParser.parseString(answer.body()).getAsJsonObject(), "message");
    }
}
