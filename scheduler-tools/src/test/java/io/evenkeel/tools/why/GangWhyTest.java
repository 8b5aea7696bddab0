package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Pod;
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

    private void gang(int needed, int pods, String cpu) {
        cluster.put(
                "PodGroup",
                "train",
                "'apiVersion':'scheduling.k8s.io/v1beta1','spec':{'schedulingPolicy':{'gang':{'minCount':" + needed
                        + "}}}");
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
