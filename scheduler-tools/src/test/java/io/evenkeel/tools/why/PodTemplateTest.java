package io.evenkeel.tools.why;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.whatif.why.Remedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is to be changed of a pod is changed where its owner has it from. */
class PodTemplateTest {
    private static final String LESS = "1 less cpu asked for (4 instead of 5)";

    @Test
    void ofAPodThatNobodyOwnsThereIsNone() {
        assertThat(remedies(pod(Optional.empty()))).contains(LESS);
    }

    @ParameterizedTest
    @CsvSource({
        "StatefulSet, apps/v1,  db,              StatefulSet shop/db",
        "DaemonSet,   apps/v1,  agent,           DaemonSet shop/agent",
        "Job,         batch/v1, nightly,         Job shop/nightly",
        "ReplicaSet,  apps/v1,  web-5d6f75456,   Deployment shop/web",
        "ReplicaSet,  apps/v1,  5d6f75456,       ReplicaSet shop/5d6f75456",
        "ReplicaSet,  apps/v1,  byhand,          ReplicaSet shop/byhand",
        "Rollout,     argo/v1,  web-5d6f75456,   Rollout shop/web-5d6f75456"
    })
    void itIsTheOwners(String kind, String version, String name, String owner) {
        List<String> remedies = remedies(pod(Optional.of(new OwnerReference(version, kind, name, "u"))));

        assertThat(remedies)
                .contains(LESS + ", in the template of " + owner, "1 more cpu on node n1 (5 instead of 4)")
                .contains("toleration of taint dedicated:NoSchedule, in the template of " + owner);
        assertThat(remedies)
                .as("a node is changed where it is")
                .filteredOn(text -> text.contains("without taint"))
                .isNotEmpty()
                .noneMatch(text -> text.contains("template"));
    }

    /** What the ReplicaSet says goes before how its name looks. */
    @Test
    void aReplicaSetThatIsKnownSaysWhose() {
        OwnerReference set = new OwnerReference("apps/v1", "ReplicaSet", "web-5d6f75456", "u");

        assertThat(remedies(pod(Optional.of(set)), replicaSet(Optional.of("shop-front"))))
                .contains(LESS + ", in the template of Deployment shop/shop-front");
        assertThat(remedies(pod(Optional.of(set)), replicaSet(Optional.empty())))
                .contains(LESS + ", in the template of ReplicaSet shop/web-5d6f75456");
    }

    private static WorkloadOwner replicaSet(Optional<String> deployment) {
        PodBuilder named = PodBuilder.pod("shop", "web-5d6f75456");
        deployment.ifPresent(name -> named.controller(new OwnerReference("apps/v1", "Deployment", name, "d")));
        return new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET,
                named.build().meta(),
                LabelSelector.matchingLabels(Map.of("app", "web")),
                1);
    }

    private static Pod pod(Optional<OwnerReference> owner) {
        PodBuilder pod = PodBuilder.pod("shop", "web-1")
                .uid("web-1")
                .label("pod-template-hash", "5d6f75456")
                .container("cpu", "5");
        owner.ifPresent(pod::controller);
        return pod.build();
    }

    private static List<String> remedies(Pod pod, KubernetesObject... others) {
        ClusterQuestions questions = new ClusterQuestions(
                UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});
        List<KubernetesObject> objects = new ArrayList<>(List.of(others));
        objects.add(NodeBuilder.node("n1").allocatable("cpu", "4", "pods", "10").build());
        objects.add(NodeBuilder.node("n2")
                .allocatable("cpu", "8", "pods", "10")
                .taint("dedicated", "", TaintEffect.NO_SCHEDULE)
                .build());
        objects.add(pod);
        questions.tell(objects);
        PodReport report = questions.about(pod.key(), Requester.OPERATOR).orElseThrow();
        return ((PodReport.State.Waits) report.state())
                .answer().remedies().stream().map(Remedy::text).toList();
    }
}
