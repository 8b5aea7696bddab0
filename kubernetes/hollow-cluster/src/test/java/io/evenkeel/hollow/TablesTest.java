package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.model.json.Trees;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tables that kubectl asks for. */
class TablesTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";

    private final HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT
            .withServer(HollowOptions.DEFAULT
                    .plainHttp()
                    .withClock(InstantSource.fixed(Instant.parse("2030-01-01T00:00:00Z"))))
            .withNodes(1, 1, Capacity.DEFAULT));
    private final TestClient client = new TestClient(world.cluster());
    private final Drawn drawn = new Drawn(world);

    @AfterEach
    void close() {
        client.close();
        world.close();
    }

    @Test
    void podsShowWhereTheyRunWhenAskedForMore() throws Exception {
        drawn.workload("StatefulSet", "db", 1, "");
        drawn.bindAll("node-0");
        JsonObject table = table(PODS);

        assertThat(columns(table))
                .containsExactly(
                        "Name 0",
                        "Ready 0",
                        "Status 0",
                        "Restarts 0",
                        "Age 0",
                        "IP 1",
                        "Node 1",
                        "Nominated Node 1",
                        "Readiness Gates 1");
        assertThat(cells(table)).containsExactly("db-0 1/1 Running 0 0s 10.0.0.1 node-0 <none> <none>");
        assertThat(table.toString())
                .contains("\"kind\":\"PartialObjectMetadata\"")
                .doesNotContain("containers");
        assertThat(table(PODS + "?includeObject=Object").toString()).contains("\"kind\":\"Pod\"", "containers");
        assertThat(cells(table(PODS + "/db-0"))).hasSize(1);
    }

    @Test
    void aCordonedNodeSaysSo() throws Exception {
        drawn.patch(io.evenkeel.hollow.resource.ResourceTable.NODES, "node-0", "{\"spec\":{\"unschedulable\":true}}");

        assertThat(cells(table("/api/v1/nodes")).getFirst())
                .startsWith("node-0 Ready,SchedulingDisabled <none> 0s v1.36");
    }

    @Test
    void workloadsShowHowFarTheyAre() throws Exception {
        drawn.workload("Deployment", "web", 2, "");

        assertThat(cells(table("/apis/apps/v1/deployments"))).containsExactly("web 0/2 2 0 0s c pause:1 app=web");
        assertThat(cells(table("/apis/apps/v1/replicasets")).getFirst()).contains(" 2 2 0 0s c pause:1 app=web");
    }

    @Test
    void bothVersionsOfAnEventShowItsTime() throws Exception {
        world.cluster().objects().create("""
            {"apiVersion":"v1","kind":"Event","metadata":{"name":"e"},"type":"Normal","reason":"Started",
             "involvedObject":{"kind":"Pod","name":"p","namespace":"default"},"message":"said",
             "firstTimestamp":"2029-12-31T23:58:00Z","lastTimestamp":"2029-12-31T23:59:00Z","count":3,
             "source":{"component":"kubelet"}}\
            """);

        List<String> events = cells(table("/api/v1/namespaces/default/events"));

        assertThat(events).containsExactly("60s Normal Started pod/p  kubelet said 2m 3 e");
        assertThat(cells(table("/apis/events.k8s.io/v1/namespaces/default/events")))
                .isEqualTo(events);
    }

    @Test
    void storageAndRulesShowWhatTheyAreAbout() throws Exception {
        create("""
            {'apiVersion':'storage.k8s.io/v1','kind':'StorageClass','metadata':{'name':'s'},
             'provisioner':'kubernetes.io/no-provisioner'}\
            """);
        create("""
            {'apiVersion':'v1','kind':'PersistentVolumeClaim','metadata':{'name':'c'},
             'spec':{'storageClassName':'s','accessModes':['ReadWriteOnce'],
              'resources':{'requests':{'storage':'1Gi'}}}}\
            """);
        create("{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'m'},'data':{'a':'1','b':'2'}}");
        create("""
            {'apiVersion':'rbac.authorization.k8s.io/v1','kind':'RoleBinding','metadata':{'name':'b'},
             'roleRef':{'kind':'Role','name':'r'},
             'subjects':[{'kind':'ServiceAccount','namespace':'n','name':'s'},{'kind':'User','name':'u'}]}\
            """);
        create("{'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'d'},'spec':{}}");

        assertThat(cells(table("/apis/storage.k8s.io/v1/storageclasses")))
                .containsExactly("s kubernetes.io/no-provisioner Delete Immediate false 0s");
        assertThat(cells(table("/api/v1/persistentvolumeclaims")))
                .containsExactly("c Pending    s <unset> 0s Filesystem");
        assertThat(cells(table("/api/v1/namespaces/default/configmaps"))).containsExactly("m 2 0s");
        assertThat(cells(table("/apis/rbac.authorization.k8s.io/v1/rolebindings")))
                .containsExactly("b Role/r 0s u  n/s");
        assertThat(cells(table("/apis/resource.k8s.io/v1/resourceclaims"))).containsExactly("d pending 0s");
    }

    @Test
    void aClaimShowsTheStepsThatItHasTaken() throws Exception {
        String path = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaims";
        create("""
            {'apiVersion':'resource.k8s.io/v1','kind':'ResourceClaim','metadata':{'name':'d','finalizers':['a.b/c']},
             'spec':{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'c'}}]}}}\
            """);
        assertThat(cells(table(path))).containsExactly("d pending 0s");
        String allocation = """
            {"status":{"allocation":{"devices":{"results":[
             {"request":"r","driver":"d.x","pool":"p","device":"d"}]}}%s}}\
            """;
        client.patch(path + "/d/status", allocation.formatted(""), "merge-patch");
        assertThat(cells(table(path))).containsExactly("d allocated 0s");
        create(
                "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p'},'spec':{'containers':[{'name':'c','image':'i'}]}}");
        String uid = Trees.text(client.getTree(PODS + "/p"), "metadata", "uid");
        client.patch(
                path + "/d/status",
                allocation.formatted(
                        ",\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"p\",\"uid\":\"" + uid + "\"}]"),
                "merge-patch");
        assertThat(cells(table(path))).containsExactly("d allocated,reserved 0s");
        client.delete(path + "/d", "");
        assertThat(cells(table(path))).containsExactly("d deleted,allocated,reserved 0s");
        client.patch(path + "/d/status", "{\"status\":{\"allocation\":null,\"reservedFor\":null}}", "merge-patch");
        assertThat(cells(table(path))).containsExactly("d deleted 0s");
    }

    private void create(String quoted) {
        world.cluster().objects().create(quoted.replace('\'', '"'));
    }

    @Test
    void kindsWithoutColumnsOfTheirOwnHaveANameAndAnAge() throws Exception {
        assertThat(cells(table("/api/v1/namespaces/default/serviceaccounts"))).containsExactly("default 0s");
    }

    @Test
    void aWatchSendsARowAnEvent() throws Exception {
        long before = world.cluster().version();
        drawn.workload("StatefulSet", "db", 1, "");
        try (Stream<String> lines = client.watchTables(PODS + "?watch=1&resourceVersion=" + before)) {
            JsonObject event = JsonParser.parseString(lines.iterator().next()).getAsJsonObject();

            assertThat(event.get("type").getAsString()).isEqualTo("ADDED");
            assertThat(cells(event.getAsJsonObject("object")).getFirst()).startsWith("db-0 0/1 Pending");
        }
    }

    @Test
    void aRefusalIsNoTable() throws Exception {
        assertThat(table(PODS + "/absent").get("kind").getAsString()).isEqualTo("Status");
    }

    private JsonObject table(String path) throws Exception {
        return JsonParser.parseString(client.getTable(path).body()).getAsJsonObject();
    }

    private static List<String> columns(JsonObject table) {
        List<String> columns = new ArrayList<>();
        table.getAsJsonArray("columnDefinitions")
                .forEach(each -> columns.add(each.getAsJsonObject().get("name").getAsString() + " "
                        + each.getAsJsonObject().get("priority").getAsInt()));
        return columns;
    }

    private static List<String> cells(JsonObject table) {
        List<String> rows = new ArrayList<>();
        table.getAsJsonArray("rows").forEach(row -> {
            JsonArray cells = row.getAsJsonObject().getAsJsonArray("cells");
            List<String> texts = new ArrayList<>();
            cells.forEach(cell -> texts.add(cell.getAsString()));
            rows.add(String.join(" ", texts));
        });
        return rows;
    }
}
