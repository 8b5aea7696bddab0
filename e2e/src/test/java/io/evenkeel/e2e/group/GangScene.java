package io.evenkeel.e2e.group;

import static io.evenkeel.e2e.scene.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.e2e.scene.PodView;
import io.evenkeel.e2e.scene.Scene;
import io.evenkeel.e2e.scene.SchedulerUnderTest;
import io.evenkeel.hollow.Faults.RequestMatch;
import io.evenkeel.model.json.Trees;
import java.util.List;

/** A scene with PodGroups of Kubernetes' own, pods that name them, and schedulers that place them together. */
record GangScene(Scene scene) {
    static final String API = "scheduling.k8s.io/v1beta1";
    static final RequestMatch BINDINGS = new RequestMatch("create", "pods/binding");
    private static final String KIND = "PodGroup";
    private static final String SCHEDULED = "PodGroupInitiallyScheduled";
    private static final String DEGRADED = "evenkeel.io/Degraded";

    /** A profile that has this plugin beside the usual ones. */
    static String with(String plugin) {
        return "plugins: {multiPoint: {enabled: [{name: %s}]}}".formatted(plugin);
    }

    SchedulerUnderTest scheduler() {
        return scheduler("leaderElection: {leaderElect: false}");
    }

    SchedulerUnderTest scheduler(String configuration) {
        return scene.scheduler(scene.configuration(with("GangScheduling"), configuration), LiveOptions.usual("e2e"))
                .awaitSynced();
    }

    /** Nodes {@code prefix-0}, {@code prefix-1}, … for so many pods each. */
    void nodes(String prefix, int count, int room) {
        for (int number = 0; number < count; number++) {
            scene.node(prefix + "-" + number, "allocatable: {pods: %d}".formatted(room));
        }
    }

    void cordon(String node, boolean isUnschedulable) {
        scene.api().patch(scene.nodePath(node), "spec: {unschedulable: %s}".formatted(isUnschedulable));
    }

    void group(String name, int minCount) {
        scene.create(API, KIND, name, "spec: {schedulingPolicy: {gang: {minCount: %d}}}".formatted(minCount));
    }

    /** A group, and as many pods as it needs. */
    void gang(String name, int size) {
        group(name, size);
        scene.pods(name, size, member(name));
    }

    static String member(String group) {
        return "schedulingGroup: {podGroupName: %s}".formatted(group);
    }

    List<PodView> pods(String group) {
        return scene.pods().all().stream()
                .filter(pod -> pod.name().startsWith(group + "-"))
                .toList();
    }

    long bound(String group) {
        return pods(group).stream().filter(pod -> pod.node().isPresent()).count();
    }

    void awaitBound(String group, int count) {
        eventually(count + " pods of " + group + " bound").until(() -> bound(group), bound -> bound == count);
    }

    /** The group says it and each of its pods that waits; nothing of it has a node. */
    void awaitWaiting(String group, int size, String why) {
        eventually("all of " + group + " are told why they wait").untilAsserted(() -> {
            assertThat(pods(group)).extracting(PodView::reason).hasSize(size).containsOnly("Unschedulable");
            assertThat(pods(group))
                    .extracting(PodView::message)
                    .allMatch(message -> message.startsWith("pod group " + scene.key(group) + " waits: "))
                    .allMatch(message -> message.contains(why));
        });
        awaitScheduled(group, "False", "Unschedulable", why);
        assertThat(bound(group)).isZero();
    }

    void awaitScheduled(String group) {
        awaitScheduled(group, "True", "Scheduled", "");
    }

    void awaitScheduled(String group, String status, String reason, String why) {
        await(group, SCHEDULED, status, reason, why);
    }

    void awaitDegraded(String group, String why) {
        await(group, DEGRADED, "True", "PodsMissing", why);
        awaitEvent(group, "Degraded", why);
    }

    void awaitRecovered(String group) {
        await(group, DEGRADED, "False", "Recovered", "");
        awaitEvent(group, "Recovered", "");
    }

    /** As it is now. */
    void assertScheduled(String group) {
        assertThat(Trees.text(condition(group, SCHEDULED), "status")).isEqualTo("True");
    }

    void assertNeverDegraded(String group) {
        assertThat(condition(group, DEGRADED).size()).isZero();
        assertThat(scene.events(group))
                .extracting(event -> Trees.text(event, "reason"))
                .doesNotContain("Degraded");
    }

    private void await(String group, String type, String status, String reason, String why) {
        eventually(group + ": " + type + " is " + status).untilAsserted(() -> {
            JsonObject condition = condition(group, type);
            assertThat(Trees.text(condition, "status")).isEqualTo(status);
            assertThat(Trees.text(condition, "reason")).isEqualTo(reason);
            assertThat(Trees.text(condition, "message")).contains(why);
        });
    }

    void awaitEvent(String group, String reason, String why) {
        eventually("an event of " + group + ": " + reason)
                .untilAsserted(() -> assertThat(scene.events(group)).anySatisfy(event -> {
                    assertThat(Trees.text(event, "reason")).isEqualTo(reason);
                    assertThat(Trees.text(event, "note")).contains(why);
                    assertThat(Trees.text(event, "regarding", "kind")).isEqualTo(KIND);
                    assertThat(Trees.text(event, "regarding", "apiVersion")).isEqualTo(API);
                }));
    }

    private JsonObject condition(String group, String type) {
        JsonObject tree = scene.api().get(scene.path(API, KIND) + "/" + group);
        return Trees.objects(tree, "status", "conditions").stream()
                .filter(condition -> Trees.text(condition, "type").equals(type))
                .findFirst()
                .orElseGet(JsonObject::new);
    }
}
