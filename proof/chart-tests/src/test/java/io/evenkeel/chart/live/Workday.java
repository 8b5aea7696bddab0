package io.evenkeel.chart.live;

import static io.evenkeel.chart.live.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.chart.helm.Manifests;
import io.evenkeel.chart.helm.Yaml;
import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.hollow.Authorizer;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.hollow.HollowCluster;
import io.evenkeel.hollow.HollowOptions;
import io.evenkeel.hollow.RequestLog.LoggedRequest;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

/**
 * Everything that a scheduler has to do with the API server, once: a binding whose request is lost and looked up, one that
 * arrives, a rejection, the same rejection again, pods that are given their volumes or devices, a pod that goes for a more
 * important one, policies if a profile enables their plugin, somebody who wants to see the metrics, and the end of its lease.
 */
final class Workday {
    /** With which the chart is to be rendered: who fits nowhere is soon tried again. */
    static final String VALUES = "extraArgs: [--pod-max-in-unschedulable-pods-duration=1s]";

    private static final String SCHEDULER = "scheduler-token";
    private static final String PROMETHEUS = "prometheus-token";
    private static final String ONE_NODE = "0/1 nodes are available: 1 Insufficient cpu. %s"
            + "preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.";

    /** What the server was asked for by the scheduler, and what Prometheus saw. */
    record Seen(List<LoggedRequest> calls, String metrics) {}

    private final HollowCluster cluster;
    private final SchedulerProcess scheduler;
    private final String user;
    private final boolean keepsPolicies;
    private final String rejection;

    private Workday(
            HollowCluster cluster, SchedulerProcess scheduler, String user, boolean keepsPolicies, String rejection) {
        this.cluster = cluster;
        this.scheduler = scheduler;
        this.user = user;
        this.keepsPolicies = keepsPolicies;
        this.rejection = rejection;
    }

    /** Lets the chart's scheduler work as this user under these rules. */
    static Seen of(Path folder, Manifests rendered, String user, Authorizer rules, HollowOptions options)
            throws IOException, InterruptedException {
        boolean isOfFirst = options.release().equals(CompatibilityLevel.FIRST.toString());
        try (HollowCluster cluster = HollowCluster.start(options)) {
            cluster.tokens().add(SCHEDULER, User.named(user, "system:serviceaccounts"));
            cluster.tokens().add(PROMETHEUS, User.named("prometheus"));
            cluster.authorize(rules);
            try (SchedulerProcess scheduler =
                    SchedulerProcess.start(folder, rendered, cluster, "scheduler", SCHEDULER)) {
                return new Workday(
                                cluster,
                                scheduler,
                                user,
                                rendered.configuration().contains("PlacementPolicy"),
                                ONE_NODE.formatted(isOfFirst ? "no new claims to deallocate, " : ""))
                        .work();
            }
        }
    }

    private Seen work() throws IOException, InterruptedException {
        create("""
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {kubernetes.io/hostname: n1}}
            status: {allocatable: {cpu: 1, memory: 1Gi, pods: 10}, capacity: {cpu: 1, memory: 1Gi, pods: 10}}
            """);
        scheduler.awaitReady();
        cluster.faults().dropNextRequests(1, new RequestMatch("create", "pods/binding"));
        pod("fits", "500m");
        eventually("fits has a node")
                .until(() -> !text("fits", "spec", "nodeName").isEmpty());
        LateVolumes volumes = new LateVolumes(cluster.objects());
        volumes.create();
        podWithVolumes("stores", "found", "made");
        volumes.bind();
        eventually("stores has a node")
                .until(() -> !text("stores", "spec", "nodeName").isEmpty());
        devices();
        pod("big", "2");
        eventually("big is rejected").until(() -> said("big").equals(rejection));
        eventually("big is rejected again, and the event counts it").until(() -> repetitions() > 1);
        urgentPod("900m");
        eventually("fits goes")
                .until(() -> !text("fits", "metadata", "deletionTimestamp").isEmpty());
        if (keepsPolicies) {
            policies();
        }
        HttpResponse<String> metrics = scheduler.get("/metrics", PROMETHEUS);
        assertThat(metrics.statusCode()).as(metrics.body()).isEqualTo(200);
        assertThat(scheduler.stop()).as(scheduler.log()).isZero();
        return new Seen(
                cluster.requestLog().requests().stream()
                        .filter(request -> request.user().equals(user))
                        .toList(),
                metrics.body());
    }

