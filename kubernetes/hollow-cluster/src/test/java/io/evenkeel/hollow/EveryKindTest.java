package io.evenkeel.hollow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import io.evenkeel.schema.TypeMeta;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every kind in the ways in which typed clients and kubectl speak of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryKindTest {
    private static final Encoding PROTOBUF = new ProtobufEncoding();
    private static final String WATCH_LIST =
            "?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

    /** What an object of a kind cannot do without. */
    private static final Map<String, String> NEEDED = Map.ofEntries(
            Map.entry("PodGroup", "'spec':{'schedulingPolicy':{'basic':{}}}"),
            Map.entry("Pod", "'spec':{'containers':[{'name':'c','image':'i'}]}"),
            Map.entry("Event", "'involvedObject':{'kind':'Node','name':'n'}"),
            Map.entry(
                    "PersistentVolume",
                    "'spec':{'accessModes':['ReadWriteOnce'],'capacity':{'storage':'1Gi'},'hostPath':{'path':'/d'}}"),
            Map.entry(
                    "PersistentVolumeClaim",
                    "'spec':{'accessModes':['ReadWriteOnce'],'resources':{'requests':{'storage':'1Gi'}}}"),
            Map.entry(
                    "Job",
                    "'spec':{'template':{'spec':{'restartPolicy':'Never','containers':[{'name':'c','image':'i'}]}}}"),
            Map.entry("StorageClass", "'provisioner':'a.b'"),
            Map.entry("CSIStorageCapacity", "'storageClassName':'fast'"),
            Map.entry("DeviceTaintRule", "'spec':{'taint':{'key':'k','effect':'NoSchedule'}}"),
            Map.entry(
                    "ResourceSlice",
                    "'spec':{'driver':'a.b','pool':{'name':'p','resourceSliceCount':1},'allNodes':true}"),
            Map.entry(
                    "VolumeAttachment",
                    "'spec':{'attacher':'a.b','nodeName':'n','source':{'persistentVolumeName':'v'}}"));

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @AfterAll
    void close() {
        client.close();
        cluster.close();
    }

    static Stream<ResourceType> stored() {
        return ResourceTable.ALL.stream()
                .filter(ResourceType::stored)
                .filter(type -> !type.equals(ResourceTable.NEW_EVENTS));
    }

    static Stream<ResourceType> withProtobuf() {
        return stored().filter(type -> !type.isCustom());
    }

    @ParameterizedTest
    @MethodSource("withProtobuf")
    void whatCameInProtobufIsThereInEveryForm(ResourceType type) throws Exception {
        HttpResponse<byte[]> created = client.sendProtobuf("POST", path(type), protobuf(type, object(type)));
        assertThat(created.statusCode()).as(new String(created.body(), UTF_8)).isEqualTo(201);
        assertThat(Trees.text(ProtobufBody.read(created.body()), "metadata", "name"))
                .isEqualTo("one");

        assertThat(names(client.getTree(path(type)), "items")).contains("one");
        assertThat(client.sendProtobuf("GET", path(type), new byte[0]).headers().firstValue("Content-Type"))
                .hasValue(TestClient.PROTOBUF);
        JsonObject table =
                JsonParser.parseString(client.getTable(path(type)).body()).getAsJsonObject();
        assertThat(table.get("kind").getAsString()).isEqualTo("Table");
        assertThat(table.toString()).contains("\"one\"");
        assertThat(client.initialEvents(path(type) + WATCH_LIST))
                .anyMatch(
                        event -> Trees.text(event, "object", "metadata", "name").equals("one"));

        byte[] now = protobuf(new TypeMeta(type.apiVersion(), "DeleteOptions"), "{\"gracePeriodSeconds\":0}");
        assertThat(client.sendProtobuf("DELETE", path(type) + "/one", now).statusCode())
                .isEqualTo(200);
        assertThat(client.get(path(type) + "/one").statusCode()).isEqualTo(404);
    }

    /** As its informers start; it schedules nothing until all are answered. */
    @ParameterizedTest
    @CsvSource({
        "/api/v1/pods",
        "/api/v1/nodes",
        "/api/v1/namespaces",
        "/api/v1/services",
        "/api/v1/replicationcontrollers",
        "/api/v1/persistentvolumes",
        "/api/v1/persistentvolumeclaims",
        "/apis/apps/v1/replicasets",
        "/apis/apps/v1/statefulsets",
        "/apis/policy/v1/poddisruptionbudgets",
        "/apis/storage.k8s.io/v1/storageclasses",
        "/apis/storage.k8s.io/v1/csinodes",
        "/apis/storage.k8s.io/v1/csidrivers",
        "/apis/storage.k8s.io/v1/csistoragecapacities",
        "/apis/storage.k8s.io/v1/volumeattachments",
        "/apis/resource.k8s.io/v1/resourceclaims",
        "/apis/resource.k8s.io/v1/resourceslices",
        "/apis/resource.k8s.io/v1/deviceclasses",
    })
    void kubeSchedulerFindsWhatItWatches(String path) throws Exception {
        assertThat(client.watchProtobuf(path + WATCH_LIST).getLast()).contains("BOOKMARK", "k8s\0");
    }

    @ParameterizedTest
    @MethodSource("stored")
    void discoveryNamesIt(ResourceType type) throws Exception {
        String group = type.group().isEmpty() ? "/api/" : "/apis/";

        assertThat(client.getTree(group + type.apiVersion())
                        .getAsJsonArray("resources")
                        .asList())
                .anyMatch(each -> Trees.text(each.getAsJsonObject(), "name").equals(type.resource())
                        && Trees.text(each.getAsJsonObject(), "kind").equals(type.kind()));
    }

    @Test
    void aSchedulersWritesMayBeProtobuf() throws Exception {
        cluster.objects().create("""
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"p"},
             "spec":{"containers":[{"name":"c","image":"i"}]}}\
            """);
        byte[] binding = protobuf(new TypeMeta("v1", "Binding"), """
            {"metadata":{"name":"p"},"target":{"kind":"Node","name":"n"}}\
            """);
        byte[] event = protobuf(new TypeMeta("events.k8s.io/v1", "Event"), """
            {"metadata":{"name":"e"},"regarding":{"kind":"Pod","name":"p","namespace":"default"},
             "reason":"Scheduled","note":"said","type":"Normal","eventTime":"2030-01-01T00:00:00.000000Z",
             "reportingController":"s","reportingInstance":"s-1","action":"Binding"}\
            """);

        assertThat(client.sendProtobuf("POST", "/api/v1/namespaces/default/pods/p/binding", binding)
                        .statusCode())
                .isEqualTo(201);
        assertThat(client.sendProtobuf("POST", "/apis/events.k8s.io/v1/namespaces/default/events", event)
                        .statusCode())
                .isEqualTo(201);
        assertThat(Trees.text(client.getTree("/api/v1/namespaces/default/pods/p"), "spec", "nodeName"))
                .isEqualTo("n");
        assertThat(Trees.text(client.getTree("/api/v1/namespaces/default/events/e"), "eventTime"))
                .isEqualTo("2030-01-01T00:00:00.000000Z");
    }

    /** Without these kube-scheduler takes no claim. */
    @Test
    void aClaimOfADeviceIsForExactlyOneUnlessItSaysElse() throws Exception {
        client.post("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims", """
            {"metadata":{"name":"d"},"spec":{"devices":{"requests":[
              {"name":"a","exactly":{"deviceClassName":"gpu"}},
              {"name":"b","exactly":{"deviceClassName":"gpu","allocationMode":"All"}}]}}}\
            """);

        assertThat(client.get("/apis/resource.k8s.io/v1/namespaces/default/resourceclaims/d")
                        .body())
                .contains(
                        "{\"deviceClassName\":\"gpu\",\"allocationMode\":\"ExactCount\",\"count\":1}",
                        "{\"deviceClassName\":\"gpu\",\"allocationMode\":\"All\"}");
    }

    @Test
    void aBodyThatIsNoMessageIsABadRequest() throws Exception {
        HttpResponse<byte[]> refused =
                client.sendProtobuf("POST", "/api/v1/namespaces", "{\"metadata\":{}}".getBytes(UTF_8));

        assertThat(refused.statusCode()).isEqualTo(400);
        assertThat(new String(refused.body(), UTF_8))
                .contains("\"kind\":\"Status\"", "\"reason\":\"BadRequest\"", "expected prefix [107 56 115 0]");
        assertThat(client.send("POST", "/api/v1/namespaces", "<x/>", "text/xml").statusCode())
                .isEqualTo(415);
    }

    private static String object(ResourceType type) {
        String needed = NEEDED.getOrDefault(type.kind(), "").replace('\'', '"');
        return "{\"metadata\":{\"name\":\"one\"}" + (needed.isEmpty() ? "" : "," + needed) + "}";
    }

    private static byte[] protobuf(ResourceType type, String tree) {
        return protobuf(type.typeMeta(), tree);
    }

    private static byte[] protobuf(TypeMeta type, String tree) {
        return PROTOBUF.object(
                type, PROTOBUF.body(type, JsonParser.parseString(tree).getAsJsonObject()));
    }

    private static String path(ResourceType type) {
        return (type.group().isEmpty() ? "/api/" : "/apis/")
                + type.apiVersion()
                + (type.namespaced() ? "/namespaces/default/" : "/")
                + type.resource();
    }

    private static List<String> names(JsonObject list, String items) {
        return list.getAsJsonArray(items).asList().stream()
                .map(JsonElement::getAsJsonObject)
                .map(item -> Trees.text(item, "metadata", "name"))
                .toList();
    }
}
