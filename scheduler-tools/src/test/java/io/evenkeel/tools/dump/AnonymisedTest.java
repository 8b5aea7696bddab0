package io.evenkeel.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.PluginObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.decode.Message;
import io.evenkeel.model.decode.Metadata;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.plugins.InTreePlugins;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Words in the place of names, and what has to stay. */
class AnonymisedTest {
    private static final String POD = """
        {"apiVersion":"v1","kind":"Pod","metadata":{"name":"acme-db-3","namespace":"acme","uid":"acme-uid","labels":{\
        "app":"acme-db","acme.com/team":"acme-pay","apps.kubernetes.io/pod-index":"3",\
        "statefulset.kubernetes.io/pod-name":"acme-db-3"},"ownerReferences":[{"apiVersion":"apps/v1",\
        "kind":"StatefulSet","name":"acme-db","uid":"acme-set","controller":true}]},\
        "spec":{"nodeName":"ip-10-1-2-3.acme.internal","schedulerName":"acme-scheduler","priority":7,\
        "nodeSelector":{"acme.com/pool":"acme-fast","kubernetes.io/arch":"amd64"},\
        "containers":[{"name":"acme","image":"registry.acme.com/acme/db:1.2","ports":[{"hostPort":80,\
        "hostIP":"0.0.0.0"}],"resources":{"requests":{"cpu":"500m","acme.com/chip":"1"}}}],\
        "tolerations":[{"key":"acme.com/taint","operator":"Equal","value":"acme","effect":"NoSchedule"}],\
        "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone",\
        "whenUnsatisfiable":"DoNotSchedule","labelSelector":{"matchExpressions":[{"key":"app","operator":"In",\
        "values":["acme-db"]}]}}],\
        "volumes":[{"name":"acme-data","persistentVolumeClaim":{"claimName":"acme-data-acme-db-3"}},\
        {"name":"acme-tmp","ephemeral":{}}]},"status":{"phase":"Pending","conditions":[{"type":"PodScheduled",\
        "status":"False","reason":"Unschedulable","message":"0/3 nodes: acme"}]}}
        """;

    private final Anonymised anonymised = new Anonymised(Kinds.IN_TREE, List.of(pod(POD)));

    private static Pod pod(String text) {
        return (Pod) new ObjectReader().read(text);
    }

    @Test
    void namesAreInTheOrderOfTheAlphabetStill() {
        List<Pod> pods = Stream.of("b", "a-z", "a-b", "c")
                .map(name -> PodBuilder.pod(name).build())
                .toList();
        Anonymised all = new Anonymised(Kinds.IN_TREE, pods);
        ObjectWriter writer = new ObjectWriter();

        assertThat(pods.stream()
                        .sorted(Comparator.comparing(Pod::name))
                        .map(pod -> pod(all.apply(writer.json(pod))).name()))
                .isSorted()
                .hasSize(4);
    }

    @Test
    void nothingIsLeftOfAName() {
        assertThat(anonymised.apply(POD)).doesNotContainIgnoringCase("acme").doesNotContain("10-1-2-3");
    }

