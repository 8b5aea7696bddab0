package io.evenkeel.policies.scaledown;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.cluster.ClusterAudit;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.PatchSink.PatchObserver.End;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicySpec.PodDeletionCost;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A server with pods of a ReplicaSet, whose costs a {@link ScaleDown} keeps, at a time that passes as the test says. */
final class ManagedCluster {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final ObjectMapper JSON = new ObjectMapper();

    private End answer = End.WRITTEN;
    private long version = 1;
    private final Map<String, Pod> pods = new TreeMap<>();
    private final List<String> writes = new ArrayList<>();
    /** By kind and key. */
    private final Map<String, KubernetesObject> others = new TreeMap<>();

    private final WatchedScheduler watched = new WatchedScheduler(WatchedScheduler.WITH_POLICIES);

    ManagedCluster() {
        handOver();
        watched.relist(List.of());
        for (String zone : List.of("a", "b", "c")) {
            put(NodeBuilder.node("node-" + zone).zone(zone).build());
        }
    }

    /** Puts what is no pod. */
    ManagedCluster put(KubernetesObject object) {
        others.put(object.kindName() + " " + object.meta().key(), object);
        watched.put(object);
        return this;
    }

    ManagedCluster remove(KubernetesObject object) {
        if (others.remove(object.kindName() + " " + object.meta().key()) != null) {
            watched.remove(object);
        }
        return this;
    }

    /** The pods that another process would write, by all that the server has. */
    List<String> writesOfAnotherProcess() {
        ManagedCluster another = new ManagedCluster();
        List.copyOf(another.others.values()).forEach(another::remove);
        others.values().forEach(another::put);
        pods.values().forEach(another::put);
        return another.pass(3).writes();
    }

    List<String> differences() {
        return ClusterAudit.differences(watched.scheduler().cluster());
    }

    Optional<Pod> find(String name) {
        return Optional.ofNullable(pods.get(name));
    }

    ManagedCluster put(Pod pod) {
        Pod next = PodBuilder.from(pod).version(Long.toString(++version), 1).build();
        pods.put(next.name(), next);
        watched.put(next);
        return this;
    }

    /** A ready pod of the ReplicaSet. */
    ManagedCluster pod(String name, String zone) {
        return put(PodBuilder.pod("shop", name)
                .uid("uid of " + name)
                .label("app", "web")
                .controller(new OwnerReference("apps/v1", "ReplicaSet", "web-1", "uid of web-1"))
                .nodeName("node-" + zone)
                .status(PodStatusBuilder.running().ready(true).build())
                .build());
    }

    ManagedCluster annotated(String name, String key, String value) {
        return put(PodBuilder.from(pods.get(name)).annotation(key, value).build());
    }

    ManagedCluster gone(String name) {
        watched.remove(pods.remove(name));
        return this;
    }

    ManagedCluster policy(PodDeletionCost cost) {
        PolicySpec spec = PolicySpec.of(
                LabelSelector.matchingLabels(Labels.of("app", "web")),
                List.of(PolicyRule.over(ZONE).withMaxSkew(1)));
        return put(new PlacementPolicy(ObjectMeta.named("shop", "spread"), spec.with(cost)));
    }

    /** What becomes of patches from now on. */
    ManagedCluster answering(End end) {
        answer = end;
        return this;
    }

    ManagedCluster leading(boolean leads) {
        watched.leading(leads);
        return this;
    }

    /** Another replica takes over, and knows what the server has. */
    ManagedCluster handOver() {
        watched.begin(new ScaleDown("evenkeel", watched::nanos));
        return this;
    }

    /** So many seconds, in each of which what was written in the one before is answered. */
    ManagedCluster pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            watched.turn(Duration.ofSeconds(1));
            List<MergePatch> sent = List.copyOf(watched.patches());
            watched.patches().clear();
            sent.forEach(this::answer);
        }
        return this;
    }

    private void answer(MergePatch patch) {
        if (answer == End.WRITTEN) {
            Pod pod = pods.get(patch.object().name());
            Map<String, String> annotations =
                    new TreeMap<>(pod.meta().annotations().asMap());
            annotationsIn(patch).properties().forEach(each -> {
                if (each.getValue().isNull()) {
                    annotations.remove(each.getKey());
                } else {
                    annotations.put(each.getKey(), each.getValue().textValue());
                }
            });
            put(withAnnotations(pod, annotations));
        }
        writes.add(patch.object().name());
        watched.writer().ended(patch, answer, answer == End.WRITTEN ? "" : "pods \"…\" is forbidden");
    }

    private static JsonNode annotationsIn(MergePatch patch) {
        try {
            return JSON.readTree(patch.body()).at("/metadata/annotations");
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Pod withAnnotations(Pod pod, Map<String, String> annotations) {
        ObjectMeta meta = pod.meta();
        return PodBuilder.from(pod)
                .meta(new ObjectMeta(
                        meta.namespace(),
                        meta.name(),
                        meta.uid(),
                        meta.labels(),
                        Labels.of(annotations),
                        meta.controller(),
                        meta.terminating(),
                        meta.resourceVersion(),
                        meta.generation()))
                .build();
    }

    /** The pods with their costs, as the server has them. */
    Map<String, String> costs() {
        Map<String, String> costs = new TreeMap<>();
        pods.forEach((name, pod) ->
                costs.put(name, pod.meta().annotations().getOrDefault(Annotations.DELETION_COST, "none")));
        return costs;
    }

    boolean hasMarksOfOurs() {
        return pods.values().stream().anyMatch(pod -> pod.meta().annotations().has(Annotations.OWN_DELETION_COST));
    }

    /** The pods that were written, in that order, since this was asked last. */
    List<String> writes() {
        List<String> since = List.copyOf(writes);
        writes.clear();
        return since;
    }

    List<String> events() {
        return watched.events().stream()
                .map(said -> said.event().reason() + " of " + said.about().name() + ": "
                        + said.event().note())
                .toList();
    }

    /** How many writes ended so. */
    int counted(String result) {
        return watched.series("evenkeel_pod_deletion_cost_writes").getOrDefault(List.of(result), 0);
    }

    int clashes() {
        return watched.series("evenkeel_pod_deletion_cost_clashes").getOrDefault(List.of(), 0);
    }
}
