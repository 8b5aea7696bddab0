package io.evenkeel.groups.turn;

import static io.evenkeel.groups.turn.LiveScene.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodGroup;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.queue.SchedulingQueue.QueueEntryView;
import io.evenkeel.queue.SchedulingQueue.QueueState;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.rotation.Rotation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A gang that waits is tried again when something changes that may let it start, and is left alone by all else. */
class GangWakeUpTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final ObjectReader READER = new ObjectReader();

    /** In seconds, longer than any backoff. */
    private static final int LONG = 12;

    private static Pod pod(String name, int priority, String more) {
        return (Pod) READER.read("""
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": "default", "name": "%1$s", "uid": "%1$s", %3$s
             "resources": {"requests": {"cpu": "1"}}}], "priority": %2$d}}
            """.formatted(name, priority, more));
    }

    private static String labelled(String app, String ofSpec) {
        return "\"labels\": {\"app\": \"" + app + "\"}}, \"spec\": {" + ofSpec
                + "\"containers\": [{\"name\": \"main\",";
    }

    private static PodGroup group(String name, int minCount, String topologyKey) {
        String constraints = topologyKey.isEmpty()
                ? ""
                : ", \"schedulingConstraints\": {\"topology\": [{\"key\": \"%s\"}]}".formatted(topologyKey);
        return (PodGroup) READER.read("""
            {"apiVersion": "scheduling.k8s.io/v1beta1", "kind": "PodGroup", "metadata": {"namespace": "default", "name": "%s"},
             "spec": {"schedulingPolicy": {"gang": {"minCount": %d}}%s}}
            """.formatted(name, minCount, constraints));
    }

    private static Pod member(String group, int number, String rules) {
        return pod(
                group + "-" + number,
                5,
                labelled("gang", "\"schedulingGroup\": {\"podGroupName\": \"" + group + "\"}, " + rules));
    }

    private static Pod other(String name, String node) {
        return pod(name, 5, labelled("other", "\"nodeName\": \"" + node + "\", "));
    }

    /** How often gangs are looked into because of this. */
    private static int triesBy(LiveScene scene, Runnable change) {
        int before = scene.gangsLookedInto;
        change.run();
        scene.pass(LONG);
        return scene.gangsLookedInto - before;
    }

    private static LiveScene waiting(PodGroup group, int members, String rules) {
        LiveScene scene = LiveScene.of("GangScheduling", List.of(node("n0", 2), node("n1", 1)));
        scene.put(other("first", "n0"));
        scene.put(group);
        for (int i = 0; i < members; i++) {
            scene.put(member("train", i, rules));
        }
        scene.pass(LONG);
        assertThat(scene.places).isEmpty();
        assertThat(scene.gangsLookedInto).isPositive();
        return scene;
    }

    @Test
    void isLeftAloneByWhatLetsNoneOfItsPodsInAnywhere() {
        LiveScene scene = waiting(group("train", 3, ""), 3, "");
        assertThat(triesBy(scene, () -> scene.put(other("late", "n9")))).isZero();
        assertThat(triesBy(scene, () -> scene.put(group("else", 3, "")))).isZero();
        assertThat(triesBy(scene, () -> scene.put(node("n1", 1).label("a", "b").build())))
                .isZero();
        assertThat(triesBy(scene, () -> scene.put(member("else", 0, "")))).isZero();
    }

    @Test
    void isTriedWhereANodeHasRoomForOneOfItThatHadRoomForAnother() {
        LiveScene scene = waiting(group("train", 3, ""), 3, "");
        assertThat(triesBy(scene, () -> scene.remove(scene.pod("first")))).isPositive();
        assertThat(scene.places).hasSize(3);
    }

    @Test
    void sitsItsBackoffOutThoughNoOtherPodIsTriedMeanwhile() {
        LiveScene scene = waiting(group("train", 5, ""), 5, "");
        int before = scene.gangsLookedInto;
        scene.remove(scene.pod("first"));
        scene.schedule();
        assertThat(scene.gangsLookedInto).isEqualTo(before + 1);

        scene.put(node("n2", 1).build());
        scene.schedule();
        assertThat(scene.gangsLookedInto).isEqualTo(before + 1);
        scene.pass(LONG);
        assertThat(scene.gangsLookedInto).isEqualTo(before + 2);
    }

    @Test
    void isTriedWhereItsLabelComesToANode() {
        LiveScene scene = waiting(group("train", 1, "rack"), 1, "");
        assertThat(triesBy(
                        scene, () -> scene.put(node("n1", 1).label("row", "w1").build())))
                .isZero();
        assertThat(triesBy(
                        scene, () -> scene.put(node("n1", 1).label("rack", "r1").build())))
                .isPositive();
        assertThat(scene.places).hasSize(1);
    }

    @Test
    void isTriedWhereFewerAreNeeded() {
        LiveScene scene = waiting(group("train", 3, ""), 3, "");
        assertThat(triesBy(scene, () -> scene.put(group("train", 2, "")))).isPositive();
        assertThat(scene.places).hasSize(2);
    }

    @Test
    void isTriedWhereOneOfItComesIntoItsPlaceByOthersHands() {
        LiveScene scene = waiting(group("train", 3, ""), 3, "");
        scene.put(PodBuilder.from(member("train", 0, "")).nodeName("n9").build());
        scene.pass(LONG);
        assertThat(scene.places).hasSize(2);
    }

    /** Of random clusters in which random things happen. */
    @Rotated(3)
    @Test
    void noGangSleepsThatASchedulerWhichBeginsAnewWouldStart() {
        int started = 0;
        for (long seed : Rotation.seeds(60).toArray()) {
            started += new Play(seed).run(25);
        }
        assertThat(started).as("gangs that had to be woken").isPositive();
    }

    private static final class Play {
        private static final List<String> RULES = List.of(
                "",
                "\"nodeSelector\": {\"disk\": \"ssd\"}, ",
                spread(),
                affinity("podAntiAffinity", "kubernetes.io/hostname", "gang"),
                affinity("podAntiAffinity", ZONE, "other"),
                affinity("podAffinity", ZONE, "gang"),
                affinity("podAffinity", "kubernetes.io/hostname", "gang"),
                affinity("podAffinity", ZONE, "other"),
                "\"tolerations\": [{\"key\": \"closed\", \"operator\": \"Exists\"}], ",
                "\"preemptionPolicy\": \"Never\", ");

        private final long seed;
        private final Random random;
        private final LiveScene scene;
        private final Map<String, Node> nodes = new LinkedHashMap<>();
        private final Map<String, PodGroup> groups = new LinkedHashMap<>();
        private final Map<String, Pod> members = new LinkedHashMap<>();
        private final List<String> others = new ArrayList<>();
        private final List<String> story = new ArrayList<>();
        private int made;

        Play(long seed) {
            this.seed = seed;
            this.random = new Random(seed);
            this.scene = LiveScene.of("GangScheduling", List.of());
            for (int i = 0; i < 4; i++) {
                putNode("n" + i);
            }
            for (int i = 0; i < 5; i++) {
                putOther();
            }
        }

        private static String affinity(String kind, String key, String app) {
            return """
                "affinity": {"%s": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "%s",
                 "labelSelector": {"matchLabels": {"app": "%s"}}}]}},
                """.formatted(kind, key, app);
        }

        private static String spread() {
            return """
                "topologySpreadConstraints": [{"maxSkew": 1, "whenUnsatisfiable": "DoNotSchedule", "topologyKey": "%s",
                 "labelSelector": {"matchExpressions": [{"key": "app", "operator": "Exists"}]}}],
                """.formatted(ZONE);
        }

        /** How many gangs were started that had waited for a change. */
        int run(int steps) {
            int started = 0;
            for (int step = 0; step < steps; step++) {
                if (scene.scheduler.queue().view().isEmpty()) {
                    putGang("g" + made++);
                    settle();
                }
                int before = scene.places.size();
                change();
                settle();
                started += scene.places.size() > before ? 1 : 0;
                mustNotSleep();
            }
            return started;
        }

        private void settle() {
            scene.later(LONG);
            scene.later(LONG);
        }

        private void change() {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> putNode("n" + random.nextInt(6));
                case 3 -> removeNode("n" + random.nextInt(6));
                case 4, 5, 6 -> putOther();
                case 7, 8 -> any(others).ifPresent(this::removeOther);
                case 9 -> any(others).ifPresent(this::relabel);
                case 10 -> any(List.copyOf(groups.keySet())).ifPresent(this::putGroup);
                default -> any(List.copyOf(members.keySet())).ifPresent(this::removeMember);
            }
            for (String victim : List.copyOf(scene.evicted)) {
                if (random.nextBoolean() && scene.pod(victim) != null) {
                    removeOther(victim);
                }
            }
        }

        private Optional<String> any(List<String> names) {
            return names.isEmpty() ? Optional.empty() : Optional.of(names.get(random.nextInt(names.size())));
        }

        private void putNode(String name) {
            NodeBuilder built = node(name, 1 + random.nextInt(3)).zone("z" + random.nextInt(3));
            if (random.nextInt(3) > 0) {
                built.label("rack", "r" + random.nextInt(2));
            }
            if (random.nextBoolean()) {
                built.label("disk", "ssd");
            }
            if (random.nextInt(4) == 0) {
                built.taint("closed", "", TaintEffect.NO_SCHEDULE);
            }
            Node node = built.build();
            nodes.put(name, node);
            story.add("node " + name + " " + node.labels() + " " + node.allocatable() + " " + node.taints());
            scene.put(node);
        }

        private void removeNode(String name) {
            Node node = nodes.get(name);
            if (node != null && nodes.size() > 2) {
                story.add("no node " + name);
                nodes.remove(name);
                scene.remove(node);
            }
        }

        private void putGang(String name) {
            String rules = RULES.get(random.nextInt(RULES.size()));
            String others = random.nextBoolean() ? rules : RULES.get(random.nextInt(RULES.size()));
            int size = 2 + random.nextInt(3);
            PodGroup group = group(name, Math.max(1, size - random.nextInt(2)), random.nextInt(3) == 0 ? "rack" : "");
            groups.put(name, group);
            scene.put(group);
            story.add("group " + group);
            for (int i = 0; i < size; i++) {
                Pod pod = member(name, i, i == 0 ? rules : others);
                members.put(pod.name(), pod);
                story.add("member " + pod.name() + " " + (i == 0 ? rules : others));
                scene.put(pod);
            }
        }

        private void putGroup(String name) {
            PodGroup before = groups.get(name);
            PodGroup group =
                    group(name, 1 + random.nextInt(4), before.topologyKey().orElse(""));
            groups.put(name, group);
            story.add("group " + group);
            scene.put(group);
        }

        private void putOther() {
            if (nodes.isEmpty()) {
                return;
            }
            String node = any(List.copyOf(nodes.keySet())).orElseThrow();
            String name = "o" + made++;
            String rules = random.nextInt(4) == 0 ? affinity("podAntiAffinity", ZONE, "gang") : "";
            Pod pod = pod(
                    name,
                    random.nextInt(5) == 0 ? 1 : 9,
                    labelled(random.nextBoolean() ? "other" : "gang", rules + "\"nodeName\": \"" + node + "\", "));
            others.add(name);
            story.add("pod " + name + " on " + node + " " + pod.spec().priority() + " " + rules + pod.labels());
            scene.put(pod);
        }

        private void removeOther(String name) {
            others.remove(name);
            members.remove(name);
            story.add("no pod " + name);
            scene.remove(scene.pod(name));
        }

        private void removeMember(String name) {
            if (scene.places.containsKey(name)) {
                removeOther(name);
            }
        }

        private void relabel(String name) {
            String app = random.nextBoolean() ? "other" : "gang";
            story.add("pod " + name + " is " + app);
            scene.put(PodBuilder.from(scene.pod(name)).label("app", app).build());
        }

        private void mustNotSleep() {
            List<QueueEntryView> queue = scene.scheduler.queue().view();
            boolean isRoomKept =
                    queue.stream().anyMatch(entry -> !entry.nominatedNode().isEmpty());
            if (isRoomKept) {
                return;
            }
            for (String group : groups.keySet()) {
                List<Pod> waiting = waiting(group, queue);
                if (!waiting.isEmpty() && isAsleep(group, queue) && startsAnew(waiting)) {
                    throw new AssertionError("seed " + seed + ": " + group + " sleeps\n" + String.join("\n", story)
                            + "\n" + scene.conditions());
                }
            }
        }

        private List<Pod> waiting(String group, List<QueueEntryView> queue) {
            return queue.stream()
                    .map(entry -> scene.pod(entry.key().substring("default/".length())))
                    .filter(pod -> pod.spec().podGroupName().equals(group))
                    .toList();
        }

        private boolean isAsleep(String group, List<QueueEntryView> queue) {
            return queue.stream()
                    .filter(entry -> entry.key().startsWith("default/" + group + "-"))
                    .allMatch(entry -> entry.state() == QueueState.UNSCHEDULABLE);
        }

        private boolean startsAnew(List<Pod> waiting) {
            LiveScene anew = LiveScene.of("GangScheduling", List.of());
            Stream<KubernetesObject> all = Stream.of(
                            nodes.values().stream(),
                            groups.values().stream(),
                            Stream.concat(others.stream(), scene.places.keySet().stream())
                                    .map(scene::pod),
                            waiting.stream())
                    .flatMap(some -> some);
            all.forEach(anew::put);
            anew.later(LONG);
            return waiting.stream().anyMatch(pod -> anew.places.containsKey(pod.name())) || !anew.evicted.isEmpty();
        }
    }
}
