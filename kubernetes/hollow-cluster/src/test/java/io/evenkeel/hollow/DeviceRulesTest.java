package io.evenkeel.hollow;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Claims, classes, slices and their statuses, as a real server takes and refuses them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeviceRulesTest {
    private static final String GROUP = "/apis/resource.k8s.io/v1/";
    private static final String CLAIMS = GROUP + "namespaces/default/resourceclaims";
    private static final String LABEL = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters";
    private static final String ALLOCATION =
            "'allocation':{'devices':{'results':[{'request':'r','driver':'d.x','pool':'p','device':'%s'}]}}";

    private final HollowCluster cluster = HollowCluster.start(HollowOptions.DEFAULT.plainHttp());
    private final TestClient client = new TestClient(cluster);

    @AfterAll
    void close() {
        client.close();
        cluster.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'R','exactly':{'deviceClassName':'c'}}|requests[0].name: Invalid value: \"R\": " + LABEL,
                "{'name':'r'}|requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required",
                "{'name':'r','exactly':{'deviceClassName':'c'},'firstAvailable':[{'name':'a','deviceClassName':'c'}]}"
                        + "|requests[0]: Invalid value: null: exactly one of `exactly` or `firstAvailable` is required, but"
                        + " multiple fields are set",
                "{'name':'r','exactly':{}}|requests[0].exactly.deviceClassName: Required value",
                "{'name':'r','exactly':{'deviceClassName':'c','count':-1}}"
                        + "|requests[0].exactly.count: Invalid value: -1: must be greater than zero",
                "{'name':'r','exactly':{'deviceClassName':'c','allocationMode':'All','count':2}}"
                        + "|requests[0].exactly.count: Invalid value: 2: must not be specified when allocationMode is 'All'",
                "{'name':'r','exactly':{'deviceClassName':'c','allocationMode':'Some'}}"
                        + "|requests[0].exactly.allocationMode: Unsupported value: \"Some\": supported values: \"All\","
                        + " \"ExactCount\"",
                "{'name':'r','exactly':{'deviceClassName':'c','selectors':[{}]}}"
                        + "|requests[0].exactly.selectors[0].cel: Required value",
                "{'name':'r','exactly':{'deviceClassName':'c','selectors':[{'cel':{'expression':'device.size'}}]}}"
                        + "|requests[0].exactly.selectors[0].cel.expression: Invalid value: \"device.size\": compilation"
                        + " failed: ERROR: <input>:1:7: undefined field 'size'\\n | device.size\\n | ......^",
                "{'name':'r','exactly':{'deviceClassName':'c','tolerations':[{'operator':'Exists','value':'v'}]}}"
                        + "|requests[0].exactly.tolerations[0].value: Invalid value: \"v\": must be empty for operator"
                        + " `Exists`",
                "{'name':'r','firstAvailable':[{'name':'a','deviceClassName':'c'},{'name':'a','deviceClassName':'c'}]}"
                        + "|requests[0].firstAvailable[1]: Duplicate value: \"a\"",
                "{'name':'r','exactly':{'deviceClassName':'c','adminAccess':true}}"
                        + "|requests[0].exactly.adminAccess: Forbidden: admin access to devices requires the"
                        + " `resource.kubernetes.io/admin-access: true` label on the containing namespace",
            })
    void aRequestMayBeWrong(String request, String message) throws Exception {
        String claim = "{'metadata':{'name':'w'},'spec':{'devices':{'requests':[" + request + "]}}}";

        assertRefused(post(CLAIMS, claim), "spec.devices." + message.replace("\"", "\\\""));
    }

    @Test
    void aTemplateIsCheckedAsAClaim() throws Exception {
        assertRefused(
                post(
                        GROUP + "namespaces/default/resourceclaimtemplates",
                        "{'metadata':{'name':'w'},'spec':{'spec':{'devices':{'requests':[{'name':'r'}]}}}}"),
                "spec.spec.devices.requests[0]: Required value");
    }

    @Test
    void constraintsAndConfigurationsNameRequestsOfTheClaim() throws Exception {
        HttpResponse<String> refused = post(CLAIMS, """
            {'metadata':{'name':'w'},'spec':{'devices':{
             'requests':[{'name':'r','firstAvailable':[{'name':'a','deviceClassName':'c'}]}],
             'constraints':[{'requests':['r/a','other'],'matchAttribute':'model'},{}],
             'config':[{'requests':['r'],'opaque':{'driver':'d.x'}}]}}}\
            """);

        assertRefused(
                refused,
                "spec.devices.constraints[0].requests[1]: Invalid value: \\\"other\\\": must be the name of a request");
        assertRefused(refused, "a fully qualified name must be a domain and a name separated by a slash");
        assertRefused(refused, "spec.devices.constraints[1]: Required value: exactly one of");
        assertRefused(refused, "spec.devices.config[0].opaque.parameters: Required value");
    }

    @Test
    void noClaimHasMoreThan32Requests() throws Exception {
        String requests = IntStream.range(0, 33)
                .mapToObj(i -> "{'name':'r" + i + "','exactly':{'deviceClassName':'c'}}")
                .collect(Collectors.joining(","));

        assertRefused(
                post(CLAIMS, "{'metadata':{'name':'w'},'spec':{'devices':{'requests':[" + requests + "]}}}"),
                "spec.devices.requests: Too many: 33: must have at most 32 items");
    }

    @Test
    void aClaimsSpecStaysAndItsStatusIsNotItsCreators() throws Exception {
        claim("stays", "," + "'status':{" + ALLOCATION.formatted("d") + "}");

        assertThat(Trees.object(tree("stays"), "status", "allocation")).isEmpty();
        assertRefused(
                client.patch(
                        CLAIMS + "/stays",
                        "{\"spec\":{\"devices\":{\"requests\":[{\"name\":\"s\",\"exactly\":{\"deviceClassName\":\"c\"}}]}}}",
                        "merge-patch"),
                "field is immutable");
    }

    @Test
    void anAllocationComesOnceAndGoesWhenNoPodHasIt() throws Exception {
        claim("used", "");
        String reserved = "'reservedFor':[{'resource':'pods','name':'a','uid':'1'}]";

        assertRefused(
                status("used", reserved),
                "status.reservedFor: Forbidden: may not be specified when `allocated` is not set");
        assertRefused(
                status("used", ALLOCATION.formatted("d").replace("'r'", "'s'")),
                "status.allocation.devices.results[0].request: Invalid value: \\\"s\\\": must be the name of a request");
        assertTaken(status("used", ALLOCATION.formatted("d") + "," + reserved));
        assertRefused(status("used", ALLOCATION.formatted("e")), "status.allocation: Invalid value: ");
        assertRefused(status("used", "'allocation':null"), "may not be specified when `allocated` is not set");
        assertTaken(status("used", "'allocation':null,'reservedFor':null"));
    }

    @Test
    void aClaimHas256UsersAtMostAndAllDiffer() throws Exception {
        claim("crowded", "");
        String users = IntStream.range(0, 256)
                .mapToObj(i -> "{'resource':'pods','name':'a','uid':'%d'}".formatted(i))
                .collect(Collectors.joining(",", "'reservedFor':[", "]"));

        assertTaken(status("crowded", ALLOCATION.formatted("d") + "," + users));
        assertRefused(
                status("crowded", users.replace("]", ",{'resource':'pods','name':'a','uid':'256'}]")),
                "status.reservedFor: Too many: 257: must have at most 256 items");
        assertRefused(
                status("crowded", "'reservedFor':[{'name':'a','uid':'1'},{'resource':'pods','name':'b','uid':'1'}]"),
                "status.reservedFor[1]: Duplicate value: \\\"1\\\"");
    }

    @Test
    void aStatusUpdateLeavesFinalizersAloneAndConditionsGoWithTheirDevice() throws Exception {
        claim("finished", "");
        String condition =
                "{'type':'Ready','status':'True','reason':'R','message':'','lastTransitionTime':'2030-01-01T00:00:00Z'}";
        String devices = "'devices':[{'driver':'d.x','pool':'p','device':'d','conditions':[" + condition + "]}]";
        assertTaken(status("finished", ALLOCATION.formatted("d") + "," + devices));
        assertRefused(
                status("finished", devices.replace("'device':'d'", "'device':'e'")),
                "status.devices[0]: Invalid value: d.x/p/e: must be an allocated device in the claim");

        assertTaken(client.patch(
                CLAIMS + "/finished/status",
                "{\"metadata\":{\"finalizers\":[\"a.b/c\"]},\"status\":{\"allocation\":null}}",
                "merge-patch"));

        assertThat(Trees.texts(tree("finished"), "metadata", "finalizers")).isEmpty();
        assertThat(tree("finished").getAsJsonObject("status").toString()).isEqualTo("{}");
    }

    @Test
    void aStrategicPatchMergesFinalizersAndUsers() throws Exception {
        claim("merged", "");
        assertTaken(status(
                "merged",
                ALLOCATION.formatted("d") + ",'reservedFor':[{'resource':'pods','name':'a','uid':'1'},"
                        + "{'resource':'pods','name':'c','uid':'3'}]"));

        assertTaken(client.patch(
                CLAIMS + "/merged",
                "{\"metadata\":{\"finalizers\":[\"resource.kubernetes.io/delete-protection\"]}}",
                "strategic-merge-patch"));
        assertTaken(client.patch(
                CLAIMS + "/merged/status",
                "{\"status\":{\"reservedFor\":[{\"resource\":\"pods\",\"name\":\"b\",\"uid\":\"2\"},"
                        + "{\"$patch\":\"delete\",\"uid\":\"1\"}]}}",
                "strategic-merge-patch"));

        assertThat(Trees.texts(tree("merged"), "metadata", "finalizers"))
                .containsExactly("resource.kubernetes.io/delete-protection");
        assertThat(Trees.objects(tree("merged"), "status", "reservedFor"))
                .extracting(each -> Trees.text(each, "uid"))
                .containsExactly("3", "2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'driver':'d.x','pool':{'name':'p','resourceSliceCount':1}|spec: Required value: exactly one of `nodeName`,"
                        + " `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
                "'allNodes':true,'pool':{'name':'p'}|spec.pool.resourceSliceCount: Invalid value: 0: must be greater than zero",
                "'allNodes':true,'devices':[{'name':'a'},{'name':'a'}]|spec.devices[1]: Duplicate value: \"a\"",
                "'allNodes':true,'devices':[{'name':'a','attributes':{'x/1':{'int':1}}}]"
                        + "|spec.devices[0].attributes: Invalid value: \"1\": a valid C identifier must start with",
                "'allNodes':true,'devices':[{'name':'a','attributes':{'x':{'version':'1'}}}]"
                        + "|spec.devices[0].attributes[x].version: Invalid value: \"1\": must be a string compatible with"
                        + " semver.org spec 2.0.0",
                "'allNodes':true,'devices':[{'name':'a','attributes':{'x':{'int':1,'bool':true}}}]"
                        + "|exactly one value must be specified",
                "'allNodes':true,'devices':[{'name':'a','capacity':{'m':{'value':'1','requestPolicy':{}}}}]"
                        + "|spec.devices[0].capacity[m].requestPolicy: Forbidden: allowMultipleAllocations must be true",
                "'allNodes':true,'devices':[{'name':'a','allowMultipleAllocations':true,"
                        + "'capacity':{'m':{'value':'4','requestPolicy':{'default':'2','validRange':{'min':'1','step':'2'}}}}}]"
                        + "|value is not a multiple of a given step (2) from (1)",
                "'allNodes':true,'devices':[{'name':'a','bindingConditions':['x']}]"
                        + "|bindingFailureConditions are required to use bindingConditions",
                "'allNodes':true,'devices':[{'name':'a'}],'sharedCounters':[{'name':'s','counters':{'c':{'value':'1'}}}]"
                        + "|spec: Invalid value: \"\": only one of `sharedCounters` or `devices` is allowed",
                "'allNodes':true,'devices':[{'name':'a','taints':[{'key':'k','effect':'Never'}]}]"
                        + "|spec.devices[0].taints[0].effect: Unsupported value: \"Never\": supported values: \"NoExecute\","
                        + " \"NoSchedule\", \"None\"",
            })
    void aSliceMayBeWrong(String spec, String message) throws Exception {
        String whole =
                spec.contains("'pool'") ? spec : spec + ",'driver':'d.x','pool':{'name':'p','resourceSliceCount':1}";

        assertRefused(
                post(GROUP + "resourceslices", "{'metadata':{'name':'w'},'spec':{" + whole + "}}"),
                message.replace("\"", "\\\""));
    }

    @Test
    void aSliceStaysWithItsPoolAndADatelessTaintIsDated() throws Exception {
        assertTaken(post(GROUP + "resourceslices", """
            {'metadata':{'name':'s'},'spec':{'driver':'d.x','pool':{'name':'p','resourceSliceCount':1},'nodeName':'n',
             'devices':[{'name':'a','taints':[{'key':'k','effect':'NoExecute'}]}]}}\
            """));

        assertThat(client.get(GROUP + "resourceslices?fieldSelector=spec.nodeName%3Dn")
                        .body())
                .contains("\"name\":\"s\"");
        assertThat(client.get(GROUP + "resourceslices?fieldSelector=spec.driver%3De.x")
                        .body())
                .doesNotContain("\"name\":\"s\"");
        assertThat(client.get(GROUP + "resourceslices/s").body()).contains("\"timeAdded\":\"2", "\"generation\":1");
        assertRefused(
                client.patch(GROUP + "resourceslices/s", "{\"spec\":{\"nodeName\":\"m\"}}", "merge-patch"),
                "spec.nodeName: Invalid value: \\\"m\\\": field is immutable");
    }

    @Test
    void aClassNamesAnExtendedResource() throws Exception {
        assertRefused(
                post(GROUP + "deviceclasses", "{'metadata':{'name':'c'},'spec':{'extendedResourceName':'cpu'}}"),
                "spec.extendedResourceName: Invalid value: \\\"cpu\\\": must be a valid extended resource name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'resourceClaims':[{'name':'g'}]|spec.resourceClaims[0]: Invalid value: {\"name\":\"g\"}: must specify one of:"
                        + " `resourceClaimName`, `resourceClaimTemplateName`",
                "'resourceClaims':[{'name':'g','resourceClaimName':'a'},{'name':'g','resourceClaimName':'b'}]"
                        + "|spec.resourceClaims[1].name: Duplicate value: \"g\"",
                "'resourceClaims':[]|spec.containers[0].resources.claims[0]: Not found: \"gpu\": must be one of the names in"
                        + " pod.spec.resourceClaims which is empty",
                "'resourceClaims':[{'name':'g','resourceClaimName':'a'}]|must be one of the names in"
                        + " pod.spec.resourceClaims: g",
            })
    void aPodsClaimsMayBeWrong(String claims, String message) throws Exception {
        assertRefused(post("/api/v1/namespaces/default/pods", """
                    {'metadata':{'name':'w'},'spec':{%s,'containers':[{'name':'c','image':'i','resources':{'claims':[
                     {'name':'gpu'}]}}]}}\
                    """.formatted(claims)), message.replace("\"", "\\\""));
    }

    private void claim(String name, String more) throws Exception {
        assertTaken(post(CLAIMS, """
            {'metadata':{'name':'%s'},'spec':{'devices':{'requests':[
             {'name':'r','exactly':{'deviceClassName':'c'}}]}}%s}\
            """.formatted(name, more)));
    }

    private HttpResponse<String> post(String path, String quoted) throws IOException, InterruptedException {
        return client.post(path, quoted.replace('\'', '"'));
    }

    private HttpResponse<String> status(String claim, String quoted) throws IOException, InterruptedException {
        return client.patch(
                CLAIMS + "/" + claim + "/status", ("{'status':{" + quoted + "}}").replace('\'', '"'), "merge-patch");
    }

    private JsonObject tree(String claim) throws Exception {
        return JsonParser.parseString(client.get(CLAIMS + "/" + claim).body()).getAsJsonObject();
    }

    private static void assertTaken(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).as(answer.body()).isIn(200, 201);
    }

    private static void assertRefused(HttpResponse<String> answer, String message) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(422);
        assertThat(answer.body()).contains(message);
    }
}
