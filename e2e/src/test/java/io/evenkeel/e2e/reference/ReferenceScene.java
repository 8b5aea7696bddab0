package io.evenkeel.e2e.reference;

import static io.evenkeel.e2e.scene.Eventually.eventually;

import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.e2e.cluster.Cluster;
import io.evenkeel.e2e.cluster.ClusterKind;
import io.evenkeel.e2e.scene.KubeApi;
import io.evenkeel.e2e.scene.PodView;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.json.Trees;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The cluster and the configuration that kube-scheduler's traces come from, to the names. */
final class ReferenceScene implements AutoCloseable {
    private static final String CONFIGURATION = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        leaderElection: {leaderElect: true, resourceName: evenkeel-ref, resourceNamespace: default}
        profiles: [{schedulerName: evenkeel}]
        """;
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/default/events";
    private static final String LEASE = "/apis/coordination.k8s.io/v1/namespaces/default/leases/evenkeel-ref";

    private final Cluster cluster = ClusterKind.HOLLOW.open(CompatibilityLevel.FIRST);
    private final HttpTransport transport =
            HttpTransport.open(ConnectionOptions.of(Optional.of(cluster.kubeconfig())), "e2e", ApiObserver.NONE);
    private final KubeApi api = new KubeApi(transport);
    private final SchedulerUnderTest scheduler = SchedulerUnderTest.start(
            cluster, new ConfigurationReader().read("reference", CONFIGURATION), LiveOptions.usual("vm"));

    void awaitLeader() {
        scheduler.awaitSynced();
        eventually("it leads").until(() -> scheduler.live().isLeading());
    }

    void node(String name, String cpu, String labels) {
        api.create("""
            {apiVersion: v1, kind: Node, metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s, %3$s}},
             status: {allocatable: {cpu: %2$s, memory: 8Gi, pods: 110}, capacity: {cpu: %2$s, memory: 8Gi, pods: 110}}}
            """.formatted(name, cpu, labels));
        eventually("the node is known").until(() -> scheduler.knowsNode(name));
    }

    void priorityClass(String name, int value) {
        api.create("""
            {apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: %s}, value: %d}
            """.formatted(name, value));
    }

    void pod(String name, String cpu, String spec) {
        api.create("""
            {apiVersion: v1, kind: Pod, metadata: {name: %1$s, namespace: default, labels: {app: %1$s}},
             spec: {schedulerName: evenkeel, %3$s
              containers: [{name: main, image: 'registry.k8s.io/pause:3.10', resources: {requests: {cpu: %2$s}}}]}}
            """.formatted(name, cpu, spec));
    }

    void awaitNode(String pod, String node) {
        eventually(pod + " is bound").until(() -> view(pod).node().equals(Optional.of(node)));
    }

    void awaitEvent(String pod, String reason) {
        eventually("there is an event that says " + reason)
                .until(() -> api.list(EVENTS).stream()
                        .anyMatch(
                                event -> Trees.text(event, "regarding", "name").equals(pod)
                                        && Trees.text(event, "reason").equals(reason)));
    }

    private PodView view(String pod) {
        return new PodView(api.get(PODS + "/" + pod), "");
    }

    Traces traces() {
        return new Traces(
                api.list(PODS).stream().map(ReferenceScene::trace).toList(),
                api.list(EVENTS).stream().collect(Collectors.toSet()),
                api.get(LEASE));
    }

    /** A pod, in the form in which the traces were taken. */
    private static JsonObject trace(JsonObject pod) {
        JsonObject trace = new JsonObject();
        trace.addProperty("name", Trees.text(pod, "metadata", "name"));
        Stream.of("generation", "deletionTimestamp")
                .forEach(field ->
                        trace.add(field, Trees.at(pod, "metadata", field).orElse(JsonNull.INSTANCE)));
        trace.add("nodeName", Trees.at(pod, "spec", "nodeName").orElse(JsonNull.INSTANCE));
        trace.add("status", Trees.object(pod, "status").orElseThrow());
        return trace;
    }

    @Override
    public void close() {
        scheduler.close();
        transport.close();
        cluster.close();
    }
}
