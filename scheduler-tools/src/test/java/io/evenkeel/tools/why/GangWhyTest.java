package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
import io.evenkeel.model.device.DeviceAllocation;
import io.evenkeel.model.device.ResourceClaim;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of the pods of gangs, and that what is said to help does. */
class GangWhyTest {
    private final WaitingCluster cluster = new WaitingCluster();

    private String why(String pod) throws IOException {
        ClusterQuestions questions = new ClusterQuestions(
                UsualProfiles.OF_PODS_THAT_WAIT, WaitingCluster.PLUGINS, Judgement.GUESSED, (_, _) -> {});
        questions.tell(cluster.all());
        return questions
                .about("default/" + pod, Requester.OPERATOR)
                .orElseThrow()
                .text(Layout.of(200));
    }

    private void group(int needed) {
        cluster.put(
                "PodGroup",
                "train",
                "'apiVersion':'scheduling.k8s.io/v1beta1','spec':{'schedulingPolicy':{'gang':{'minCount':" + needed
                        + "}}}");
    }

    private void gang(int needed, int pods, String cpu) {
        group(needed);
        for (int i = 0; i < pods; i++) {
            WaitingKind.pod(
                    cluster,
                    "w-" + i,
                    "",
                    "'schedulingGroup':{'podGroupName':'train'},",
                    "'resources':{'requests':{'cpu':'" + cpu + "'}},");
        }
    }

    @Test
    void saysWhyTheGangWaitsAndTriesChangesOnAllOfIt() throws IOException {
        WaitingKind.node(cluster, "n0", "");
        WaitingKind.node(cluster, "n1", "");
        gang(4, 4, "3");
        cluster.pass(3);
        Pod member = cluster.pods().getFirst();

        assertThat(why("w-0"))
                .startsWith("default/w-0 waits: "
                        + member.status().scheduled().orElseThrow().message())
                .contains("(pod group default/train needs 4: 4 wait, 0 are in place)")
                .contains("2 more nodes like n0 → goes to ")
                .doesNotContain("one more node like n0 →");

        WaitingKind.node(cluster, "n2", "");
        WaitingKind.node(cluster, "n3", "");
        cluster.pass(30);
        assertThat(cluster.pods()).allMatch(Pod::isPlaced);
    }

    /** A card that is had as a whole or in halves. */
    private void cardOfHalves() {
        WaitingKind.node(cluster, "n0", "");
        cluster.put("DeviceClass", "gpu", "'spec':{}");
        String pool = "'driver':'gpu.example.com','pool':{'name':'n0','generation':1,'resourceSliceCount':2}";
        cluster.put(
                "ResourceSlice",
                "counters",
                "'spec':{" + pool + ",'sharedCounters':[{'name':'card','counters':{'slices':{'value':'2'}}}]}");
        cluster.put(
                "ResourceSlice",
                "devices",
                "'spec':{" + pool + ",'nodeName':'n0','devices':[" + device("whole", "whole", 2) + ','
                        + device("half-1", "half", 1) + ',' + device("half-2", "half", 1) + "]}");
    }

    /** Each pod has a claim of one template. */
    private void gangWithClaims(int pods, String request) {
        group(pods);
        for (int i = 0; i < pods; i++) {
            cluster.put(
                    "Pod",
                    "w-" + i,
                    "'metadata':{'labels':{'fate':'written'}},'spec':{'schedulerName':'evenkeel','schedulingGroup':{"
                            + "'podGroupName':'train'},'containers':[{'name':'c'}],'resourceClaims':[{'name':'gpu',"
                            + "'resourceClaimTemplateName':'cards'}]},'status':{'phase':'Pending',"
                            + "'resourceClaimStatuses':[{'name':'gpu','resourceClaimName':'gpu-" + i + "'}]}");
            cluster.put(
                    "ResourceClaim",
                    "gpu-" + i,
                    "'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'w-" + i + "','uid':'"
                            + cluster.uidOf("Pod", "w-" + i) + "','controller':true}]},'spec':{'devices':{'requests':["
                            + "{'name':'card'," + request + "}]}}");
        }
    }