    /** A pod asks for a device by an extended resource; a claim is left of an attempt that somebody has made before. */
    private void devices() {
        create("""
            apiVersion: resource.k8s.io/v1
            kind: DeviceClass
            metadata: {name: gpu}
            spec: {extendedResourceName: example.com/gpu}
            """);
        create("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: n1}
            spec:
              driver: gpu.example.com
              nodeName: n1
              pool: {name: n1, generation: 1, resourceSliceCount: 2}
              devices: [{name: gpu-0, consumesCounters: [{counterSet: card, counters: {memory: {value: 80Gi}}}]}]
            """);
        create("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceSlice
            metadata: {name: n1-counters}
            spec:
              driver: gpu.example.com
              nodeName: n1
              pool: {name: n1, generation: 1, resourceSliceCount: 2}
              sharedCounters: [{name: card, counters: {memory: {value: 80Gi}}}]
            """);
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: trains}
            spec:
              schedulerName: evenkeel
              schedulingGates: [{name: example.com/wait}]
              containers:
              - {name: c, image: i, resources: {requests: {example.com/gpu: 1}, limits: {example.com/gpu: 1}}}
            """);
        create("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata:
              name: trains-left
              finalizers: [resource.kubernetes.io/delete-protection]
              annotations: {resource.kubernetes.io/extended-resource-claim: "true"}
              ownerReferences: [{apiVersion: v1, kind: Pod, name: trains, uid: %s, controller: true}]
            spec: {devices: {requests: [{name: container-0-request-0, exactly: {deviceClassName: gpu, count: 1}}]}}
            """.formatted(text("trains", "metadata", "uid")));
        awaitClaims();
        cluster.objects().patch(ResourceTable.PODS, "default", "trains", "{\"spec\":{\"schedulingGates\":null}}");
        eventually("trains has a node")
                .until(() -> !text("trains", "spec", "nodeName").isEmpty());
        assertThat(text("trains", "status", "extendedResourceClaimStatus", "resourceClaimName"))
                .startsWith("trains-extended-resources-");
    }

    /** Claims come by another watch than pods: once a pod has its own, which is the last, all before it are known. */
    private void awaitClaims() {
        create("""
            apiVersion: resource.k8s.io/v1
            kind: ResourceClaim
            metadata: {name: last}
            spec: {devices: {requests: [{name: none, exactly: {deviceClassName: gpu, allocationMode: All, selectors: [{cel: {expression: "false"}}]}}]}}
            """);
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: waits}
            spec:
              schedulerName: evenkeel
              resourceClaims: [{name: last, resourceClaimName: last}]
              containers: [{name: c, image: i}]
            """);
        eventually("the scheduler knows the last claim")
                .until(() -> said("waits").contains("cannot allocate"));
        cluster.objects().deleteNow(ResourceTable.PODS, "default", "waits");
        cluster.objects().deleteNow(ResourceTable.RESOURCE_CLAIMS, "default", "last");
    }

    /** One of each kind that is not kept and cannot be: of the domains that it wants, one is not there and the other taken. */
    private void policies() {
        for (ResourceType type : List.of(ResourceTable.PLACEMENT_POLICIES, ResourceTable.CLUSTER_PLACEMENT_POLICIES)) {
            create("""
                apiVersion: evenkeel.io/v1alpha1
                kind: %s
                metadata: {name: all}
                spec:
                  selector: {}
                  namespaceSelector: {}
                  rules: [{topologyKey: kubernetes.io/hostname, maxDomains: 1, mustUse: [gone]}]
                """.formatted(type.kind()));
            eventually("the policy says how it is kept")
                    .until(() -> Trees.objects(
                                            Trees.parse(cluster.objects()
                                                    .get(type, type.namespaced() ? "default" : "", "all")
                                                    .orElseThrow()),
                                            "status",
                                            "conditions")
                                    .size()
                            == 4);
        }
    }

    private void urgentPod(String cpu) {
        create("""
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: urgent}
            value: 1000
            """);
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: urgent}
            spec:
              schedulerName: evenkeel
              priorityClassName: urgent
              containers: [{name: c, image: i, resources: {requests: {cpu: %s}}}]
            """.formatted(cpu));
    }

    private void podWithVolumes(String name, String claim, String other) {
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s}
            spec:
              schedulerName: evenkeel
              containers: [{name: c, image: i}]
              volumes:
              - {name: one, persistentVolumeClaim: {claimName: %s}}
              - {name: other, persistentVolumeClaim: {claimName: %s}}
            """.formatted(name, claim, other));
    }

    private void pod(String name, String cpu) {
        create("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, labels: {app: web}}
            spec:
              schedulerName: evenkeel
              containers: [{name: c, image: i, resources: {requests: {cpu: %s}}}]
              topologySpreadConstraints:
              - maxSkew: 1
                topologyKey: kubernetes.io/hostname
                whenUnsatisfiable: DoNotSchedule
                labelSelector: {matchLabels: {app: web}}
            """.formatted(name, cpu));
    }

    private void create(String yaml) {
        cluster.objects().create(Yaml.document(yaml).toString());
    }

    private String text(String pod, String... path) {
        return Trees.text(
                Trees.parse(cluster.objects()
                        .get(ResourceTable.PODS, "default", pod)
                        .orElseThrow()),
                path);
    }

    /** What the pod's condition says. */
    private String said(String pod) {
        return Trees.objects(
                        Trees.parse(cluster.objects()
                                .get(ResourceTable.PODS, "default", pod)
                                .orElseThrow()),
                        "status",
                        "conditions")
                .stream()
                .filter(condition -> Trees.text(condition, "type").equals("PodScheduled"))
                .map(condition -> Trees.text(condition, "message"))
                .findFirst()
                .orElse("");
    }

    /** How often its owner was told so. */
    private long repetitions() {
        return cluster.objects().list(ResourceTable.NEW_EVENTS, "default").stream()
                .map(Trees::parse)
                .filter(event -> Trees.text(event, "regarding", "name").equals("big"))
                .mapToLong(event -> Trees.number(event, "series", "count").orElse(1L))
                .sum();
    }
}
