package io.evenkeel.policies.status;

import io.evenkeel.app.companion.Times;
import io.evenkeel.app.companion.WatchedScheduler;
import io.evenkeel.kube.patch.MergePatch;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.policy.PlacementPolicy;
import io.evenkeel.model.policy.PolicyRule;
import io.evenkeel.model.policy.PolicySpec;
import io.evenkeel.model.policy.PolicyStatus;
import io.evenkeel.model.policy.PolicyStatus.PolicyCondition;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A cluster that the test makes up, with an observer of its policies, at a time that passes as the test says. */
final class PolicedCluster {
    static final String ZONE = "topology.kubernetes.io/zone";

    private boolean accepts = true;
    private final ObjectReader reader = new ObjectReader();
    private final WatchedScheduler watched;
    private PlacementPolicy policy = new PlacementPolicy(ObjectMeta.named("shop", "web"), PolicySpec.NONE);

    PolicedCluster() {
        this(new WatchedScheduler(WatchedScheduler.WITH_POLICIES));
    }

    PolicedCluster(WatchedScheduler watched) {
        this.watched = watched;
        handOver();
        watched.relist(List.of());
    }

    PolicedCluster put(KubernetesObject... objects) {
        List.of(objects).forEach(watched::put);
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
        watched.remove(node);
        return this;
    }

    PolicedCluster gone(String name) {
        watched.remove(PodBuilder.pod("shop", name).label("app", "web").build());
        return this;
    }

    /** Has a pod come and be tried. */
    PolicedCluster scheduled(Pod pod) {
        put(pod);
        while (watched.scheduler().scheduleNext()) {}
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
            int before = writes();
            watched.turn(Duration.ofSeconds(1));
            List<MergePatch> sent = watched.patches().subList(before, writes());
            sent.stream()
                    .filter(patch -> accepts && patch.object().name().equals("web"))
                    .map(this::statusOf)
                    .toList()
                    .forEach(status -> {
                        policy = new PlacementPolicy(policy.meta(), policy.spec(), status);
                        put(policy);
                    });
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
        watched.begin(PolicyObserver.of(
                        watched.configuration(), new Times(watched::nanos, watched::wall, Duration.ofSeconds(10)))
                .orElseThrow());
        return this;
    }

    PolicedCluster leading(boolean leads) {
        watched.leading(leads);
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
        return watched.events().stream()
                .map(said -> said.event().type().apiName() + " " + said.event().reason() + " of "
                        + said.about().kind() + " " + said.about().name())
                .toList();
    }

    int writes() {
        return watched.patches().size();
    }

    /** The series of a gauge, by the values of its labels in the order of the labels' names. */
    List<String> gauge(String name) {
        return watched.series(name).entrySet().stream()
                .map(series -> series.getKey() + " " + series.getValue())
                .toList();
    }
}
