package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** PodGroups of two API groups, of which one is a custom resource. */
class PodGroupTest {
    private static final String OWN = "/apis/scheduling.k8s.io/v1beta1/namespaces/default/podgroups";
    private static final String CUSTOM = "/apis/scheduling.x-k8s.io/v1alpha1/namespaces/default/podgroups";
    private static final String GANG = "{'schedulingPolicy':{'gang':{'minCount':3}}}";
    private static final String CONDITION = """
        {'status':{'conditions':[{'type':'PodGroupInitiallyScheduled','status':'False','reason':'Unschedulable',
         'message':'m','lastTransitionTime':'2026-01-02T03:04:05Z'}]}}\
        """;

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void thoseOfOneApiGroupAreNoneOfTheOther() throws Exception {
        create(OWN, "train", GANG);
        create(CUSTOM, "serve", "{'minMember':2}");

        assertThat(names(OWN)).isEqualTo("[train]");
        assertThat(names(CUSTOM)).isEqualTo("[serve]");
        assertThat(client.getTree(OWN + "/train").getAsJsonObject("spec").get("disruptionMode"))
                .isEqualTo(tree("{'single':{}}"));
        assertThat(client.getTable(OWN).body()).contains("\"train\"").doesNotContain("serve");
        assertThat(client.getTable(CUSTOM).body()).contains("\"serve\"").doesNotContain("train");
    }

    @Test
    void aConditionIsMergedIntoTheStatusAndNothingElseIs() throws Exception {
        create(OWN, "train", GANG);
        patch(OWN, "/train/status", "strategic-merge", """
            {'spec':{'schedulingPolicy':{'gang':{'minCount':9}}},
             'status':{'conditions':[{'type':'DisruptionTarget','status':'True','reason':'r','message':''}]}}\
            """);
        HttpResponse<String> patched = patch(OWN, "/train/status", "strategic-merge", CONDITION);

        assertThat(patched.statusCode()).isEqualTo(200);
        JsonObject train = client.getTree(OWN + "/train");
        assertThat(Trees.objects(train, "status", "conditions"))
                .extracting(condition -> Trees.text(condition, "type"))
                .containsExactlyInAnyOrder("DisruptionTarget", "PodGroupInitiallyScheduled");
        assertThat(Trees.text(train, "spec", "schedulingPolicy", "gang", "minCount"))
                .isEqualTo("3");
        assertThat(Trees.text(train, "metadata", "generation")).isEqualTo("1");
        patch(OWN, "/train", "merge", "{'status':null,'spec':{'schedulingPolicy':{'gang':{'minCount':4}}}}");
        assertThat(Trees.objects(client.getTree(OWN + "/train"), "status", "conditions"))
                .hasSize(2);
        assertThat(Trees.text(client.getTree(OWN + "/train"), "metadata", "generation"))
                .isEqualTo("2");
    }

    @Test
    void aCustomResourceComesAsJsonAndTakesNoStrategicPatch() throws Exception {
        create(CUSTOM, "serve", "{'minMember':2}");

        assertThat(accepting(CUSTOM).headers().firstValue("Content-Type")).hasValue("application/json");
        assertThat(accepting(OWN).headers().firstValue("Content-Type")).hasValue("application/vnd.kubernetes.protobuf");
        assertThat(patch(CUSTOM, "/serve", "strategic-merge", "{'spec':{'minMember':3}}")
                        .statusCode())
                .isEqualTo(415);
        assertThat(patch(CUSTOM, "/serve", "merge", "{'spec':{'minMember':3,'more':1}}")
                        .body())
                .contains("\"minMember\":3")
                .doesNotContain("more");
        assertThat(patch(CUSTOM, "/serve/status", "merge", "{'status':{'phase':'Running'}}")
                        .body())
                .contains("Running");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "own | {schedulingPolicy:{gang:{minCount:0}}} | "
                        + "spec.schedulingPolicy.gang.minCount: Invalid value: 0: must be greater than or equal to 1",
                "own | {schedulingPolicy:{gang:{minCount:1},basic:{}}} | must specify exactly one of: `basic`, `gang`",
                "own | {} | must specify exactly one of: `basic`, `gang`",
                "custom | {minMember:0} | "
                        + "spec.minMember: Invalid value: 0: spec.minMember in body should be greater than or equal to 1",
            })
    void aGroupOfNobodyIsRefused(String which, String spec, String why) throws Exception {
        HttpResponse<String> refused = create(which.equals("own") ? OWN : CUSTOM, "g", spec);

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(Trees.text(Trees.parse(refused.body()), "message")).contains(why);
    }

    @Test
    void aGroupsVersionsAreThoseOfItsResources() throws Exception {
        assertThat(client.getTree("/apis/scheduling.k8s.io").toString())
                .contains(
                        "scheduling.k8s.io/v1\"",
                        "scheduling.k8s.io/v1beta1\"",
                        "\"preferredVersion\":{\"groupVersion\":" + "\"scheduling.k8s.io/v1\"");
        assertThat(client.getTree("/apis/scheduling.x-k8s.io").toString())
                .contains("\"preferredVersion\":{\"groupVersion\":\"scheduling.x-k8s.io/v1alpha1\"");
        assertThat(client.get("/apis/scheduling.x-k8s.io/v1/podgroups").statusCode())
                .isEqualTo(404);
    }

    private HttpResponse<String> accepting(String path) throws Exception {
        return client.getWith(
                path, cluster.adminToken(), "Accept", "application/vnd.kubernetes.protobuf, application/json");
    }

    private HttpResponse<String> create(String path, String name, String spec) throws Exception {
        JsonObject group = new JsonObject();
        group.add("metadata", tree("{'name':'" + name + "'}"));
        group.add("spec", tree(spec));
        return client.send("POST", path, group.toString(), "application/json");
    }

    private HttpResponse<String> patch(String path, String rest, String kind, String patch) throws Exception {
        return client.patch(path + rest, patch.replace('\'', '"'), kind + "-patch");
    }

    private String names(String path) throws Exception {
        return Trees.objects(client.getTree(path), "items").stream()
                .map(item -> Trees.text(item, "metadata", "name"))
                .toList()
                .toString();
    }

    private static JsonObject tree(String quoted) {
        return JsonParser.parseString(quoted.replace('\'', '"')).getAsJsonObject();
    }
}
