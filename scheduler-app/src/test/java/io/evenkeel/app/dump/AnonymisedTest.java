package io.evenkeel.app.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.PodVolume;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.write.ObjectWriter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
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

    private final Anonymised anonymised = new Anonymised(List.of(pod(POD)));

    private static Pod pod(String text) {
        return (Pod) new ObjectReader().read(text);
    }

    @Test
    void namesAreInTheOrderOfTheAlphabetStill() {
        List<Pod> pods = Stream.of("b", "a-z", "a-b", "c")
                .map(name -> PodBuilder.pod(name).build())
                .toList();
        Anonymised all = new Anonymised(pods);
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
    @ValueSource(
            strings = {
                "{'metadata':{'name':'x','labels':{'acme.kubernetes.io/x':'1','node.kubernetes.io/acme':'1'}}}",
                "{'metadata':{'name':'x','labels':{'node-role.kubernetes.io/acme':'','acme.x-k8s.io/acme':'acme'}}}",
                "{'metadata':{'name':'x','annotations':{'evenkeel.io/acme':'acme','evenkeel.io/group-placement':'acme'}}}",
                "{'metadata':{'name':'x','annotations':{'storage.alpha.kubernetes.io/migrated-plugins':'acme.com/disk'}}}",
                "{'metadata':{'name':'x','ownerReferences':[{'apiVersion':'acme.com/v1','kind':'AcmeShop','name':'x'}]}}",
                "{'status':{'conditions':[{'type':'acme.com/Ready','status':'True','reason':'AcmeSaysSo','message':'acme'}]}}",
                "{'status':{'allocatable':{'hugepages-acme':'1','attachable-volumes-acme':'1','acme.com/chip':'1'}}}",
                "{'spec':{'priorityClassName':'acme','schedulerName':'acme','storageClassName':'acme','runtimeClassName':'acme'}}",
                "{'spec':{'drivers':[{'name':'csi.acme.com','nodeID':'acme-1','topologyKeys':['acme.com/rack']}]}}",
                "{'spec':{'containers':[{'image':'acme.io/acme@sha256:acme','env':[{'name':'ACME','value':'acme'}]}]}}",
                "{'spec':{'somethingNew':{'acme.com/x':'acme'}}}"
            })
    void whatIsNotKnownIsReplaced(String object) {
        assertThat(anonymised.apply(object.replace('\'', '"'))).doesNotContainIgnoringCase("acme");
    }

    /** Else volumes of the former kinds would not be counted against their drivers' limits any more. */
    @Test
    void whatVolumesAreTranslatedToStays() {
        assertThat(anonymised.apply("{\"spec\":{\"drivers\":[{\"name\":\"ebs.csi.aws.com\",\"nodeID\":\"i-acme\"}]}}"))
                .contains("\"name\":\"ebs.csi.aws.com\"")
                .doesNotContain("acme");
        assertThat(
                        anonymised.apply(
                                "{\"spec\":{\"csi\":{\"driver\":\"ebs.csi.aws.com\"}},\"provisioner\":\"kubernetes.io/aws-ebs\"}"))
                .contains("ebs.csi.aws.com", "kubernetes.io/aws-ebs");
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
}
