package io.evenkeel.whatif.clientjava;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict.Placed;
import io.kubernetes.client.custom.Quantity;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Container;
import io.kubernetes.client.openapi.models.V1Namespace;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import io.kubernetes.client.openapi.models.V1NodeStatus;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import io.kubernetes.client.openapi.models.V1ResourceRequirements;
import io.kubernetes.client.openapi.models.V1Toleration;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.io.StringReader;
import java.util.Map;
import org.junit.jupiter.api.Test;

class InformerFeedTest {
    private final InformerFeed feed = new InformerFeed(SchedulerConfiguration.defaults());

    private static V1Node node(String name, String cpu) {
        Map<String, Quantity> offered = Map.of("cpu", Quantity.fromString(cpu), "pods", Quantity.fromString("110"));
        return new V1Node()
                .metadata(new V1ObjectMeta().name(name))
                .status(new V1NodeStatus().allocatable(offered).capacity(offered));
    }

    private static V1PodSpec spec(String cpu) {
        return new V1PodSpec()
                // a node that was just created has the taint that it is not ready
                .addTolerationsItem(new V1Toleration().operator("Exists"))
                .addContainersItem(new V1Container()
                        .name("c")
                        .image("registry.example/c")
                        .resources(new V1ResourceRequirements().putRequestsItem("cpu", Quantity.fromString(cpu))));
    }

    private static V1Pod pod(String name, String cpu) {
        return new V1Pod()
                .metadata(new V1ObjectMeta().namespace("shop").name(name))
                .spec(spec(cpu));
    }

    private String nodeFor(V1Pod pod) {
        return feed.snapshot().schedulePod(feed.pod(pod), SchedulingOptions.USUAL) instanceof Placed placed
                ? placed.node()
                : "";
    }

    /** Client and informers as somebody's operator has them. */
    @Test
    void theSnapshotIsLevelWithInformers() throws IOException, ApiException {
        try (HollowCluster server = HollowCluster.start()) {
            ApiClient client = Config.fromConfig(new StringReader(server.kubeconfig()));
            client.setReadTimeout(0);
            CoreV1Api core = new CoreV1Api(client);
            core.createNode(node("n1", "1")).execute();
            SharedInformerFactory informers = new SharedInformerFactory(client);
            feed.follow(informers.sharedIndexInformerFor(
                    call -> core.listNode()
                            .watch(call.watch)
                            .resourceVersion(call.resourceVersion)
                            .timeoutSeconds(call.timeoutSeconds)
                            .buildCall(null),
                    V1Node.class,
                    V1NodeList.class));
            feed.follow(informers.sharedIndexInformerFor(
                    call -> core.listPodForAllNamespaces()
                            .watch(call.watch)
                            .resourceVersion(call.resourceVersion)
                            .timeoutSeconds(call.timeoutSeconds)
                            .buildCall(null),
                    V1Pod.class,
                    V1PodList.class));
            informers.startAllRegisteredInformers();

            await().untilAsserted(() -> assertThat(nodeFor(pod("asked", "1"))).isEqualTo("n1"));
            V1Pod taken = pod("taken", "500m");
            taken.getSpec().setNodeName("n1");
            core.createNamespace(new V1Namespace().metadata(new V1ObjectMeta().name("shop")))
                    .execute();
            core.createNamespacedPod("shop", taken).execute();
            await().untilAsserted(() -> assertThat(nodeFor(pod("asked", "1"))).isEmpty());
            core.deleteNamespacedPod("taken", "shop").gracePeriodSeconds(0).execute();
            await().untilAsserted(() -> assertThat(nodeFor(pod("asked", "1"))).isEqualTo("n1"));
            core.deleteNode("n1").execute();
            await().untilAsserted(() -> assertThat(nodeFor(pod("asked", "1"))).isEmpty());

            informers.stopAllRegisteredInformers();
        }
    }

    @Test
    void aTemplateIsAskedAbout() {
        feed.put(node("n1", "3"));
        V1PodTemplateSpec template = new V1PodTemplateSpec()
                .metadata(new V1ObjectMeta().labels(Map.of("app", "web")))
                .spec(spec("1"));
        Pod asked = feed.pod("shop", "web", template);

        ClusterSnapshot cluster = feed.snapshot();

        assertThat(asked.labels().asMap()).containsEntry("app", "web");
        assertThat(cluster.schedulePodsByTemplate(asked, 10, SchedulingOptions.USUAL))
                .filteredOn(Placed.class::isInstance)
                .hasSize(3);
    }

    @Test
    void whatWasTriedIsForgottenWhenTheSnapshotIsAskedForAgain() {
        feed.put(node("n1", "1"));
        feed.snapshot().schedulePod(feed.pod(pod("one", "1")), SchedulingOptions.USUAL);

        assertThat(nodeFor(pod("two", "1"))).isEqualTo("n1");
    }

    @Test
    void anObjectThatCannotBeReadIsSaidAndCountsAsGone() {
        feed.put(node("n1", "1"));
        V1Pod taken = pod("taken", "1");
        taken.getSpec().setNodeName("n1");
        feed.put(taken);
        assertThat(nodeFor(pod("one", "1"))).isEmpty();
        V1Pod strange = pod("taken", "1");
        strange.getSpec().nodeName("n1").getTolerations().getFirst().setOperator("Sometimes");

        feed.put(strange);

        assertThat(feed.unreadable()).containsOnlyKeys("Pod shop/taken");
        assertThat(nodeFor(pod("one", "1"))).isEqualTo("n1");
        feed.put(taken);
        assertThat(feed.unreadable()).isEmpty();
    }
}
