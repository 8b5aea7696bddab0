package io.evenkeel.e2e.simulate;

import static io.evenkeel.whatif.SchedulingOptions.USUAL;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.CompatibilityLevel;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.serve.ServedSnapshot;
import io.evenkeel.tools.why.UsualProfiles;
import io.evenkeel.whatif.ClusterSnapshot;
import io.evenkeel.whatif.ClusterSnapshot.Preemption;
import io.evenkeel.whatif.ClusterSnapshot.Transaction;
import io.evenkeel.whatif.SchedulingOptions;
import io.evenkeel.whatif.Verdict;
import io.evenkeel.whatif.Verdict.Placed;
import io.evenkeel.whatif.Verdict.Refused;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What a {@link ClusterSnapshot} of a random cluster says, in process and over gRPC, once nodes have changed in a transaction, equals what the live scheduler
 * does when the same is done to a hollow cluster: each pod's node, who waits, and with which words, where these last; of the
 * first pod for which others go, who they are.
 */
class SnapshotScenesTest {
    @TempDir
    private Path folder;

    @Rotated(3)
    @ParameterizedTest
    @MethodSource("io.evenkeel.e2e.simulate.RandomScene#seeds")
    void whatIsSaidIsWhatHappens(long seed) throws IOException, InterruptedException {
        RandomScene scene = new RandomScene(seed);
        List<String> before = new ArrayList<>(scene.before());
        before.addAll(scene.claimingBefore());
        before.addAll(scene.storingBefore());
        List<String> then = new ArrayList<>(scene.then());
        then.addAll(scene.gang());
        then.addAll(scene.claimingThen());
        then.addAll(scene.storingThen());
        if (scene.isPrioritised()) {
            // it is a matter of moments whom a StatefulSet's second pod comes before
            then.removeIf(manifest -> manifest.contains("OrderedReady"));
        }
        try (LivedScene lived = new LivedScene(folder, scene.level());
                Thought thought = new Thought(scene.level())) {
            lived.create(scene.cluster());
            lived.create(scene.devices());
            lived.create(scene.storage());
            lived.create(before);
            lived.awaitPods(RandomScene.pods(before));
            lived.awaitClaims();
            lived.schedule();
            thought.put(lived.objects(thought.cluster.kinds()));
            int pods = lived.count() - thought.goneForGood(scene) + RandomScene.pods(then);
            scene.drained().ifPresent(scene.isLost() ? lived::lose : lived::drain);
            scene.added().ifPresent(node -> lived.create(List.of(node)));
            lived.create(then);
            lived.awaitPods(pods);
            lived.awaitClaims();

            thought.suppose(scene, lived.objects(thought.cluster.kinds()));
            lived.schedule();

            thought.assertHappened("seed " + seed, lived);
        }
    }

    /** A snapshot, and a session of a server that is told the same step by step. */
    private static final class Thought implements AutoCloseable {
        private static final String WAITS = "waits";

        private final ClusterSnapshot cluster;
        private final ServedSnapshot served;
        private final Map<String, String> places = new TreeMap<>();
        private final List<Refused> refused = new ArrayList<>();
        private List<Pod> gang = List.of();
        private Optional<Preemption> preemption = Optional.empty();

        Thought(CompatibilityLevel level) throws IOException {
            SchedulerConfiguration configuration = UsualProfiles.OF_A_CLUSTER.toBuilder()
                    .featureGates(FeatureGates.DEFAULTS.at(level))
                    .build();
            PluginRegistry plugins = InTreePlugins.registry();
            cluster = new ClusterSnapshot(configuration, plugins);
            served = new ServedSnapshot(() -> new ClusterSnapshot(configuration, plugins), plugins);
        }

        void put(List<KubernetesObject> objects) {
            objects.forEach(cluster::put);
            served.put(objects);
        }

        /** How many pods go with the node that no controller makes again. */
        int goneForGood(RandomScene scene) {
            return (int) scene.drained().map(cluster::podsOn).orElse(List.of()).stream()
                    .filter(pod -> pod.meta().controller().isEmpty())
                    .count();
        }

        /** @param there all objects; pods in the order in which they come to the scheduler */
        void suppose(RandomScene scene, List<KubernetesObject> there) {
            served.begin();
            try (Transaction _ = cluster.begin()) {
                scene.added().ifPresent(_ -> putNode(named("n9", there))); // last, as the live scheduler lists it
                scene.drained().ifPresent(node -> drain(node, scene.isLost()));
                List<KubernetesObject> others = there.stream()
                        .filter(object -> !(object instanceof Node) && !(object instanceof Pod))
                        .toList();
                others.forEach(cluster::putObject);
                served.put(others);
                List<Pod> waiting = there.stream()
                        .filter(object -> object instanceof Pod pod && !pod.isPlaced())
                        .map(pod -> PodBuilder.from((Pod) pod)
                                .withoutSchedulingGates()
                                .build())
                        .sorted(Comparator.comparing(pod -> -pod.spec().priority()))
                        .toList();
                gang = waiting.stream()
                        .filter(pod -> pod.name().startsWith("c1-"))
                        .toList();
                List<Pod> growing = waiting.stream()
                        .filter(pod -> pod.name().startsWith("b9-"))
                        .toList();
                List<Pod> last = waiting.stream()
                        .filter(pod -> pod.name().startsWith("d1-"))
                        .toList();
                List<Pod> storing = waiting.stream()
                        .filter(pod -> pod.name().startsWith("e"))
                        .toList();
                oneByOne(waiting.stream()
                        .filter(pod -> !gang.contains(pod)
                                && !growing.contains(pod)
                                && !last.contains(pod)
                                && !storing.contains(pod))
                        .toList());
                if (!gang.isEmpty()) {
                    workload(USUAL).forEach(this::take);
                }
                oneByOne(last);
                atOnce(storing);
                for (Pod first : growing) {
                    Pod template = PodBuilder.from(first).name("b9").build();
                    List<Verdict> grown = cluster.schedulePodsByTemplate(template, scene.replicasOfGrowing(), USUAL);
                    assertThat(served.schedulePodsByTemplate(template, scene.replicasOfGrowing(), USUAL))
                            .isEqualTo(ServedSnapshot.told(grown));
                    grown.forEach(this::take);
                }
                finish();
            }
            served.rollback();
        }