    /** What may stay is listed: a key below kubernetes.io that nobody knows is somebody's own. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        v1 | Node | 'metadata':{'name':'x','labels':{'acme.kubernetes.io/x':'1','node.kubernetes.io/acme':'1'}}
        v1 | Node | 'metadata':{'name':'x','labels':{'node-role.kubernetes.io/acme':'','acme.x-k8s.io/acme':'acme'}}
        v1 | Node | 'status':{'allocatable':{'hugepages-acme':'1','attachable-volumes-acme':'1','acme.com/chip':'1'}}
        v1 | Node | 'status':{'declaredFeatures':['AcmeFeature']}
        v1 | Pod | 'metadata':{'annotations':{'evenkeel.io/acme':'acme','evenkeel.io/group-placement':'acme'}}
        v1 | Pod | 'metadata':{'ownerReferences':[{'apiVersion':'acme.com/v1','kind':'AcmeShop','name':'x'}]}
        v1 | Pod | 'metadata':{'ownerReferences':[{'apiVersion':'apps/acme','kind':'Job','name':'x'}]}
        v1 | Pod | 'status':{'conditions':[{'type':'acme.com/Ready','status':'Acme','reason':'AcmeSaysSo','message':'acme'}]}
        v1 | Pod | 'spec':{'priorityClassName':'acme','schedulerName':'evenkeel-acme','runtimeClassName':'acme'}
        v1 | Pod | 'spec':{'containers':[{'image':'acme.io/acme@sha256:acme','env':[{'name':'ACME','value':'acme'}]}]}
        v1 | Pod | 'spec':{'somethingNew':{'acme.com/x':'acme'}}
        v1 | Pod | 'status':{'hostIP':'fd00::acme','podIPs':[{'ip':'acme'}]}
        v1 | Service | 'spec':{'selector':{'matchLabels':'acme','acme':'acme','matchExpressions':'acme'}}
        policy/v1 | PodDisruptionBudget | 'status':{'disruptedPods':{'acme':'2026-01-01T00:00:00Z'}}
        storage.k8s.io/v1 | CSINode | 'metadata':{'annotations':{'storage.alpha.kubernetes.io/migrated-plugins':'acme.com/disk'}}
        storage.k8s.io/v1 | CSINode | 'spec':{'drivers':[{'name':'csi.acme.com','nodeID':'acme-1','topologyKeys':['acme.com/rack']}]}
        """)
    void whatIsNotKnownIsReplaced(String apiVersion, String kind, String members) {
        assertThat(replaced(apiVersion, kind, members)).doesNotContainIgnoringCase("acme");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
        v1 | Node | 'metadata':{'labels':{'topology.kubernetes.io/zone':'','node-role.kubernetes.io/worker':''}}
        v1 | Node | 'metadata':{'labels':{'kubernetes.io/os':'linux','topology.ebs.csi.aws.com/zone':''}}
        v1 | Node | 'status':{'allocatable':{'cpu':'1','nvidia.com/gpu':'2','hugepages-2Mi':'64Mi','attachable-volumes-csi':'3'}}
        v1 | Node | 'status':{'declaredFeatures':['RestartAllContainersOnContainerExits','UserNamespacesHostNetworkSupport']}
        v1 | Node | 'spec':{'taints':[{'key':'node.kubernetes.io/not-ready','effect':'NoExecute'}]}
        v1 | Pod | 'spec':{'schedulerName':'default-scheduler','preemptionPolicy':'Never'}
        v1 | Pod | 'spec':{'schedulerName':'evenkeel'}
        v1 | Pod | 'spec':{'containers':[{'ports':[{'hostPort':1,'protocol':'UDP','hostIP':'0.0.0.0'}]}]}
        v1 | Pod | 'spec':{'containers':[{'restartPolicyRules':[{'action':'RestartAllContainers'}]}]}
        v1 | Pod | 'spec':{'initContainers':[{'restartPolicy':'Always'}]}
        v1 | Pod | 'spec':{'volumes':[{'azureDisk':{'kind':'Managed'}}]}
        v1 | Pod | 'status':{'phase':'Running','conditions':[{'type':'DisruptionTarget','status':'True','reason':'DeletionByTaintManager'}]}
        v1 | PersistentVolume | 'spec':{'csi':{'driver':'ebs.csi.aws.com'},'accessModes':['ReadWriteOnce'],'volumeMode':'Block'}
        storage.k8s.io/v1 | StorageClass | 'provisioner':'kubernetes.io/aws-ebs','volumeBindingMode':'WaitForFirstConsumer'
        storage.k8s.io/v1 | CSINode | 'spec':{'drivers':[{'name':'ebs.csi.aws.com','allocatable':{'count':3}}]}
        """)
    void whatIsKnownStays(String apiVersion, String kind, String members) {
        assertThat(replaced(apiVersion, kind, members)).isEqualTo(object(apiVersion, kind, members));
    }

    private String replaced(String apiVersion, String kind, String members) {
        return anonymised.apply(object(apiVersion, kind, members));
    }

    private static String object(String apiVersion, String kind, String members) {
        return "{'apiVersion':'%s','kind':'%s',%s}"
                .formatted(apiVersion, kind, members)
                .replace('\'', '"');
    }

    /** By these beginnings and ends a resource is told from others. */
    @Test
    void whatAResourceIsToldByStays() {
        assertThat(replaced("v1", "Node", "'status':{'allocatable':{'hugepages-acme':'1','acme.kubernetes.io/x':'1'}}"))
                .contains("\"hugepages-n0", ".kubernetes.io/n0");
    }

    private record Rack(ObjectMeta meta, String room, Map<String, String> doors, boolean closed)
            implements PluginObject {
        @Override
        public String kindName() {
            return "Rack";
        }
    }

