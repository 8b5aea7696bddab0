package io.evenkeel.e2e.foreign;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.model.json.Trees;
import io.kubernetes.client.informer.ResourceEventHandler;
import io.kubernetes.client.informer.SharedIndexInformer;
import io.kubernetes.client.informer.SharedInformerFactory;
import io.kubernetes.client.openapi.apis.CoreV1Api;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodList;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** A foreign client's view of a scene's pods, kept by its informer: what its cache holds, and what its handler was told. */
final class PodInformer implements AutoCloseable {
    private final Scene scene;
    private final ForeignClient client;
    private final SharedInformerFactory factory;
    private final SharedIndexInformer<V1Pod> informer;
    private final Map<String, String> told = new ConcurrentHashMap<>();

    private PodInformer(Scene scene) {
        this.scene = scene;
        client = ForeignClient.of(scene);
        factory = new SharedInformerFactory(client.api());
        CoreV1Api core = new CoreV1Api(client.api());
        informer = factory.sharedIndexInformerFor(
                call -> core.listNamespacedPod(scene.namespace())
                        .watch(call.watch)
                        .allowWatchBookmarks(call.watch)
                        .resourceVersion(call.resourceVersion)
                        .timeoutSeconds(call.timeoutSeconds)
                        .buildCall(null),
                V1Pod.class,
                V1PodList.class);
        informer.addEventHandler(new Handler());
        factory.startAllRegisteredInformers();
    }

    static PodInformer start(Scene scene) {
        PodInformer started = new PodInformer(scene);
        eventually("the informer has synced").until(started.informer::hasSynced);
        return started;
    }

    /** Waits until the cache and the handler know each pod in the version that the server has. */
    void awaitLevel() {
        eventually("the informer is level with the server").untilAsserted(() -> {
            Map<String, String> server = scene.api().list(scene.podsPath()).stream()
                    .collect(Collectors.toMap(
                            pod -> Trees.text(pod, "metadata", "name"),
                            pod -> Trees.text(pod, "metadata", "resourceVersion")));
            assertThat(cached()).isEqualTo(server);
            assertThat(told).isEqualTo(server);
        });
    }

    private Map<String, String> cached() {
        Map<String, String> versions = new TreeMap<>();
        informer.getIndexer()
                .list()
                .forEach(pod -> versions.put(
                        pod.getMetadata().getName(), pod.getMetadata().getResourceVersion()));
        return versions;
    }

    @Override
    public void close() {
        factory.stopAllRegisteredInformers();
        client.close();
    }

    private final class Handler implements ResourceEventHandler<V1Pod> {
        @Override
        public void onAdd(V1Pod pod) {
            told.put(pod.getMetadata().getName(), pod.getMetadata().getResourceVersion());
        }

        @Override
        public void onUpdate(V1Pod before, V1Pod pod) {
            onAdd(pod);
        }

        @Override
        public void onDelete(V1Pod pod, boolean unseen) {
            told.remove(pod.getMetadata().getName());
        }
    }
}