        private List<Verdict> schedule(List<Pod> pods, SchedulingOptions options) {
            List<Verdict> verdicts = cluster.schedulePods(pods, options);
            assertThat(served.schedulePods(pods, options)).isEqualTo(ServedSnapshot.told(verdicts));
            return verdicts;
        }

        private List<Verdict> workload(SchedulingOptions options) {
            List<Verdict> verdicts = cluster.scheduleWorkload(gang, options);
            assertThat(served.scheduleWorkload(gang, options)).isEqualTo(ServedSnapshot.told(verdicts));
            return verdicts;
        }

        private void putNode(Node node) {
            cluster.putNode(node);
            served.put(List.of(node));
        }

        /** Up to the first for which others go. */
        private void oneByOne(List<Pod> pods) {
            List<Pod> left = pods;
            while (!left.isEmpty() && preemption.isEmpty()) {
                List<Verdict> verdicts = schedule(left, USUAL.stoppingOnFailure());
                verdicts.forEach(this::take);
                left = left.subList(verdicts.size(), left.size());
                if (verdicts.getLast() instanceof Refused(Pod last, String _)) {
                    preemption = cluster.preemptionFor(last);
                    assertThat(served.preemptionFor(last)).isEqualTo(ServedSnapshot.told(preemption));
                    preemption.ifPresent(found -> places.put(last.key(), found.node()));
                }
            }
        }

        /** Those that wait then are tried once more, as the volumes of the others are made. */
        private void atOnce(List<Pod> pods) {
            List<Verdict> first = schedule(pods, USUAL);
            first.forEach(this::take);
            schedule(
                    first.stream()
                            .filter(Refused.class::isInstance)
                            .map(Verdict::pod)
                            .toList(),
                    USUAL);
        }

        private void take(Verdict verdict) {
            switch (verdict) {
                case Placed(Pod pod, String node) -> places.put(pod.key(), node);
                case Refused no -> refused.add(no);
            }
        }

        /** Words last where all pods that came later have not changed them. */
        private void finish() {
            if (preemption.isEmpty()) {
                cluster.pods().forEach(pod -> places.put(pod.key(), pod.spec().nodeName()));
                refused.stream()
                        .filter(no -> cluster.nodeOf(no.pod().key()).isEmpty())
                        .forEach(
                                no -> places.put(no.pod().key(), again(no.pod()).equals(no) ? no.message() : WAITS));
            }
        }

        private Verdict again(Pod pod) {
            return gang.contains(pod)
                    ? workload(USUAL.asDryRun()).get(gang.indexOf(pod))
                    : schedule(List.of(pod), USUAL.asDryRun()).getFirst();
        }

        private void drain(String name, boolean isLost) {
            if (isLost) {
                cluster.removeNode(name);
                served.removeNode(name);
            } else {
                putNode(NodeBuilder.from(named(name, cluster.nodes()))
                        .cordoned()
                        .build());
                List<Pod> there = cluster.podsOn(name);
                cluster.preemptPods(there);
                served.preemptPods(there);
            }
        }

        private static Node named(String name, List<? extends KubernetesObject> objects) {
            return objects.stream()
                    .filter(object -> object instanceof Node node && node.name().equals(name))
                    .map(Node.class::cast)
                    .findFirst()
                    .orElseThrow();
        }

        void assertHappened(String scene, LivedScene lived) {
            Map<String, String> happened = lived.placesByPod();
            places.forEach((pod, place) -> happened.computeIfPresent(
                    pod, (_, words) -> place.equals(WAITS) && words.contains(" ") ? WAITS : told(words)));
            doNotTellApart(places);
            doNotTellApart(happened);
            if (preemption.isPresent()) {
                assertThat(happened).as(scene).containsAllEntriesOf(places);
                assertThat(lived.placed())
                        .as("%s: who went for others", scene)
                        .isNotEmpty()
                        .doesNotContainAnyElementsOf(preemption.get().victims().stream()
                                .map(pod -> pod.meta().uid())
                                .toList());
            } else {
                assertThat(happened).as(scene).isEqualTo(places);
            }
        }

        /** The pods that share a claim: in which order they are tried once its volume is made is a matter of moments. */
        private static void doNotTellApart(Map<String, String> places) {
            List<String> sharing = places.keySet().stream()
                    .filter(pod -> pod.startsWith("default/e2-"))
                    .toList();
            List<String> sorted = sharing.stream()
                    .map(places::get)
                    .map(place -> place.equals(WAITS) || place.contains(" ") ? WAITS : place)
                    .sorted()
                    .toList();
            for (int i = 0; i < sharing.size(); i++) {
                places.put(sharing.get(i), sorted.get(i));
            }
        }

        @Override
        public void close() {
            served.close();
        }

        /** Without what is said of the gang's name and of preemption. */
        private static String told(String words) {
            return words.replaceFirst("^pod group default/c1 waits: ", "")
                    .replaceFirst("( (no new claims to deallocate|still not schedulable),)?;? preemption: .*", "");
        }
    }
}
