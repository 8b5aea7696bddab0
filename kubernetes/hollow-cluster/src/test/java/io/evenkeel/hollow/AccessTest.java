package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.ResourceTable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What else clients meet: reviews, rules, scale, collections, finalizers, faults by share. */
class AccessTest {

    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @BeforeEach
    void aViewerWhoMayOnlyList() {
        cluster.tokens().add("secret", User.named("viewer"));
        cluster.authorize(
                (user, what) -> !user.name().equals("viewer") || what.verb().equals("list"));
    }

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void theAuthorizerDecides() throws Exception {
        assertThat(client.send("GET", MAPS, "", "application/json", "secret").statusCode())
                .isEqualTo(200);
        assertThat(client.send("POST", MAPS, map("a", ""), "application/json", "secret")
                        .body())
                .contains("User \\\"viewer\\\" cannot create resource \\\"configmaps\\\"");
    }

    /** As from Kubernetes 1.36 on. */
    @Test
    void whoMayWriteAClaimsStatusMayNotGiveItDevices() throws Exception {
        cluster.authorize((_, call) -> !call.subresource().equals("binding"));
        cluster.objects().create("""
            {"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{"name":"c"},
             "spec":{"devices":{"requests":[{"name":"r","exactly":{"deviceClassName":"g"}}]}}}\
            """);
        String status = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/c/status";
        String allocation = """
            {"status":{"allocation":{"devices":{"results":[
             {"request":"r","driver":"d.x","pool":"p","device":"d"}]}}}}\
            """;

        assertThat(client.patch(status, allocation, "merge-patch").body())
                .contains("\"code\":403", "cannot patch resource \\\"resourceclaims/binding\\\"");
        assertThat(client.patch(status, "{\"status\":{\"devices\":null}}", "merge-patch")
                        .statusCode())
                .isEqualTo(200);
        cluster.authorize(Authorizer.ALLOW_AUTHENTICATED);
        assertThat(client.patch(status, allocation, "merge-patch").statusCode()).isEqualTo(200);
    }

    @Test
    void reviewsSayWhoAndWhat() throws Exception {
        assertThat(client.post("/apis/authentication.k8s.io/v1/tokenreviews", "{\"spec\":{\"token\":\"secret\"}}")
                        .body())
                .contains("\"authenticated\":true", "\"username\":\"viewer\"");
        String review = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
        assertThat(client.post(review, access("list")).body()).contains("\"allowed\":true");
        assertThat(client.post(review, access("delete")).body()).contains("\"allowed\":false");
    }

    @Test
    void aCollectionIsDeletedBySelector() throws Exception {
        cluster.objects().create(map("a", "\"labels\":{\"x\":\"1\"},"));
        cluster.objects().create(map("b", ""));
        client.delete(MAPS + "?labelSelector=x%3D1", "");

        assertThat(client.get(MAPS).body()).contains("\"name\":\"b\"").doesNotContain("\"name\":\"a\"");
    }

    @Test
    void finalizersHoldAnObjectUntilTheLastIsGone() throws Exception {
        cluster.objects().create(map("a", "\"finalizers\":[\"e.io/hold\"],"));
        client.delete(MAPS + "/a", "");
        assertThat(client.get(MAPS + "/a").body()).contains("deletionTimestamp");
        String marked = client.getTree(MAPS + "/a")
                .getAsJsonObject("metadata")
                .get("resourceVersion")
                .getAsString();
        client.patch(MAPS + "/a", "{\"metadata\":{\"finalizers\":null}}", "merge-patch");

        assertThat(client.get(MAPS + "/a").statusCode()).isEqualTo(404);
        assertThat(client.events(MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + marked))
                .singleElement()
                .asString()
                .contains("DELETED");
    }

    @Test
    void scaleIsTheSameForAllWorkloads() throws Exception {
        cluster.objects().create("""
            {"apiVersion":"apps/v1","kind":"ReplicaSet","metadata":{"name":"r"},
             "spec":{"replicas":2,"selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"containers":[]}}}}\
            """);
        String path = "/apis/apps/v1/namespaces/default/replicasets/r/scale";
        JsonObject scale = client.getTree(path);
        assertThat(scale.toString()).contains("\"kind\":\"Scale\"", "\"selector\":\"a=b\"", "\"replicas\":2");
        client.patch(path, "{\"spec\":{\"replicas\":7}}", "merge-patch");

        assertThat(cluster.objects()
                        .get(ResourceTable.REPLICA_SETS, "default", "r")
                        .orElseThrow())
                .contains("\"replicas\":7", "\"generation\":2");
    }

    @Test
    void aShareOfRequestsFailsTheSameWayForASeed() throws Exception {
        cluster.faults().refuseShare(0.5, new RequestMatch("list", "configmaps"), 500, 0);
        int refused = 0;
        for (int i = 0; i < 100; i++) {
            refused += client.get(MAPS).statusCode() == 500 ? 1 : 0;
        }
        assertThat(refused).isBetween(30, 70);
        cluster.faults().clear();
        assertThat(client.get(MAPS).statusCode()).isEqualTo(200);
    }

    @Test
    void watchEventsAreLostAndDoubledToOrder() throws Exception {
        long before = cluster.version();
        for (int i = 0; i < 50; i++) {
            cluster.objects().create(map("m" + i, ""));
        }
        String watch = MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + before;
        cluster.faults().watchEvents(0, 1);
        assertThat(client.events(watch)).hasSize(100);
        cluster.faults().watchEvents(1, 0);
        assertThat(client.events(watch)).isEmpty();
    }

    @Test
    void anEventIsTheSameInBothVersions() throws Exception {
        String event = """
            {"metadata":{"name":"e"},"regarding":{"kind":"Pod","name":"p","namespace":"default"},
             "reason":"R","note":"said","type":"Normal","eventTime":"2030-01-01T00:00:00.000000Z",
             "reportingController":"c","reportingInstance":"c-1","action":"A"}\
            """;
        client.post("/apis/events.k8s.io/v1/namespaces/default/events", event);
        JsonObject core = client.getTree("/api/v1/namespaces/default/events/e");
        assertThat(core.get("message").getAsString()).isEqualTo("said");
        assertThat(core.getAsJsonObject("involvedObject").get("name").getAsString())
                .isEqualTo("p");
        JsonObject back = JsonParser.parseString(client.put("/api/v1/namespaces/default/events/e", core.toString())
                        .body())
                .getAsJsonObject();
        assertThat(back.get("reason").getAsString()).isEqualTo("R");
        assertThat(client.getTree("/apis/events.k8s.io/v1/namespaces/default/events/e")
                        .get("note")
                        .getAsString())
                .isEqualTo("said");
    }

    private static String map(String name, String metadata) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{%s\"name\":\"%s\"}}"
                .formatted(metadata, name);
    }

    private static String access(String verb) {
        return """
            {"spec":{"user":"viewer","resourceAttributes":{"verb":"%s","resource":"pods"}}}\
            """.formatted(verb);
    }
}
