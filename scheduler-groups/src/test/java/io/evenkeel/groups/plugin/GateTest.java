package io.evenkeel.groups.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.CoschedulingPodGroup;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.OwnerReference;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.WorkloadOwner;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** What a pod is told that waits for its group, and by which plugin; and what it is a group of. */
class GateTest {
    private static Engine engine(String plugin, String args) {
        return new Engine(
                new ConfigurationReader().read("test", """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    profiles:
                    - plugins: {multiPoint: {enabled: [{name: %s}]}}
                      pluginConfig: [{name: %s, args: %s}]
                    """.formatted(plugin, plugin, args)),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulingCycle.Scoring.WHEN_NEEDED);
    }

    private static SchedulingProfile profile(Engine engine) {
        return engine.forGroups().profiles().get("default-scheduler");
    }

    /** The plugin and what it says; empty where the pod may be tried. */
    private static String gate(Engine engine, Pod pod) {
        return profile(engine)
                .preEnqueue(pod)
                .map(closed -> closed.plugin() + ": " + closed.status().message())
                .orElse("");
    }

    @Test
    void ofAPodGroupOfTheCoschedulingPlugin() {
        Engine engine = engine("Coscheduling", "{}");
        Pod pod = PodBuilder.pod("w").label(CoschedulingPodGroup.LABEL, "train").build();
        assertThat(gate(engine, pod)).isEqualTo("Coscheduling: PodGroup not found: train");
        engine.put(new CoschedulingPodGroup(ObjectMeta.named("default", "train"), 3));
        assertThat(gate(engine, pod))
                .isEqualTo(
                        "Coscheduling: cannot find enough sibling pods, current pods number: 0, minMember of group: 3");
        engine.put(new CoschedulingPodGroup(ObjectMeta.named("default", "train"), 0));
        assertThat(gate(engine, pod)).isEmpty();
        assertThat(gate(engine, PodBuilder.pod("single").build())).isEmpty();
    }

    @Test
    void ofAPodGroup() {
        Engine engine = engine("GangScheduling", "{}");
        Pod pod = PodBuilder.pod("w").podGroup("train").build();
        assertThat(gate(engine, pod))
                .isEqualTo("GangScheduling: waiting for pod's pod group \"train\" to appear in scheduling queue");
        engine.put(group(ObjectMeta.named("default", "train")));
        assertThat(gate(engine, pod))
                .isEqualTo("GangScheduling: waiting for minCount pods from a gang to appear in scheduling queue");
        engine.put(group(ObjectMeta.named("default", "train")
                .withAnnotations(Labels.of(Annotations.GROUP_PLACEMENT, "at-once"))));
        assertThat(gate(engine, pod))
                .isEqualTo("GangScheduling: pod group default/train: annotation " + Annotations.GROUP_PLACEMENT
                        + ": expected end-state, got \"at-once\"");
    }

    private static PodGroup group(ObjectMeta meta) {
        return new PodGroup(meta, OptionalInt.of(3), Optional.empty(), PodGroup.DISRUPTED_BY_POD, List.of());
    }

    private static PodBuilder owned(String kind, String uid) {
        return PodBuilder.pod("w").controller(new OwnerReference("apps/v1", kind, "web", uid));
    }

    private static PodBuilder gang(PodBuilder pod) {
        return pod.annotation(Annotations.GROUP_PLACEMENT, "gang");
    }

    private static WorkloadOwner replicaSet(String uid, int replicas) {
        ObjectMeta meta = new ObjectMeta("default", "web", uid, Labels.EMPTY, Optional.empty(), false);
        return new WorkloadOwner(
                WorkloadOwner.Kind.REPLICA_SET, meta, LabelSelector.matchingLabels(Labels.of("app", "web")), replicas);
    }

    private static final String NO_NUMBER = "GroupPlacement: annotation " + Annotations.GROUP_PLACEMENT
            + ": waiting for an owner that says how many pods are placed together, a ReplicaSet, StatefulSet or"
            + " ReplicationController, with the scope Owner; use a PodGroup for others";

