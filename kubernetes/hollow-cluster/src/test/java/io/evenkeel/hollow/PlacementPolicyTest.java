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

/** The custom resources that Evenkeel brings, as a server with their definitions has them. */
class PlacementPolicyTest {
    private static final String POLICIES = "/apis/evenkeel.io/v1alpha1/namespaces/default/placementpolicies";
    private static final String OF_CLUSTER = "/apis/evenkeel.io/v1alpha1/clusterplacementpolicies";

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @AfterEach
    void close() {
        client.close();
        cluster.close();
    }

    @Test
    void keepsWhatAPolicySays() throws Exception {
        String spec = """
            {'selector':{'matchLabels':{'app':'redis'}},'rules':[{'topologyKey':'zone','maxPods':2,
             'mustUse':['a'],'weights':[{'domain':'a','weight':1},{'domain':'b','weight':0}]}]}\
            """;
        assertThat(create(POLICIES, spec).statusCode()).isEqualTo(201);

        JsonObject policy = client.getTree(POLICIES + "/redis");
        assertThat(policy.getAsJsonObject("spec")).isEqualTo(tree(spec));
        assertThat(Trees.text(policy, "metadata", "generation")).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {'rules':[{'topologyKey':'zone','maxPods':1}]}            | spec.selector: Required value
            {'selector':{}}                                           | spec.rules: Required value
            {'selector':{},'rules':[{'maxPods':1}]}                   | spec.rules[0].topologyKey: Required value
            {'selector':{},'rules':[{'topologyKey':'a','maxPods':0}]} | spec.rules[0].maxPods: Invalid value: 0: spec.rules[0].maxPods in body should be greater than or equal to 1
            {'selector':{},'rules':[{'topologyKey':'a','maxPercent':101}]} | spec.rules[0].maxPercent: Invalid value: 101: spec.rules[0].maxPercent in body should be less than or equal to 100
            {'selector':{},'rules':[{'topologyKey':'a','maxPods':1}],'leavingPods':'Perhaps'} | spec.leavingPods: Unsupported value: "Perhaps": supported values: "Count", "Ignore"
            {'selector':{},'rules':[{'topologyKey':'a','mustUse':['b','b']}]} | spec.rules[0].mustUse[1]: Duplicate value: "b"
            {'selector':{},'rules':[{'topologyKey':'a','mustUse':['']}]} | spec.rules[0].mustUse[0]: Invalid value: "": spec.rules[0].mustUse[0] in body should be at least 1 chars long
            {'selector':{},'rules':[{'topologyKey':'a','weights':[{'domain':'b'}]}]} | spec.rules[0].weights[0].weight: Required value
            {'selector':{},'rules':[{'topologyKey':'a','weights':[{'domain':'b','weight':1},{'domain':'b','weight':2}]}]} | spec.rules[0].weights[1]: Duplicate value: {"domain":"b"}
            {'selector':{},'rules':[{'topologyKey':'a','weights':[{'domain':'b','weight':0}]}]} | spec.rules[0].weights: Invalid value: are all 0
            {'selector':{},'rules':[{'topologyKey':'a','weights':[{'weight':0}]}]} | spec.rules[0].weights[0].domain: Required value, <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation]
            {'selector':{},'rules':[{'topologyKey':'a'}]} | spec.rules[0]: Invalid value: limits nothing
            {'selector':{},'rules':[{'topologyKey':'a','maxDomains':1,'mustUse':['b','c']}]} | spec.rules[0]: Invalid value: mustUse has more domains than maxDomains
            {'selector':{},'rules':[{'topologyKey':'a','maxPods':1,'whenUnsatisfiable':'ScheduleAnyway'}]} | spec.rules[0]: Invalid value: whenUnsatisfiable may be ScheduleAnyway of maxSkew alone
            {'selector':{},'rules':[{'topologyKey':'a','maxPods':1,'knownDomains':['b']}]} | spec.rules[0]: Invalid value: relaxAfterSeconds, knownDomains and rememberDomainsSeconds are for maxSkew
            {'selector':{'matchExpressions':[{'key':'a','operator':'In'}]},'rules':[{'topologyKey':'a','maxPods':1}]} | spec.selector.matchExpressions[0]: Invalid value: values belong to In and NotIn, which need some
            """)
    void refusesWhatTheirSchemaDoes(String spec, String message) throws Exception {
        HttpResponse<String> refused = create(POLICIES, spec);

        assertThat(refused.statusCode()).isEqualTo(422);
        assertThat(Trees.text(JsonParser.parseString(refused.body()).getAsJsonObject(), "message"))
                .contains(message);
    }

    @Test
    void oneOfTheClusterSelectsItsNamespaces() throws Exception {
        String rules = "'selector':{},'rules':[{'topologyKey':'zone','maxPods':1}]";

        assertThat(create(OF_CLUSTER, "{" + rules + "}").body()).contains("spec.namespaceSelector: Required value");
        assertThat(create(OF_CLUSTER, "{'namespaceSelector':{}," + rules + "}").statusCode())
                .isEqualTo(201);
    }

    @Test
    void theStatusIsWrittenApartFromWhatItSays() throws Exception {
        String spec = "{'selector':{},'rules':[{'topologyKey':'zone','maxPods':1}]}";
        create(POLICIES, spec);
        String status = "{'observedGeneration':1,'pods':2,'waiting':0,'rules':[{'topologyKey':'zone','domains':"
                + "[{'domain':'a','pods':2}],'fewest':2,'most':2,'skew':0}]}";
        client.send(
                "PATCH",
                POLICIES + "/redis/status",
                tree("{'spec':{'rules':[]},'status':" + status + "}").toString(),
                "application/merge-patch+json");
        client.send(
                "PATCH", POLICIES + "/redis", tree("{'status':{'pods':7}}").toString(), "application/merge-patch+json");

        JsonObject policy = client.getTree(POLICIES + "/redis");
        assertThat(policy.getAsJsonObject("spec")).isEqualTo(tree(spec));
        assertThat(policy.getAsJsonObject("status")).isEqualTo(tree(status));
        assertThat(Trees.text(policy, "metadata", "generation")).isEqualTo("1");
    }

    private HttpResponse<String> create(String path, String spec) throws Exception {
        JsonObject policy = new JsonObject();
        policy.add("metadata", tree("{'name':'redis'}"));
        policy.add("spec", tree(spec));
        return client.send("POST", path, policy.toString(), "application/json");
    }

    private static JsonObject tree(String quoted) {
        return JsonParser.parseString(quoted.replace('\'', '"')).getAsJsonObject();
    }
}
