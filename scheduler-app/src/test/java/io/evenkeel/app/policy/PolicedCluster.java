package io.evenkeel.app.policy;

import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.app.companion.Times;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.read.ConfigurationReader;
import io.evenkeel.engine.ClusterEvent;
import io.evenkeel.engine.ObjectEvent;
import io.evenkeel.engine.Relist;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.FirstByName;
import io.evenkeel.kube.event.EventSink;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.kube.patch.Pace;
import io.evenkeel.kube.patch.PatchObserver;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyCondition;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A cluster that the test makes up, with an observer of its policies, at a time that passes as the test says. */
final class PolicedCluster {
    static final String ZONE = "topology.kubernetes.io/zone";
    static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            {"apiVersion":"kubescheduler.config.k8s.io/v1","kind":"KubeSchedulerConfiguration",
             "profiles":[{"plugins":{"multiPoint":{"enabled":[{"name":"PlacementPolicy"}]}}}]}""");
    private static final Instant START = Instant.parse("2026-11-24T10:00:00Z");

    private long nanos;
    private boolean leading = true;
    private boolean accepts = true;
    private final List<MergePatch> patches = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private final ObjectReader reader = new ObjectReader();
    private final Scheduler scheduler = new Scheduler(
            CONFIGURATION,
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulerSettings.of(0),
            _ -> {},
            SchedulerObserver.NONE,
            () -> nanos);
    private PolicyObserver observer = observer();
    private PlacementPolicy policy = new PlacementPolicy(ObjectMeta.named("shop", "web"), PolicySpec.NONE);

    PolicedCluster() {
        scheduler.watchedKinds().forEach(kind -> take(new Relist.Began(kind.name())));
        scheduler.watchedKinds().forEach(kind -> take(new Relist.Ended(kind.name())));
    }

    private PolicyObserver observer() {
        PolicyObserver made = PolicyObserver.of(
                        CONFIGURATION, new Times(() -> nanos, () -> START.plusNanos(nanos), Duration.ofSeconds(10)))
                .orElseThrow();
        made.begin(new Surroundings() {
            @Override
            public boolean isLeading() {
                return leading;
            }

            @Override
            public PatchSink patches(String name, Pace pace, PatchObserver ended) {
                return PolicedCluster.this::patched;
            }

            @Override
            public EventSink events() {
                return (about, event) -> events.add(inWords(event) + " of " + about.kind() + " " + about.name());
            }
        });
        return made;
    }

    private static String inWords(ObjectEvent event) {
        return event.type().apiName() + " " + event.reason();
    }

    private void patched(MergePatch patch) {
        patches.add(patch);
    }

    private void take(SchedulerEvent event) {
        observer.taking(scheduler, event);
        scheduler.handle(event);
    }

    PolicedCluster put(KubernetesObject... objects) {
        for (KubernetesObject object : objects) {
            take(new ClusterEvent.Put(object));
        }
        return this;
    }

    PolicedCluster nodes(String... zones) {
        for (String zone : zones) {
            put(NodeBuilder.node("node-" + zone).zone(zone).build());
        }
        return this;
    }

    PolicedCluster pod(String name, String node) {
        return put(
                PodBuilder.pod("shop", name).label("app", "web").nodeName(node).build());
    }

    PolicedCluster without(Node node) {
        take(new ClusterEvent.Removed(node));
        return this;
    }

    PolicedCluster gone(String name) {
        take(new ClusterEvent.Removed(
                PodBuilder.pod("shop", name).label("app", "web").build()));
        return this;
    }

    PolicedCluster policy(long generation, PolicyRule... rules) {
        ObjectMeta meta = new ObjectMeta(
                "shop", "web", "uid", Labels.EMPTY, Labels.EMPTY, Optional.empty(), false, "1", generation);
        policy = new PlacementPolicy(
                meta,
                PolicySpec.of(LabelSelector.matchingLabels(Labels.of("app", "web")), List.of(rules)),
                policy.status());
        return put(policy);
    }

    /** Turns of the engine's loop for so many seconds; what is written comes back from the server. */
    PolicedCluster pass(int seconds) {
        for (int i = 0; i < seconds; i++) {
            nanos += Duration.ofSeconds(1).toNanos();
            int before = patches.size();
            observer.turned(scheduler);
            if (patches.size() > before && accepts) {
                policy = new PlacementPolicy(policy.meta(), policy.spec(), statusOf(patches.getLast()));
                put(policy);
            }
        }
        return this;
    }

    /** Somebody has written this into the policy's status, with ' for ". */
    PolicedCluster saying(String status) {
        KubernetesObject read = reader.read(("{'apiVersion':'evenkeel.io/v1alpha1','kind':'PlacementPolicy','spec':{},"
                        + "'metadata':{'namespace':'shop','name':'web'},'status':" + status + "}")
                .replace('\'', '"'));
        policy = new PlacementPolicy(policy.meta(), policy.spec(), ((PlacementPolicy) read).status());
        return put(policy);
    }

    private PolicyStatus statusOf(MergePatch patch) {
        String head = "{\"apiVersion\":\"evenkeel.io/v1alpha1\",\"kind\":\"PlacementPolicy\",\"spec\":{},";
        String named = patch.body().replace("\"uid\":\"uid\"", "\"name\":\"web\",\"namespace\":\"shop\"");
        return reader.read(head + named.substring(1)) instanceof PlacementPolicy read
                ? read.status()
                : PolicyStatus.NONE;
    }

    /** Another replica takes over, and knows what the server has. */
    PolicedCluster handOver() {
        observer = observer();
        return this;
    }

    PolicedCluster leading(boolean leads) {
        leading = leads;
        return this;
    }

    PolicedCluster accepting(boolean takesPatches) {
        accepts = takesPatches;
        return this;
    }

    /** The status that the server has. */
    PolicyStatus status() {
        return policy.status();
    }

    /** Status, reason and since when. */
    String condition(String type) {
        return status().condition(type)
                .map(one -> one.status() + " " + one.reason() + " " + one.lastTransitionTime())
                .orElse("none");
    }

    String message(String type) {
        return status().condition(type).map(PolicyCondition::message).orElse("none");
    }

    List<String> events() {
        return events;
    }

    int writes() {
        return patches.size();
    }

    /** The series of a gauge, by the values of its labels in the order of the labels' names. */
    List<String> gauge(String name) {
        return observer.metrics()
                .read()
                .filter(metric -> metric.getMetadata().getName().equals(name))
                .flatMap(metric -> ((GaugeSnapshot) metric).getDataPoints().stream())
                .map(point -> point.getLabels().stream()
                                .map(label -> label.getValue())
                                .toList()
                        + " " + (int) point.getValue())
                .toList();
    }
}