    /** The whole rather than a half. */
    private static String either() {
        return "'firstAvailable':[" + alternative("whole") + ',' + alternative("half") + ']';
    }

    private static String device(String name, String profile, int slices) {
        return "{'name':'" + name + "','attributes':{'profile':{'string':'" + profile + "'}},'consumesCounters':[{"
                + "'counterSet':'card','counters':{'slices':{'value':'" + slices + "'}}}]}";
    }

    private static String alternative(String profile) {
        return "{'name':'" + profile + "','deviceClassName':'gpu','selectors':[{'cel':{'expression':'"
                + "device.attributes['gpu.example.com'].profile == 'P'"
                        .replace("'", "\\u0027")
                        .replace("P", profile)
                + "'}}]}";
    }

    private List<String> devicesInUse() {
        return cluster.all().stream()
                .filter(ResourceClaim.class::isInstance)
                .flatMap(claim -> ((ResourceClaim) claim).allocation().stream())
                .flatMap(allocation -> allocation.results().stream())
                .map(DeviceAllocation.Result::device)
                .toList();
    }

    @Test
    void devicesAreChosenSoThatTheWholeGangHasSome() throws IOException {
        cardOfHalves();
        gangWithClaims(2, either());
        assertThat(why("w-0")).contains("default/w-0 waits for its turn; now it would go to n0");
        assertThat(why("w-1")).contains("default/w-1 waits for its turn; now it would go to n0");

        cluster.pass(3);
        assertThat(cluster.pods()).allMatch(Pod::isPlaced);
        assertThat(devicesInUse()).containsExactlyInAnyOrder("half-1", "half-2");
    }

    @Test
    void saysOfAGangShortOfDevicesForHowManyThereAreSome() throws IOException {
        cardOfHalves();
        gangWithClaims(3, either());
        cluster.pass(3);

        assertThat(why("w-0"))
                .contains("; 2 would do\n", "(what follows is of default/w-2)")
                .contains(
                        "(request card/whole of claim gpu wants 1 device of class gpu; the only node with any, n0, has"
                                + " none free of 3")
                .contains("Would help default/w-2: one more node like n0");
    }

    @Test
    void triesOnAllOfAGangWhatItsClaimsMightAskForInstead() throws IOException {
        cardOfHalves();
        gangWithClaims(2, "'exactly':{'deviceClassName':'gpu','count':2}");
        cluster.pass(3);

        String answer = why("w-0");
        assertThat(answer)
                .contains("Would help default/w-1: 1 device instead of 2 for request card in ResourceClaimTemplate"
                        + " default/cards → goes to n0")
                .contains("kubectl get pod w-0 w-1 -n default -o json | kubectl patch --local");
    }

    @Test
    void saysOfOneShortOfMembersHowManyThereAre() throws IOException {
        WaitingKind.node(cluster, "n0", "");
        gang(4, 3, "1");
        cluster.pass(3);

        assertThat(why("w-1"))
                .startsWith("default/w-1 waits, held by GangScheduling: waiting for minCount pods from a gang")
                .contains("(3 of the 4 pods that pod group default/train needs are there: w-0, w-1, w-2)");
    }

    @Test
    void namesTheMemberThatTheConditionNamesWhoeverCameFirst() throws IOException {
        WaitingKind.node(cluster, "n0", "");
        gang(2, 0, "");
        for (String name : List.of("w-10", "w-2")) {
            WaitingKind.pod(
                    cluster,
                    name,
                    "",
                    "'schedulingGroup':{'podGroupName':'train'},'nodeSelector':{'disk':'of-" + name + "'},",
                    "");
        }
        cluster.pass(3);

        for (Pod member : cluster.pods()) {
            String said = member.status().scheduled().orElseThrow().message();
            assertThat(said).contains("default/w-2").doesNotContain("w-10");
            assertThat(why(member.name())).contains(said);
        }
    }
}
