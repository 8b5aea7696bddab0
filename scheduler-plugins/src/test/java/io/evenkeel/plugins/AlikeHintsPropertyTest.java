package io.evenkeel.plugins;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.WakeUp;
import io.evenkeel.api.WakeUpPlugin;
import io.evenkeel.cluster.PodInfo;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Engine;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.engine.decision.SchedulingCycle;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Pods that a plugin says are alike get the same answers from its hints. {@code -Devenkeel.seed=7} runs one seed,
 * {@code -Devenkeel.seeds=200} more of them.
 */
class AlikeHintsPropertyTest {
    private static final int STEPS = Integer.getInteger("evenkeel.steps", 400);
    private static final int WAITING = 12;

    private final Engine engine = new Engine(
            SchedulerConfiguration.defaults(),
            InTreePlugins.registry(),
            new FirstByName(),
            SchedulingCycle.Scoring.WHEN_NEEDED);
    private final Map<String, List<WakeUp>> wakeUps = new TreeMap<>();
    private final Set<String> sharing = new TreeSet<>();
    private int yes;
    private int no;

    static LongStream seeds() {
        return Rotation.seeds(12);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void ofPodsThatAreAlikeOneAnswersForAll(long seed) {
        RandomObjects random = new RandomObjects(seed, 2);
        Map<String, KubernetesObject> objects = new TreeMap<>();
        for (int step = 0; step < STEPS; step++) {
            List<Pod> waiting = new ArrayList<>();
            for (int i = 0; i < WAITING; i++) {
                Pod pod = random.waitingPod(i);
                waiting.add(pod);
                waiting.add(PodBuilder.from(pod)
                        .name(pod.name() + "-twin")
                        .label("index", Integer.toString(i))
                        .build());
            }
            Optional<ClusterChange> change = random.change(objects);
            if (change.isPresent()) {
                apply(change.get());
                String where = "seed %dL, step %d: %s".formatted(seed, step, change.get());
                admitted(waiting, new ArrayList<>(), pods -> compare(pods, change.get(), where));
            }
        }
        assertThat(sharing)
                .contains(
                        "InterPodAffinity",
                        "NodeAffinity",
                        "NodeDeclaredFeatures",
                        "NodePorts",
                        "NodeResourcesFit",
                        "NodeUnschedulable",
                        "PodTopologySpread",
                        "TaintToleration");
        assertThat(Math.min(yes, no))
                .as("answers of each kind that were shared")
                .isGreaterThan(100);
    }

    private void compare(List<PodInfo> pods, ClusterChange change, String where) {
        wakeUpsOf(pods.getFirst().pod()).forEach((plugin, all) -> {
            for (WakeUp wakeUp : all) {
                if (wakeUp.likeness().isPresent() && wakeUp.concerns(change)) {
                    for (boolean areOfGangs : new boolean[] {false, true}) {
                        Map<Object, Boolean> answers = new HashMap<>();
                        for (PodInfo pod : pods) {
                            compare(plugin, wakeUp, areOfGangs, pod, change, answers, where);
                        }
                    }
                }
            }
        });
    }

    private void compare(
            String plugin,
            WakeUp wakeUp,
            boolean isOfGang,
            PodInfo pod,
            ClusterChange change,
            Map<Object, Boolean> answers,
            String where) {
        boolean mayHelp = wakeUp.hintFor(isOfGang).mayHelp(pod, change);
        Boolean ofOthers = answers.putIfAbsent(wakeUp.likeness().orElseThrow().apply(pod), mayHelp);
        if (ofOthers != null) {
            assertThat(mayHelp)
                    .as("%s, %s of %s as of those that are alike", where, plugin, pod.pod())
                    .isEqualTo(ofOthers);
            sharing.add(plugin);
            yes += mayHelp ? 1 : 0;
            no += mayHelp ? 0 : 1;
        }
    }

    /** Of the default profile. */
    private Map<String, List<WakeUp>> wakeUpsOf(Pod pod) {
        if (wakeUps.isEmpty()) {
            engine.profileOf(pod).orElseThrow().plugins().forEach(plugin -> {
                if (plugin instanceof WakeUpPlugin waking) {
                    wakeUps.put(plugin.name(), waking.wakeUps());
                }
            });
        }
        return wakeUps;
    }

    /** All at the same time, as facets are the same only then. */
    private void admitted(List<Pod> pods, List<PodInfo> admitted, Consumer<List<PodInfo>> use) {
        if (admitted.size() == pods.size()) {
            use.accept(admitted);
            return;
        }
        engine.cluster().read(pods.get(admitted.size()), info -> {
            admitted.add(info);
            admitted(pods, admitted, use);
            return true;
        });
    }

    private void apply(ClusterChange change) {
        change.after()
                .ifPresentOrElse(
                        engine::put, () -> engine.remove(change.before().orElseThrow()));
    }
}
