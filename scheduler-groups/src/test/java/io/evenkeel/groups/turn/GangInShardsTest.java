package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static io.evenkeel.groups.turn.LiveScene.podOf;
import static io.evenkeel.groups.turn.LiveScene.replicaSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.ShardSettings;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.framework.GroupPlugin;
import io.evenkeel.model.Annotations;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.build.PodStatusBuilder;
import io.evenkeel.model.constraint.PodAffinity;
import io.evenkeel.model.constraint.PodAffinityTerm;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.shard.LocalGate;
import io.evenkeel.shard.OverseerGate;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardMap;
import io.evenkeel.shard.ShardProgress;
import io.evenkeel.shard.ShardTrace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Gangs where nodes are parted: the overseer alone knows who is in one. */
class GangInShardsTest {
    private static final ShardMap MAP = new ShardMap(new ShardSettings("", List.of(), 2, false));
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            profiles:
            - plugins: {multiPoint: {enabled: [{name: GangScheduling}, {name: GroupPlacement}]}}
            """);

    private static final String HERE = IntStream.range(0, 100)
            .mapToObj(i -> "n" + i)
            .filter(name -> MAP.fallbackOf(name) == 0)
            .findFirst()
            .orElseThrow();

    private final List<Command> said = new ArrayList<>();
    private long now;

    /** An engine behind its gate. */
    private final class Gated {
        final ShardGate gate;
        final Scheduler engine;

        Gated(boolean oversees) {
            gate = oversees
                    ? new OverseerGate(MAP, CONFIGURATION, this::engine, said::add)
                    : new LocalGate(0, MAP, CONFIGURATION, this::engine, said::add);
            engine = new Scheduler(
                    CONFIGURATION,
                    InTreePlugins.registry(),
                    new FirstByName(),
                    SchedulerSettings.of(Set.of("Node", "Pod"), 0),
                    command -> gate.give(command, said::add),
                    SchedulerObserver.NONE,
                    () -> now);
            for (String kind : List.of("Node", "Pod")) {
                take(new Relist.Began(kind));
                take(new Relist.Ended(kind));
            }
            put(node(HERE, 9).version("1", 1).build());
        }

        private Scheduler engine() {
            return engine;
        }

        void take(SchedulerEvent event) {
            gate.take(event, engine::handle);
        }

        void put(KubernetesObject object) {
            take(new ClusterEvent.Put(object));
        }

        boolean hasToPlace(Pod pod) {
            return engine.queue().find(pod.key()).isPresent();
        }

        void decide() {
            engine.tick();
            while (engine.scheduleNext()) {
                engine.tick();
            }
        }
    }

    private static PodBuilder worker(int number) {
        return podOf("train", number)
                .annotation(Annotations.GROUP_PLACEMENT, "gang")
                .version("9", 1);
    }

    private static Pod with(PodBuilder pod, ShardTrace trace) {
        Pod before = pod.build();
        return PodBuilder.from(before)
                .status(PodStatusBuilder.from(before.status())
                        .shard(trace.condition(before, MAP))
                        .build())
                .build();
    }

    @Test
    void whoAsksForOneIsTheOverseersAlsoWhereTheOwnerIsToHaveNoPods() {
        Gated shard = new Gated(false);
        Gated overseer = new Gated(true);
        for (Gated each : List.of(shard, overseer)) {
            each.put(replicaSet("train", 0));
            for (int i = 0; i < 4; i++) {
                each.put(worker(i).build());
                assertThat(each.hasToPlace(worker(i).build())).isEqualTo(each == overseer);
            }
        }
    }

    @Test
    void whomAPodGroupPlacesOneByOneIsAShards() {
        Gated shard = new Gated(false);
        Gated overseer = new Gated(true);
        List<Pod> pods = IntStream.range(0, 9)
                .mapToObj(i -> PodBuilder.pod("p-" + i)
                        .uid("p-" + i)
                        .version("9", 1)
                        .podGroup("train")
                        .build())
                .toList();
        for (Gated each : List.of(shard, overseer)) {
            pods.forEach(each::put);
            assertThat(pods).as("nobody knows yet").allMatch(pod -> each.hasToPlace(pod) == (each == overseer));
            each.put(new PodGroup(
                    ObjectMeta.named("default", "train"),
                    OptionalInt.empty(),
                    Optional.empty(),
                    PodGroup.DISRUPTED_BY_POD,
                    List.of()));
        }
        assertThat(pods).noneMatch(overseer::hasToPlace);
        assertThat(pods).as("those that it tries first").anyMatch(shard::hasToPlace);
    }

    @Test
    void aShardKnowsWhoIsInPlaceAsOneOfNoneAlsoWhereAPodWasLookedUp() {
        Gated shard = new Gated(false);
        shard.put(replicaSet("train", 4));
        Pod worker = with(worker(0), new ShardTrace.Asked(HERE));
        shard.put(worker);
        shard.decide();
        assertThat(said).hasAtLeastOneElementOfType(Command.Bind.class);

        Pod placed = PodBuilder.from(worker).nodeName(HERE).build();
        shard.take(new CommandResult.NotBound(worker, HERE, BindFailure.UNKNOWN, "no answer"));
        shard.take(new CommandResult.Found(worker, Optional.of(placed)));
        assertThat(shard.engine.cluster().pod(placed.key()))
                .hasValueSatisfying(
                        known -> assertThat(GroupPlugin.isAlone(known)).isTrue());
    }

    @Test
    void whatWasAnnouncedOfOneIsTakenBackWhileOthersAreMissing() {
        Gated overseer = new Gated(true);
        overseer.put(replicaSet("train", 2));
        Pod worker = with(
                worker(0)
                        .podAffinity(new PodAffinity(
                                List.of(),
                                List.of(),
                                List.of(new PodAffinityTerm(
                                        LabelSelector.matchingLabels(Labels.of("app", "web")),
                                        LiveScene.ZONE,
                                        List.of(),
                                        LabelSelector.NOTHING)),
                                List.of())),
                new ShardTrace.Announced(HERE));
        overseer.put(worker);
        overseer.decide();
        overseer.gate.othersAt(new ShardProgress(9, 9, 9, 9), overseer.engine::handle);
        assertThat(said)
                .singleElement()
                .isInstanceOfSatisfying(
                        Command.WriteObject.class,
                        write -> assertThat(write.patch().toString()).contains("Announced", "False"));
    }
}