    @Test
    void ofAnOwner() {
        Engine engine = engine("GroupPlacement", "{}");
        Pod pod = gang(owned("ReplicaSet", "uid-1")).build();
        assertThat(gate(engine, pod)).isEqualTo(NO_NUMBER);
        engine.put(replicaSet("uid-0", 1));
        assertThat(gate(engine, pod)).as("another of that name").isEqualTo(NO_NUMBER);
        engine.put(replicaSet("uid-1", 2));
        assertThat(gate(engine, pod))
                .isEqualTo("GroupPlacement: waiting for the other pods of ReplicaSet default/web: 0 of 2 are there");
        assertThat(gate(engine, owned("ReplicaSet", "uid-1").build()))
                .as("it waits for nobody")
                .isEmpty();
        assertThat(gate(engine, gang(owned("DaemonSet", "uid-2")).build())).isEqualTo(NO_NUMBER);
        assertThat(gate(engine, gang(PodBuilder.pod("single")).build())).isEqualTo(NO_NUMBER);
    }

    @Test
    void ofAWordThatMeansNothing() {
        Pod pod = owned("ReplicaSet", "uid-1")
                .annotation(Annotations.GROUP_PLACEMENT, "band")
                .build();
        assertThat(gate(engine("GroupPlacement", "{}"), pod))
                .isEqualTo("GroupPlacement: annotation " + Annotations.GROUP_PLACEMENT
                        + ": expected look-ahead, gang or end-state, got \"band\"");
    }

    @Test
    void podsOfADaemonSetAreNoGroupAndThoseOfALabelAreOne() {
        SchedulingProfile byOwner = profile(engine("GroupPlacement", "{}"));
        assertThat(byOwner.groups().groupOf(owned("Job", "uid").build())).isPresent();
        assertThat(byOwner.groups().groupOf(owned("DaemonSet", "uid").build())).isEmpty();

        SchedulingProfile byLabel = profile(engine("GroupPlacement", "{scope: Label, labelKey: team}"));
        assertThat(byLabel.groups()
                        .groupOf(PodBuilder.pod("w").label("team", "red").build()))
                .hasValueSatisfying(group -> {
                    assertThat(group).hasToString("team default/red");
                    assertThat(group.identity()).isEmpty();
                });
        assertThat(byLabel.groups().groupOf(owned("Job", "uid").build())).isEmpty();
    }

    @Test
    void ofALabelThereIsNoNumber() {
        Engine engine = engine("GroupPlacement", "{scope: Label, labelKey: team}");
        engine.put(replicaSet("uid-1", 1));
        Pod pod = gang(owned("ReplicaSet", "uid-1").label("team", "red")).build();
        assertThat(gate(engine, pod)).isEqualTo(NO_NUMBER);
    }

    /** With nothing else that wants to know of any. */
    private static List<Kind<?>> watched(String plugin, String args) {
        return new Engine(
                        new ConfigurationReader().read("test", """
                            apiVersion: kubescheduler.config.k8s.io/v1
                            kind: KubeSchedulerConfiguration
                            profiles:
                            - plugins:
                                multiPoint:
                                  disabled: [{name: "*"}]
                                  enabled: [{name: PrioritySort}, {name: %s}, {name: DefaultBinder}]
                              pluginConfig: [{name: %s, args: %s}]
                            """.formatted(plugin, plugin, args)),
                        InTreePlugins.registry(),
                        new FirstByName(),
                        SchedulingCycle.Scoring.WHEN_NEEDED)
                .watchedKinds();
    }

    @Test
    void theObjectsThatSayHowManyAreWatched() {
        assertThat(watched("GangScheduling", "{}")).contains(Kinds.POD_GROUP);
        assertThat(watched("Coscheduling", "{}")).contains(Kinds.COSCHEDULING_POD_GROUP);
        assertThat(watched("GroupPlacement", "{}")).contains(Kinds.REPLICA_SET, Kinds.STATEFUL_SET);
        assertThat(watched("GroupPlacement", "{scope: Label, labelKey: team}"))
                .doesNotContain(Kinds.REPLICA_SET, Kinds.STATEFUL_SET);
    }
}