    /** Its table tells its fields from a user's keys, whatever these look like, and its constants from other words. */
    @Test
    void aPluginsKindIsKnownByItsTable() {
        Kind<Rack> kind =
                new Kind<>("Rack", "example.com", "v1", "racks", false, Rack.class, Message.<Rack>ofObject(fields -> {
                    var room = fields.string("room", 2).from(Rack::room);
                    var doors = fields.stringMap("doors", 3).from(Rack::doors);
                    var closed = fields.constant("closed", 4, Map.of("Yes", true, "No", false))
                            .from(Rack::closed);
                    return read ->
                            new Rack(read.get(Metadata.FIELD), read.get(room), read.get(doors), read.get(closed));
                }));
        Kinds kinds = Kinds.IN_TREE.with(List.of(kind));
        Rack rack = new Rack(ObjectMeta.named("", "acme"), "acme", Map.of("room", "acme"), true);

        assertThat(new Anonymised(kinds, List.of(rack)).apply(new ObjectWriter(kinds).json(rack)))
                .isEqualTo("""
                    {"apiVersion":"example.com/v1","kind":"Rack","metadata":{"name":"n000001"},"room":"n000001",\
                    "doors":{"n000002":"n000001"},"closed":"Yes"}\
                    """);
    }

    /** As a volume in several zones is where the nodes of one of them are. */
    @Test
    void zonesOfAVolumeAreZonesOfNodes() {
        String zone = "\"topology.kubernetes.io/zone\":\"";
        KubernetesObject node = new ObjectReader()
                .read("{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"a\",\"labels\":{" + zone
                        + "2\"}}}");
        Anonymised one = new Anonymised(Kinds.IN_TREE, List.of(node));
        String replaced =
                one.apply(new ObjectWriter().json(node)).split(zone, 2)[1].split("\"", 2)[0];

        assertThat(one.apply(object(
                        "v1", "PersistentVolume", "'metadata':{'labels':{'topology.kubernetes.io/zone':'1__2__3'}}")))
                .contains("__" + replaced + "__");
    }

