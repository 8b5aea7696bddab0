package com.example;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.model.Pod;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.clientjava.InformerFeed;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.ApiClient;
import io.kubernetes.client.openapi.ApiException;
import io.kubernetes.client.openapi.apis.AppsV1Api;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1Node;
import io.kubernetes.client.openapi.models.V1NodeList;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import io.kubernetes.client.util.Config;
import java.io.IOException;
import java.util.List;

/** Says how many more pods of a Deployment the scheduler would place now, and why not more: {@code headroom NAMESPACE NAME}. */
public final class Headroom {
    private static final int MOST = 1_000;

    private final InformerFeed feed = new InformerFeed(SchedulerConfiguration.defaults());

    public static void main(String... args) throws IOException, ApiException, InterruptedException {
        ApiClient client = Config.defaultClient().setReadTimeout(0);
        SharedInformerFactory informers = new SharedInformerFactory(client);
        Headroom headroom = new Headroom();
        headroom.follow(informers, new CoreV1Api(client));
        V1Deployment deployment =
                new AppsV1Api(client).readNamespacedDeployment(args[1], args[0]).execute();
        System.out.println(headroom.of(deployment));
        informers.stopAllRegisteredInformers();
        client.getHttpClient().dispatcher().executorService().shutdown();
    }

    /** Keeps level with the cluster from now on; an operator does this once. */
    private void follow(SharedInformerFactory informers, CoreV1Api core) throws InterruptedException {
        SharedIndexInformer<V1Node> nodes = informers.sharedIndexInformerFor(
                call -> core.listNode()
                        .watch(call.watch)
                        .resourceVersion(call.resourceVersion)
                        .timeoutSeconds(call.timeoutSeconds)
                        .buildCall(null),
                V1Node.class,
                V1NodeList.class);
        SharedIndexInformer<V1Pod> pods = informers.sharedIndexInformerFor(
                call -> core.listPodForAllNamespaces()
                        .watch(call.watch)
                        .resourceVersion(call.resourceVersion)
                        .timeoutSeconds(call.timeoutSeconds)
                        .buildCall(null),
                V1Pod.class,
                V1PodList.class);
        feed.follow(nodes).follow(pods);
        informers.startAllRegisteredInformers();
        while (!nodes.hasSynced() || !pods.hasSynced()) {
            Thread.sleep(50);
        }
    }

    /** The question, which any thread may ask that asks alone. */
    String of(V1Deployment deployment) {
        Pod pod = feed.pod(
                deployment.getMetadata().getNamespace(),
                deployment.getMetadata().getName(),
                deployment.getSpec().getTemplate());
        ClusterSnapshot cluster = feed.snapshot();
        List<Verdict> verdicts = cluster.schedulePodsByTemplate(pod, MOST, SchedulingOptions.USUAL.asDryRun());
        return verdicts.getLast() instanceof Verdict.Refused(Pod _, String why)
                ? (verdicts.size() - 1) + " more fit, then: " + why
                : verdicts.size() + " more fit at least";
    }

    InformerFeed feed() {
        return feed;
    }
}
