package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is said of pods that wait for devices: what the devices are lost to, and what would help. */
class DeviceWhyTest {
    private static final ObjectReader READER = new ObjectReader();
    private static final ObjectWriter WRITER = new ObjectWriter();

    private static final SchedulerConfiguration RULES = UsualProfiles.OF_PODS_THAT_WAIT.toBuilder()
            .featureGates(FeatureGates.with(Map.of("DRADeviceTaintRules", true)))
            .build();

    private final Map<String, KubernetesObject> objects = new LinkedHashMap<>();

    @BeforeEach
    void nodes() {
        for (String name : List.of("n1", "n2")) {
            put(NodeBuilder.node(name)
                    .hostname(name)
                    .allocatable("cpu", "8", "memory", "8Gi", "pods", "10")
                    .build());
        }
        deviceClass("gpu");
    }

    private void put(KubernetesObject object) {
        objects.put(object.kindName() + "/" + object.meta().key(), object);
    }

    private void put(String text) {
        put(READER.read(text.replace("\\'", "\u0000").replace('\'', '"').replace('\u0000', '\'')));
    }

    private void deviceClass(String name) {
        put("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'" + name
                + "'},'spec':{'selectors':[{'cel':{'expression':'device.driver == \\'" + name
                + ".example.com\\''}}]}}");
    }

    /** Devices of the driver gpu.example.com, each with what is said of it besides. */
    private void slice(String node, String... devices) {
        put("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'" + node
                + "-gpu'},'spec':{'driver':'gpu.example.com','nodeName':'" + node + "','pool':{'name':'" + node
                + "','generation':1,'resourceSliceCount':1},'devices':["
                + Arrays.stream(devices)
                        .map(device -> "{'name':" + device + "}")
                        .collect(Collectors.joining(",")) + "]}}");
    }

    private void claim(String name, String owner, String devices, String status) {
        put("{'kind':'ResourceClaim','apiVersion':'resource.k8s.io/v1','metadata':{'name':'" + name
                + "','namespace':'default','uid':'uid-" + name + "'"
                + (owner.isEmpty()
                        ? ""
                        : ",'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'" + owner + "','uid':'uid-"
                                + owner + "','controller':true}]")
                + "},'spec':{'devices':{" + devices + "}},'status':{" + status + "}}");
    }

    private static String exactly(String rest) {
        return "'requests':[{'name':'r','exactly':{'deviceClassName':'gpu'" + rest + "}}]";
    }

    /** A pod with a claim of the template "gpus", which is made. */
    private void waits(String name, String devices) {
        claim(name + "-gpu", name, devices, "");
        pod(name, "", "'resourceClaimTemplateName':'gpus'", name + "-gpu");
    }

    private void pod(String name, String node, String claim, String made) {
        put("{'kind':'Pod','apiVersion':'v1','metadata':{'name':'" + name + "','namespace':'default','uid':'uid-" + name
                + "'},'spec':{'schedulerName':'evenkeel','containers':[{'name':'main'}]"
                + (node.isEmpty() ? "" : ",'nodeName':'" + node + "'") + ",'resourceClaims':[{'name':'gpu'," + claim
                + "}]},'status':{'phase':'Pending'"
                + (made.isEmpty() ? "" : ",'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'" + made + "'}]")
                + "}}");
    }

    /** A pod in place with a device of its node. */
    private void has(String name, String node, String device) {
        claim(
                name + "-gpu",
                name,
                exactly(""),
                "'allocation':{'devices':{'results':[{'request':'r','driver':'gpu.example.com','pool':'" + node
                        + "','device':'" + device + "'}]}},'reservedFor':[{'resource':'pods','name':'" + name
                        + "','uid':'uid-" + name + "'}]");
        pod(name, node, "'resourceClaimTemplateName':'gpus'", name + "-gpu");
    }

    private PodReport report(String pod) {
        return report(pod, UsualProfiles.OF_PODS_THAT_WAIT);
    }

    private PodReport report(String pod, SchedulerConfiguration configuration) {
        ClusterQuestions questions =
                new ClusterQuestions(configuration, WaitingCluster.PLUGINS, Judgement.GUESSED, (_, _) -> {});
        questions.tell(new ArrayList<>(objects.values()));
        return questions.about("default/" + pod, Requester.OPERATOR).orElseThrow();
    }

    private String why(String pod) throws IOException {
        return report(pod).text(Layout.of(500));
    }

    private String wide(String pod) throws IOException {
        assertThat(AnswerSchema.problems(JsonWhy.tree(report(pod)).json())).isEmpty();
        return report(pod).wide(Layout.of(500));
    }