    /** Numbers are a user's as words are: a name may be one of a card or a person. */
    @Test
    void digitsAreReplacedButTheOrdinalOfAMadeName() {
        String person = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"078-05-1120","namespace":"555-0199","labels":{\
            "ssn":"078-05-1120","card":"4111","customer-31337":"x","made":"acme-db-3"}},"spec":{"nodeName":"rack-42",\
            "nodeSelector":{"badge":"90210"},"containers":[{"name":"c","image":"acme/db:1.2.31337"}]}}
            """;
        String anonymous = new Anonymised(Kinds.IN_TREE, List.of(pod(person), pod(POD))).apply(person);

        assertThat(anonymous)
                .doesNotContain("078", "1120", "555", "0199", "4111", "31337", "90210", "42", "\"05", "-05")
                .containsPattern("\"made\":\"n0[0-9]+-n0[0-9]+-3\"|\"n0[0-9]+\":\"n0[0-9]+-n0[0-9]+-3\"");
    }

    /** What is Kubernetes' own in one place is a user's word in another. */
    @Test
    void wordsThatOnlyLookLikeKubernetesOwnAreReplaced() {
        String object = """
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"default","namespace":"kube-system","labels":{\
            "plan":"default","stage":"latest","platform":"windows","active":"true","unit":"system-vol"}},"spec":{\
            "priorityClassName":"system-node-critical","nodeSelector":{"kubernetes.io/os":"linux","os":"linux"},\
            "affinity":{"podAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":[{"topologyKey":"zone",\
            "namespaces":["default","kube-acme"],"namespaceSelector":{"matchExpressions":[\
            {"key":"kubernetes.io/metadata.name","operator":"In","values":["kube-public"]},\
            {"key":"plan","operator":"In","values":["default"]}]}}]}},\
            "containers":[{"name":"c","image":"acme/default:latest"}]}}
            """;
        String anonymous = new Anonymised(Kinds.IN_TREE, List.of(pod(object))).apply(object);

        assertThat(anonymous)
                .contains(
                        "\"namespace\":\"kube-system\"",
                        "\"namespaces\":[\"default\",\"n",
                        "\"values\":[\"kube-public\"]",
                        "\"kubernetes.io/os\":\"linux\"",
                        ":latest\"")
                .doesNotContain("windows", "\"true\"", "vol", "acme", "\"latest\"", "[\"default\"]", ":\"default\"");
        assertThat(anonymous.split("linux", -1)).hasSize(2);
        assertThat(anonymous.split("default", -1)).hasSize(2);
    }

    /** What compares numbers says the same of those in their place. */
    @Test
    void numbersThatAreComparedAreInTheirOrder() {
        List<Pod> pods = Stream.of("-12", "0", "7", "31", "100", "20000000000")
                .map(number ->
                        PodBuilder.pod("p" + number).label("size", number).build())
                .toList();
        Anonymised all = new Anonymised(Kinds.IN_TREE, pods);
        ObjectWriter writer = new ObjectWriter();

        List<Long> sizes = pods.stream()
                .flatMap(pod -> pod(all.apply(writer.json(pod))).labels().asMap().values().stream())
                .map(Long::parseLong)
                .toList();
        assertThat(sizes)
                .hasSize(pods.size())
                .isSorted()
                .doesNotHaveDuplicates()
                .doesNotContain(7L, 31L, 100L);
    }

    @Test
    void byAKeyANameHasTheSameWordInAllDumpsAndByNoOther() {
        byte[] key = "a secret of some length".getBytes(StandardCharsets.UTF_8);
        byte[] another = "b secret of some length".getBytes(StandardCharsets.UTF_8);
        Pod other = PodBuilder.pod("another").label("app", "x").build();
        String first = new Anonymised(Kinds.IN_TREE, List.of(pod(POD)), key).apply(POD);

        assertThat(new Anonymised(Kinds.IN_TREE, List.of(other, pod(POD)), key).apply(POD))
                .isEqualTo(first)
                .doesNotContainIgnoringCase("acme");
        assertThat(new Anonymised(Kinds.IN_TREE, List.of(pod(POD)), another).apply(POD))
                .isNotEqualTo(first);
        assertThat(pod(first).name())
                .isEqualTo(pod(first).meta().controller().orElseThrow().name() + "-3");
    }

    /** The whole looks like an address, and none of both does. */
    @Test
    void aClaimMadeForAVolumeIsFoundByBothNames() {
        Pod pod = pod("""
            {"apiVersion":"v1","kind":"Pod","metadata":{"name":"db-1-2"},"spec":{"volumes":[{"name":"3-4","ephemeral":{}}]}}
            """);
        Anonymised one = new Anonymised(Kinds.IN_TREE, List.of(pod));
        Pod replaced = pod(one.apply(new ObjectWriter().json(pod)));
        String claim = new ObjectReader()
                .read(one.apply(object("v1", "PersistentVolumeClaim", "'metadata':{'name':'db-1-2-3-4'}")))
                .meta()
                .name();

        assertThat(replaced.spec().volumes().getFirst().claimOf(replaced)).contains(claim);
    }

    @Test
    void whatKubernetesCallsThingsAndAmountsStay() {
        Pod replaced = pod(anonymised.apply(POD));

        assertThat(replaced.spec().priority()).isEqualTo(7);
        assertThat(replaced.spec().nodeSelector().has("kubernetes.io/arch", "amd64"))
                .isTrue();
        assertThat(replaced.spec().containers().getFirst().requests().get("cpu"))
                .isEqualTo(pod(POD).spec().containers().getFirst().requests().get("cpu"));
        assertThat(replaced.spec().topologySpread().getFirst().topologyKey()).isEqualTo("topology.kubernetes.io/zone");
        assertThat(replaced.meta().controller().orElseThrow().kind()).isEqualTo("StatefulSet");
        assertThat(replaced.status().scheduled().orElseThrow().reason()).isEqualTo("Unschedulable");
    }

    @Test
    void whatWasEqualIsEqualWhereverItStands() {
        Pod replaced = pod(anonymised.apply(POD));
        Pod other = pod(anonymised.apply(POD.replace("acme-db-3", "acme-db-4")));
        String set = replaced.meta().controller().orElseThrow().name();

        assertThat(replaced.name()).isEqualTo(set + "-3");
        assertThat(other.name()).isEqualTo(set + "-4");
        assertThat(other.namespace()).isEqualTo(replaced.namespace());
        assertThat(replaced.labels().getOrDefault("statefulset.kubernetes.io/pod-name", ""))
                .isEqualTo(replaced.name());
        assertThat(replaced.spec().topologySpread().getFirst().labelSelector().matches(other.labels()))
                .isTrue();
        PodVolume claim = replaced.spec().volumes().getFirst();
        assertThat(claim.claimOf(replaced).orElseThrow()).endsWith("-" + replaced.name());
        assertThat(replaced.spec().volumes().get(1).claimOf(replaced).orElseThrow())
                .startsWith(replaced.name() + "-");
    }

    /** One of two nodes has the device that is asked for, in each way in which it may be. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "device.attributes['acme.com'].acmeModel == 'acme-large'",
                "device.driver == 'acme.com' && device.capacity['acme.com'].acmeMemory.compareTo(quantity('20Gi')) == 0",
                "device.attributes['acme.com']['acmeVersion'].isGreaterThan(semver('1.9.9'))",
                "device.attributes['resource.kubernetes.io'].pcieRoot == 'acme7'",
                "cel.bind(acme, device.attributes['acme.com'], 'acmeModel' in acme && acme.?acmeIndex.orValue(0) == 7)",
                "device.attributes['acme.org'].acmeFast // for acme",
            })
    void aSelectorSelectsTheSame(String expression) {
        List<KubernetesObject> named = new ArrayList<>();
        named.add(NodeBuilder.node("acme1").allocatable("pods", "9").build());
        named.add(NodeBuilder.node("acme2").allocatable("pods", "9").build());
        ObjectReader reader = new ObjectReader();
        String ofDevices =
                "'apiVersion':'resource.k8s.io/v1','metadata':{'name':'%s','namespace':'shop','uid':'u'},'spec':";
        named.add(reader.read("{'kind':'DeviceClass',"
                .concat(ofDevices.formatted("acme"))
                .concat("{}}")
                .replace('\'', '"')));
        Stream.of("acme1 small 10Gi 1.9.9 6 false", "acme2 large 20Gi 1.10.0 7 true")
                .map(line -> line.split(" "))
                .forEach(row -> named.add(reader.read("""
                        {'kind':'ResourceSlice',%s{'driver':'acme.com','nodeName':'%s','pool':{'name':'%s',
                         'generation':1,'resourceSliceCount':1},'devices':[{'name':'d','attributes':{
                         'acmeModel':{'string':'acme-%s'},'acme.com/acmeVersion':{'version':'%s'},
                         'acmeIndex':{'int':%s},'resource.kubernetes.io/pcieRoot':{'string':'acme%6$s'},
                         'acme.org/acmeFast':{'bool':%s}},'capacity':{'acmeMemory':{'value':'%s'}}}]}}""".formatted(
                                ofDevices.formatted(row[0]), row[0], row[0], row[1], row[3], row[4], row[5], row[2])
                        .replace('\'', '"'))));
        named.add(reader.read(("{'kind':'ResourceClaim'," + ofDevices.formatted("acme-claim")
                        + "{'devices':{'requests':[{'name':'r','exactly':{'deviceClassName':'acme','selectors':[{'cel':"
                        + "{'expression':'EXPRESSION'}}]}}]}}}")
                .replace('\'', '"')
                .replace("EXPRESSION", expression)));
        named.add(PodBuilder.pod("shop", "acme")
                .resourceClaim("acme-claim")
                .schedulerName("default-scheduler")
                .build());
        for (Anonymised anonymised : List.of(
                new Anonymised(Kinds.IN_TREE, named),
                new Anonymised(Kinds.IN_TREE, named, "a secret of some length".getBytes(StandardCharsets.UTF_8)))) {
            Engine engine = new Engine(
                    SchedulerConfiguration.defaults(),
                    InTreePlugins.registry(),
                    new FirstByName(),
                    SchedulingCycle.Scoring.WHEN_NEEDED);
            Map<String, String> lines = new LinkedHashMap<>();
            ObjectWriter writer = new ObjectWriter();
            named.forEach(object ->
                    lines.put(object.kindName() + object.meta().name(), anonymised.apply(writer.json(object))));
            assertThat(lines.values()).allSatisfy(line -> assertThat(line).doesNotContainIgnoringCase("acme"));
            lines.values().forEach(line -> engine.put(reader.read(line)));
            assertThat(engine.decide((Pod) reader.read(lines.get("Podacme"))))
                    .as("%s", lines)
                    .isInstanceOfSatisfying(
                            Decision.Placed.class,
                            placed -> assertThat(engine.cluster().nodes().name(placed.node()))
                                    .isEqualTo(reader.read(lines.get("Nodeacme2"))
                                            .meta()
                                            .name()));
        }
    }
}
