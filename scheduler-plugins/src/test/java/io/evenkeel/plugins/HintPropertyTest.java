package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Plugin;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.Decision;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.queue.ClusterChanges;
import io.evenkeel.queue.PodsByInterest.Sign;
import io.evenkeel.queue.RejectedBy;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hints are sufficient: a pod that fits after a change and did not before, if need be once others have gone, is woken by a
 * plugin that had turned it away. And they are not mere alarms: with all else that may keep a
 * pod out, about one in three that they wake does fit, and four in five are left to sleep. They say yes to no change that
 * is none of the pod's interest, by which it is filed. {@code -Devenkeel.seed=7} runs one seed,
 * {@code -Devenkeel.seeds=200} more of them.
 */
@Rotated(3)
class HintPropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 800);
    private static final int WAITING = 6;

    private static final String PROFILE = """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles:
        - pluginConfig:
          - name: PodTopologySpread
            args:
              defaultingType: List
              defaultConstraints:
              - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}
        """;

    private final Engine engine = new Engine(
            new ConfigurationReader().read("test", PROFILE),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);
    private BiFunction<Pod, RejectedBy, RejectedBy> hear = (_, by) -> by;
    private final Map<String, List<WakeUp>> wakeUps = new HashMap<>();
    private int asked;
    private int woken;
    private int helped;

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPodThatComesToFitIsWoken(long seed) {
        wakesWhomChangesHelp(new RandomObjects(seed, 1), "seed " + seed + "L");
        assertThat(woken)
                .as("woken of %d asked, where %d were helped", asked, helped)
                .isLessThan(5 * helped);
    }

    /**
     * Or for which others have to go, once a change has made that of use: by any of the plugins, as it may be another that
     * would have turned it away with those gone.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPodThatComesToFitOnceOthersGoIsWoken(long seed) {
        hear = this::everyPlugin;
        wakesWhomChangesHelp(new RandomObjects(seed, 3), "seed " + seed + "L");
    }

    private void wakesWhomChangesHelp(RandomObjects random, String seed) {
        Map<String, KubernetesObject> objects = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            Map<Pod, RejectedBy> waiting = waiting(random);
            Optional<ClusterChange> change = random.change(objects);
            change.ifPresent(this::apply);
            String where = seed + ", step " + step;
            waiting.forEach((pod, by) -> check(pod, by, change, where));
            Pod pod = random.waitingPod(0);
            Pod updated = random.updated(pod);
            rejectedBy(pod).ifPresent(by -> check(updated, by, ClusterChanges.ofWaitingPod(pod, updated), where));
        }
        assertThat(helped)
                .as("how often a change helped, or nothing was tested")
                .isGreaterThan(50);
    }

    private Map<Pod, RejectedBy> waiting(RandomObjects random) {
        Map<Pod, RejectedBy> waiting = new HashMap<>();
        for (int i = 0; i < WAITING; i++) {
            Pod pod = random.waitingPod(i);
            rejectedBy(pod).ifPresent(rejectors -> waiting.put(pod, rejectors));
        }
        return waiting;
    }

    /** Those that are filed are asked about each change after all of them have come. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void aPodThatComesToFitIsWokenThoughItIsAskedAboutLater(long seed) {
        RandomObjects random = new RandomObjects(seed, 1);
        Map<String, KubernetesObject> objects = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            Map<Pod, RejectedBy> waiting = waiting(random);
            Set<Pod> wokenAtOnce = new HashSet<>();
            List<ClusterChange> changes = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                random.change(objects).ifPresent(change -> {
                    apply(change);
                    changes.add(change);
                    waiting.forEach((pod, by) -> {
                        if (mayHelp(by, pod, change, wakeUp -> wakeUp.interest().isEmpty())) {
                            wokenAtOnce.add(pod);
                        }
                    });
                });
            }
            int here = step;
            waiting.forEach((pod, by) -> {
                if (!by.plugins().isEmpty() && rejectedBy(pod).isEmpty()) {
                    helped++;
                    assertThat(wokenAtOnce.contains(pod)
                                    || changes.stream()
                                            .anyMatch(change -> mayHelp(
                                                    by,
                                                    pod,
                                                    change,
                                                    wakeUp -> wakeUp.interest().isPresent())))
                            .as(
                                    "seed %dL, step %d: %s was rejected by %s and fits after %s",
                                    seed, here, pod, by, changes)
                            .isTrue();
                }
            });
        }
        assertThat(helped)
                .as("how often a change helped, or nothing was tested")
                .isGreaterThan(50);
    }

    private void check(Pod pod, RejectedBy by, Optional<ClusterChange> change, String where) {
        boolean isWoken = change.isPresent() && mayHelp(by, pod, change.get(), _ -> true);
        boolean fits = rejectedBy(pod).isEmpty();
        if (by.plugins().isEmpty()) {
            return;
        }
        asked++;
        woken += isWoken ? 1 : 0;
        if (fits) {
            helped++;
            assertThat(isWoken)
                    .as("%s: %s was rejected by %s and fits after %s", where, pod, by, change)
                    .isTrue();
        }
    }

    private boolean mayHelp(RejectedBy by, Pod pod, ClusterChange change, Predicate<WakeUp> which) {
        return by.plugins().stream()
                .flatMap(plugin -> wakeUps.computeIfAbsent(plugin, name -> wakeUpsOf(name, pod)).stream())
                .filter(which)
                .anyMatch(wakeUp -> mayHelp(wakeUp, pod, change));
    }

    private boolean mayHelp(WakeUp wakeUp, Pod pod, ClusterChange change) {
        return change.isAnyOf(wakeUp.kinds())
                && engine.cluster().read(pod, admitted -> {
                    boolean mayHelp = wakeUp.hint().mayHelp(admitted, change);
                    assertThat(mayHelp && !isOfInterest(wakeUp, admitted, change))
                            .as("%s is woken by what it is not filed by: %s", pod, change)
                            .isFalse();
                    return mayHelp;
                });
    }

    private static boolean isOfInterest(WakeUp wakeUp, PodInfo pod, ClusterChange change) {
        return wakeUp.interest().isEmpty()
                || !Collections.disjoint(Sign.of(wakeUp.interest().get().apply(pod)), Sign.borneBy(change));
    }

    private List<WakeUp> wakeUpsOf(String name, Pod pod) {
        for (Plugin plugin : engine.profileOf(pod).orElseThrow().plugins()) {
            if (plugin.name().equals(name)) {
                return ((WakeUpPlugin) plugin).wakeUps();
            }
        }
        throw new AssertionError("no plugin is named " + name);
    }

    private void apply(ClusterChange change) {
        change.after()
                .ifPresentOrElse(
                        engine::put, () -> engine.remove(change.before().orElseThrow()));
    }

    /** Nobody, where it fits or does once others have gone. */
    private Optional<RejectedBy> rejectedBy(Pod pod) {
        return switch (engine.decide(pod)) {
            case Decision.Placed _ -> Optional.empty();
            case Decision.Unschedulable no ->
                no.victims().isEmpty() ? Optional.of(hear.apply(pod, RejectedBy.of(no.diagnosis()))) : Optional.empty();
        };
    }

    private RejectedBy everyPlugin(Pod pod, RejectedBy by) {
        Set<String> all = engine.profileOf(pod).orElseThrow().plugins().stream()
                .filter(WakeUpPlugin.class::isInstance)
                .map(Plugin::name)
                .collect(Collectors.toSet());
        return by.plugins().isEmpty() ? by : new RejectedBy(all, by.pendingPlugins());
    }
}