    private String nodeOf(String pod) {
        Engine engine = new Engine(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
        objects.values().forEach(engine::put);
        Pod asked = (Pod) objects.get("Pod/default/" + pod);
        return engine.decide(PodBuilder.from(asked)
                                .schedulerName("default-scheduler")
                                .build())
                        instanceof Decision.Placed placed
                ? engine.cluster().nodes().name(placed.node())
                : "";
    }

    @Test
    void devicesInUseAndThePodThatWouldGiveOne() throws IOException {
        slice("n1", "'g0'", "'g1'");
        slice("n2", "'g0'");
        has("a", "n1", "g0");
        has("b", "n2", "g0");
        waits("p", exactly(",'count':2"));

        assertThat(why("p"))
                .contains(
                        "(claim gpu wants 2 devices of class gpu on one node; the best node, n1, has 1 free of 2: 1 is"
                                + " in use)")
                .contains(
                        "Would help: 1 device instead of 2 for request r in ResourceClaimTemplate default/gpus → goes to"
                                + " n1")
                .contains("kubectl get resourceclaimtemplate gpus -n default -o json | kubectl patch --local -f -"
                        + " --type=json -o json -p '[{\"op\":\"add\",\"path\":\"/spec/spec/devices/requests/0/exactly/count\","
                        + "\"value\":1}]' | kubectl replace --force -f - && kubectl get pod p -n default");
        assertThat(wide("p"))
                .contains("on 2 nodes together: 1 free of 3: 2 are in use")
                .contains("n2: none free of 1: 1 is in use")
                .contains("used by default/a, default/b")
                .contains("pod default/a gone from node n1 → goes to n1")
                .contains("one more node like n1 → goes to n1-copy")
                .doesNotContain("pod default/b gone");

        objects.remove("Pod/default/a");
        objects.remove("ResourceClaim/default/a-gpu");
        assertThat(nodeOf("p")).isEqualTo("n1");
    }

    @Test
    void aTaintAndItsToleration() throws IOException {
        slice("n1", "'g0','taints':[{'key':'broken','value':'fan','effect':'NoSchedule'}]");
        waits("p", exactly(""));

        assertThat(why("p"))
                .contains("the only node with any, n1, has none free of 1: 1 lost to taint broken=fan:NoSchedule")
                .contains("toleration of device taint broken=fan:NoSchedule for request r in ResourceClaimTemplate"
                        + " default/gpus → goes to n1")
                .contains(
                        "/exactly/tolerations\",\"value\":[{\"key\":\"broken\",\"operator\":\"Equal\",\"value\":\"fan\","
                                + "\"effect\":\"NoSchedule\"}]");
        waits("p", exactly(",'tolerations':[{'key':'broken','operator':'Equal','value':'fan','effect':'NoSchedule'}]"));
        assertThat(nodeOf("p")).isEqualTo("n1");
    }

    @Test
    void aSelectorThatNothingMatches() throws IOException {
        slice("n1", "'g0','attributes':{'model':{'string':'a'}}");
        waits(
                "p",
                exactly(
                        ",'selectors':[{'cel':{'expression':'device.attributes[\\'gpu.example.com\\'].model == \\'b\\''}}]"));

        assertThat(wide("p"))
                .contains("1 lost to selector device.attributes['gpu.example.com'].model == 'b'")
                .contains("selector device.attributes['gpu.example.com'].model == 'b' dropped from request r");
    }

    @Test
    void anAttributeThatTheyHaveNotInCommon() throws IOException {
        slice("n1", "'g0','attributes':{'numa':{'int':0}}", "'g1','attributes':{'numa':{'int':1}}");
        waits("p", exactly(",'count':2") + ",'constraints':[{'matchAttribute':'gpu.example.com/numa'}]");

        assertThat(why("p")).contains("n1, has 2 free of 2, but they have no one value of gpu.example.com/numa");
    }

    @Test
    void countersThatTheyShare() throws IOException {
        put("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'c'},'spec':{'driver':"
                + "'gpu.example.com','pool':{'name':'n1','generation':1,'resourceSliceCount':2},'sharedCounters':[{'name':"
                + "'card','counters':{'memory':{'value':'8'}}}]}}");
        String draws = ",'consumesCounters':[{'counterSet':'card','counters':{'memory':{'value':'6'}}}]";
        put("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'d'},'spec':{'driver':"
                + "'gpu.example.com','nodeName':'n1','pool':{'name':'n1','generation':1,'resourceSliceCount':2},'devices':["
                + "{'name':'g0'" + draws + "},{'name':'g1'" + draws + "}]}}");
        waits("p", exactly(",'count':2"));
        assertThat(why("p")).contains("n1, has 2 free of 2, but they draw on the same counters");
        assertThat(wide("p")).contains("1 device instead of 2");

        waits("q", exactly(""));
        has("a", "n1", "g0");
        assertThat(wide("q"))
                .contains("1 is in use, 1 lost to counter card/memory in use")
                .contains("one more node like n1 → goes to n1-copy");
    }

    @Test
    void aClassThatThereIsNot() throws IOException {
        slice("n1", "'g0'");
        waits("p", exactly("").replace("'gpu'", "'gpus'"));
        assertThat(why("p"))
                .contains("(claim gpu: there is no device class gpus; there is gpu; did you mean \"gpu\"?)")
                .doesNotContain("Would help");

        waits("p", exactly("").replace("'gpu'", "'accelerator'"));
        assertThat(why("p"))
                .contains("there is no device class accelerator; there is gpu)")
                .contains("device class gpu instead of accelerator for request r");
    }

    @Test
    void claimsThatCannotBeUsedYet() throws IOException {
        pod("p", "", "'resourceClaimTemplateName':'gpus'", "");
        assertThat(why("p")).contains("claim gpu: waits for a controller to make it of ResourceClaimTemplate gpus");

        pod("p", "", "'resourceClaimName':'shard'", "");
        claim("shared", "", exactly(""), "");
        assertThat(why("p"))
                .contains("claim gpu: there is no ResourceClaim shard; there is shared; did you mean \"shared\"?");
    }

    @Test
    void aClaimThatHasAsManyUsersAsItCan() throws IOException {
        slice("n1", "'g0'");
        isUsedBy(256);
        pod("u7", "n1", "'resourceClaimName':'shared'", "");
        pod("p", "", "'resourceClaimName':'shared'", "");

        assertThat(why("p"))
                .contains("(claim gpu: ResourceClaim shared is used by 256 pods, and by no more at a time)")
                .contains("Would help: pod default/u7 gone from node n1 → goes to n1")
                .doesNotContain("one more node");

        isUsedBy(255);
        assertThat(why("p")).contains("now it would go to n1");
    }

    private void isUsedBy(int pods) {
        claim(
                "shared",
                "",
                exactly(""),
                "'allocation':{'devices':{'results':[{'request':'r','driver':'gpu.example.com','pool':'n1',"
                        + "'device':'g0'}]},'nodeSelector':{'nodeSelectorTerms':[{'matchFields':[{'key':'metadata.name',"
                        + "'operator':'In','values':['n1']}]}]}},'reservedFor':["
                        + IntStream.range(0, pods)
                                .mapToObj(i -> "{'resource':'pods','name':'u" + i + "','uid':'uid-u" + i + "'}")
                                .collect(Collectors.joining(","))
                        + "]");
    }

    @Test
    void anotherClassThatWouldDoInstead() throws IOException {
        deviceClass("nic");
        put("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'n2-nic'},'spec':{'driver':"
                + "'nic.example.com','nodeName':'n2','pool':{'name':'n2','generation':1,'resourceSliceCount':1},"
                + "'devices':[{'name':'t0'}]}}");
        for (String name : List.of("old", "tpu")) {
            put("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'"
                    + (name.equals("old") ? "gpu" : name) + "'},'spec':{'selectors':[{'cel':{'expression':"
                    + "'device.driver == \\'gpu.example.com\\' && device.attributes[\\'gpu.example.com\\'].kind == \\'"
                    + name + "\\''}}]}}");
        }
        slice("n1", "'g0','attributes':{'kind':{'string':'old'}}");
        has("a", "n1", "g0");
        slice("n2", "'t0','attributes':{'kind':{'string':'tpu'}}");
        waits("p", exactly(""));

        assertThat(why("p"))
                .contains("Would help: alternative for request r, 1 device of class tpu, in ResourceClaimTemplate"
                        + " default/gpus → goes to n2")
                .contains("-p '[{\"op\":\"remove\",\"path\":\"/spec/spec/devices/requests/0/exactly\"},{\"op\":\"add\","
                        + "\"path\":\"/spec/spec/devices/requests/0/firstAvailable\",\"value\":[{\"name\":\"alternative-1\","
                        + "\"deviceClassName\":\"gpu\"},{\"name\":\"alternative-2\",\"deviceClassName\":\"tpu\"}]}]'");
        assertThat(JsonWhy.tree(report("p")).json())
                .contains("\"kind\":\"deviceAlternative\"")
                .contains("\"kind\":\"deviceClass\",\"text\":\"alternative for request r, 1 device of class nic, in");
        waits(
                "p",
                "'requests':[{'name':'r','firstAvailable':[{'name':'alternative-1','deviceClassName':'gpu'},"
                        + "{'name':'alternative-2','deviceClassName':'tpu'}]}]");
        assertThat(nodeOf("p")).isEqualTo("n2");
    }

    @Test
    void fewerDevicesThanFewer() throws IOException {
        slice(
                "n1",
                "'g0','attributes':{'numa':{'int':0}}",
                "'g1','attributes':{'numa':{'int':0}}",
                "'g2','attributes':{'numa':{'int':1}}",
                "'g3','attributes':{'numa':{'int':1}}");
        waits("p", exactly(",'count':4") + ",'constraints':[{'matchAttribute':'gpu.example.com/numa'}]");
        assertThat(why("p")).contains("Would help: 2 devices instead of 4 for request r");
    }

    @Test
    void aPoolThatLacksASliceAndOneForOtherNodes() throws IOException {
        put("{'kind':'ResourceSlice','apiVersion':'resource.k8s.io/v1','metadata':{'name':'s'},'spec':{'driver':"
                + "'gpu.example.com','nodeName':'n1','pool':{'name':'pool','generation':1,'resourceSliceCount':2},"
                + "'devices':[{'name':'g0'}]}}");
        waits("p", exactly(""));
        assertThat(why("p"))
                .contains("; no node has any; pool pool of driver gpu.example.com is not complete: it has 1 of 2"
                        + " slices)");

        slice("n9", "'g0'");
        objects.remove("ResourceSlice/s");
        assertThat(why("p"))
                .contains("; no node has any; pool n9 of driver gpu.example.com has some, for none of the nodes that"
                        + " there are)");
    }

    @Test
    void moreOfADeviceThanItHasIsNotInUse() throws IOException {
        slice("n1", "'g0','allowMultipleAllocations':true,'capacity':{'memory':{'value':'8'}}");
        waits("p", exactly(",'capacity':{'requests':{'memory':'9'}}"));
        assertThat(why("p")).contains("none free of 1: 1 lost to capacity)");
    }

    @Test
    void anExtendedResourceThatNoClassNames() throws IOException {
        put("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'gpu'},'spec':{"
                + "'extendedResourceName':'example.com/gpu'}}");
        put(PodBuilder.pod("p")
                .uid("uid-p")
                .schedulerName("evenkeel")
                .container("example.com/gpus", "1")
                .build());
        assertThat(why("p")).contains("(no node offers example.com/gpus; did you mean \"gpu\"?)");
    }

    @Test
    void anotherPartitionThatWouldDoInstead() throws IOException {
        slice(
                "n1",
                "'g0','attributes':{'profile':{'string':'whole'}}",
                "'g1','attributes':{'profile':{'string':'half'}}");
        has("a", "n1", "g0");
        String whole = "device.attributes[\\'gpu.example.com\\'].profile == \\'whole\\'";
        waits("p", exactly(",'selectors':[{'cel':{'expression':'" + whole + "'}}]"));

        assertThat(why("p"))
                .contains("1 is in use, 1 lost to a selector; others have profile half)")
                .contains("Would help: alternative for request r, 1 device of class gpu with"
                        + " device.attributes['gpu.example.com'].profile == 'half', in");
        String half = whole.replace("whole", "half");
        waits(
                "p",
                "'requests':[{'name':'r','firstAvailable':[{'name':'x','deviceClassName':'gpu','selectors':[{'cel':{"
                        + "'expression':'" + whole + "'}}]},{'name':'y','deviceClassName':'gpu','selectors':[{'cel':{"
                        + "'expression':'" + half + "'}}]}]}]");
        assertThat(nodeOf("p")).isEqualTo("n1");
    }

    @Test
    void aRuleThatTaintsThem() throws IOException {
        slice("n1", "'g0'");
        put("{'kind':'DeviceTaintRule','apiVersion':'resource.k8s.io/v1beta2','metadata':{'name':'recall'},'spec':{"
                + "'deviceSelector':{'driver':'gpu.example.com'},'taint':{'key':'recall','effect':'NoExecute'}}}");
        waits("p", exactly(""));

        PodReport report = report("p", RULES);
        assertThat(report.text(Layout.of(500)))
                .contains("1 lost to taint recall:NoExecute of rule recall")
                .contains("Would help: toleration of device taint recall:NoExecute for request r");
        assertThat(report.wide(Layout.of(500))).contains("DeviceTaintRule recall gone → goes to n1");
        assertThat(JsonWhy.tree(report).json()).contains("{\"remove\":\"DeviceTaintRule/recall\"}");
        assertThat(AnswerSchema.problems(JsonWhy.tree(report).json())).isEmpty();
        assertThat(why("p")).contains("now it would go to n1");

        put("{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'gpu'},'spec':{"
                + "'extendedResourceName':'example.com/gpu'}}");
        put(PodBuilder.pod("q")
                .uid("uid-q")
                .schedulerName("evenkeel")
                .container("example.com/gpu", "1")
                .build());
        assertThat(report("q", RULES).text(Layout.of(500)))
                .contains("Would help: DeviceTaintRule recall gone → goes to n1")
                .contains("\n  kubectl delete devicetaintrule recall\n");
    }

    @Test
    void aConstraintThatIsLeftOut() throws IOException {
        slice("n1", "'g0','attributes':{'numa':{'int':0}}", "'g1','attributes':{'numa':{'int':1}}");
        waits("p", exactly(",'count':2") + ",'constraints':[{'matchAttribute':'gpu.example.com/numa'}]");

        assertThat(wide("p"))
                .contains("matchAttribute gpu.example.com/numa dropped in ResourceClaimTemplate default/gpus → goes to"
                        + " n1");
        assertThat(JsonWhy.tree(report("p")).json())
                .contains("\"kind\":\"deviceConstraint\"")
                .contains("{\"op\":\"remove\",\"path\":\"/spec/spec/devices/constraints/0\"}");
        waits("p", exactly(",'count':2"));
        assertThat(nodeOf("p")).isEqualTo("n1");
    }

    @Test
    void aClassThatSelectsNothing() throws IOException {
        slice("n1", "'g0'");
        deviceClass("nic");
        waits("p", exactly("").replace("'gpu'", "'nic'"));

        assertThat(why("p"))
                .contains(
                        "(claim gpu wants 1 device of class nic; no node has any; its selector device.driver =="
                                + " 'nic.example.com' matches none of the devices there are, which have driver gpu.example.com)");
    }

    @Test
    void podsOfOneTemplateAreOneCause() throws IOException {
        slice("n1", "'g0'");
        has("a", "n1", "g0");
        for (String name : List.of("p", "q")) {
            waits(name, exactly(""));
        }
        ClusterQuestions questions = new ClusterQuestions(
                UsualProfiles.OF_PODS_THAT_WAIT, WaitingCluster.PLUGINS, Judgement.GUESSED, (_, _) -> {});
        questions.tell(new ArrayList<>(objects.values()));
        List<List<Pod>> causes = questions.waiting(_ -> true, Requester.OPERATOR);
        assertThat(causes).hasSize(1);
        CauseTable table = new CauseTable(questions, Instant.EPOCH, Layout.of(200));
        String devices =
                "claim gpu wants 1 device of class gpu; the only node with any, n1, has none free of 1: 1 is in use";
        assertThat(table.of(causes, List.of(), 0)).contains("(" + devices + ")");
        assertThat(table.tree(causes, () -> true).json()).contains("\"notes\":[\"" + devices + "\"]");
    }

    @Test
    void anExtendedResourceThatStandsForDevices() throws IOException {
        put(
                "{'kind':'DeviceClass','apiVersion':'resource.k8s.io/v1','metadata':{'name':'gpu'},'spec':{'extendedResourceName':"
                        + "'example.com/gpu'}}");
        slice("n1", "'g0'", "'g1'");
        has("a", "n1", "g0");
        put(PodBuilder.pod("p")
                .uid("uid-p")
                .schedulerName("evenkeel")
                .container("example.com/gpu", "2")
                .build());
        assertThat(wide("p"))
                .contains(
                        "the pod wants 2 devices of class gpu on one node; the only node with any, n1, has 1 free of 2: 1"
                                + " is in use")
                .contains("pod default/a gone from node n1 → goes to n1");
    }

    @Test
    void podsOfOtherNamespacesAreCountedAndNotNamed() throws IOException {
        slice("n1", "'g0'");
        has("a", "n1", "g0");
        objects.replaceAll((key, object) -> READER.read(WRITER.json(object).replace("\"default\"", "\"other\"")));
        waits("p", exactly(""));
        assertThat(wide("p")).contains("used by 1\n").doesNotContain("used by default", "used by other");
    }
}
