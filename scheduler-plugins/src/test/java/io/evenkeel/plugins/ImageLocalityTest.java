package io.evenkeel.plugins;

import static io.evenkeel.model.build.ContainerBuilder.container;
import static io.evenkeel.model.build.NodeBuilder.node;
import static io.evenkeel.model.build.PodBuilder.pod;
import static io.evenkeel.plugins.PluginHarness.cluster;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.Container;
import io.evenkeel.model.Node;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ImageLocalityTest {
    private static final long MIB = 1024 * 1024;

    @Test
    void theWorthOfAnImageIsItsSizeTimesTheShareOfNodesThatHoldIt() {
        PluginHarness cluster = cluster(
                node("one").image(300 * MIB, "a:1").image(40 * MIB, "b:1").build(),
                node("two").image(300 * MIB, "a:1").build(),
                node("none").build(),
                node("far").image(900 * MIB, "c:1").build());

        assertThat(cluster.scores(plugin(cluster), running("a:1", "b:1")))
                .as("(300·2/4 + 40/4 − 23) and (300·2/4 − 23) of 2·1000 − 23")
                .isEqualTo(Map.of("one", 6, "two", 6, "none", 0, "far", 0));
        assertThat(cluster.scores(plugin(cluster), running("c:1")))
                .as("(900/4 − 23) of 1000 − 23")
                .isEqualTo(Map.of("one", 0, "two", 0, "none", 0, "far", 20));
    }

    @Test
    void lessThan23MibIsNothingAndFrom1000MibAContainerItIsAll() {
        PluginHarness cluster = cluster(
                node("small").image(22 * MIB, "small:1").build(),
                node("large").image(3000 * MIB, "large:1").build());

        assertThat(cluster.scores(plugin(cluster), running("small:1"))).isEqualTo(Map.of("small", 0, "large", 0));
        assertThat(cluster.scores(plugin(cluster), running("large:1"))).isEqualTo(Map.of("small", 0, "large", 100));
        assertThat(cluster.scores(plugin(cluster), running("large:1", "absent:1")))
                .as("(1500 − 23) of 2·1000 − 23")
                .isEqualTo(Map.of("small", 0, "large", 74));
    }

    @Test
    void initContainersCountAsContainersAndImageVolumesOnlyAddBytes() {
        PluginHarness cluster = cluster(node("n").image(500 * MIB, "a:1").build());
        Pod init = pod("p").initContainer(container("i").image("a:1").build())
                .container(container("c").image("b:1").build())
                .build();
        Pod volume = pod("p").imageVolume("a:1")
                .container(container("c").image("b:1").build())
                .build();

        assertThat(cluster.scores(plugin(cluster), init)).isEqualTo(Map.of("n", 24));
        assertThat(cluster.scores(plugin(cluster), volume)).isEqualTo(Map.of("n", 48));
    }

    @Test
    void anImageThatIsUsedTwiceCountsTwice() {
        PluginHarness cluster = cluster(node("n").image(500 * MIB, "a:1").build());

        assertThat(cluster.scores(plugin(cluster), running("a:1", "a:1"))).isEqualTo(Map.of("n", 49));
    }

    @Test
    void aNameWithoutTagMeansLatestAndADigestIsKept() {
        PluginHarness cluster = cluster(node("n")
                .image(1000 * MIB, "registry:5000/a:latest", "registry:5000/a@sha256:77")
                .build());

        assertThat(cluster.scores(plugin(cluster), running("registry:5000/a"))).isEqualTo(Map.of("n", 100));
        assertThat(cluster.scores(plugin(cluster), running("registry:5000/a@sha256:77")))
                .isEqualTo(Map.of("n", 100));
        assertThat(cluster.scores(plugin(cluster), running("a"))).isEqualTo(Map.of("n", 0));
    }

    @Test
    void theSizeThatWasSeenFirstForANameHolds() {
        PluginHarness cluster = cluster(
                node("first").image(1000 * MIB, "a:1").build(),
                node("later").image(5 * MIB, "a:1").build());

        assertThat(cluster.scores(plugin(cluster), running("a:1"))).isEqualTo(Map.of("first", 100, "later", 100));
    }

    @Test
    void anotherNodeMakesAnImageWorthLess() {
        PluginHarness cluster = cluster(node("n").image(1000 * MIB, "a:1").build());
        ImageLocality plugin = plugin(cluster);
        assertThat(cluster.scores(plugin, running("a:1"))).isEqualTo(Map.of("n", 100));

        cluster.put(node("m").build());

        assertThat(cluster.scores(plugin, running("a:1"))).isEqualTo(Map.of("m", 0, "n", 48));
    }

    @Test
    void scoresFollowTheFormula() {
        RandomCluster any = RandomCluster.withTheSeed((random, node) -> {
            for (int i = random.nextInt(4); i > 0; i--) {
                int image = random.nextInt(5);
                node.image(sizeOf(image), "i" + image + ":1", "i" + image + "@sha256:0");
            }
        });
        PluginHarness cluster = any.harness();
        ImageLocality plugin = plugin(cluster);

        any.rounds(1_000, () -> {
            Pod pod = anyPod(any.random());
            if (any.random().nextInt(5) == 0) {
                cluster.put(pod("early")
                        .nodeName("unknown" + any.random().nextInt(9))
                        .build());
            }

            assertThat(cluster.scores(plugin, pod)).isEqualTo(naiveScores(cluster, pod));
        });
    }

    private static Map<String, Integer> naiveScores(PluginHarness cluster, Pod pod) {
        List<Node> nodes = cluster.names().stream()
                .map(name -> cluster.state()
                        .view()
                        .nodes()
                        .node(cluster.state().view().nodes().find(name)))
                .toList();
        List<String> used = new ArrayList<>(pod.spec().imageVolumes());
        pod.spec().initContainers().stream().map(Container::image).forEach(used::add);
        pod.spec().containers().stream().map(Container::image).forEach(used::add);
        int containers =
                pod.spec().initContainers().size() + pod.spec().containers().size();

        Map<String, Integer> scores = new TreeMap<>();
        for (Node node : nodes) {
            long sum = 0;
            for (String image : used) {
                if (holds(node, image)) {
                    long holders =
                            nodes.stream().filter(other -> holds(other, image)).count();
                    double share = (double) holders / nodes.size();
                    sum += (long) (sizeOf(image.charAt(1) - '0') * share);
                }
            }
            long limited = Math.clamp(sum, 23 * MIB, 1000 * MIB * containers);
            scores.put(node.name(), (int) (100 * (limited - 23 * MIB) / (1000 * MIB * containers - 23 * MIB)));
        }
        return scores;
    }

    private static boolean holds(Node node, String image) {
        return node.images().stream().anyMatch(held -> held.names().contains(image));
    }

    private static long sizeOf(int image) {
        return List.of(7L, 60L, 333L, 1024L, 5000L).get(image) * 999_983;
    }

    private static Pod anyPod(SplittableRandom random) {
        PodBuilder pod =
                pod("p").container(container("c").image(anyImage(random)).build());
        for (int i = random.nextInt(3); i > 0; i--) {
            switch (random.nextInt(3)) {
                case 0 -> pod.imageVolume(anyImage(random));
                case 1 ->
                    pod.initContainer(container("i" + i).image(anyImage(random)).build());
                default ->
                    pod.container(container("c" + i).image(anyImage(random)).build());
            }
        }
        return pod.build();
    }

    private static String anyImage(SplittableRandom random) {
        return "i" + random.nextInt(5) + (random.nextBoolean() ? ":1" : "@sha256:0");
    }

    private static ImageLocality plugin(PluginHarness cluster) {
        return new ImageLocality(cluster.context());
    }

    private static Pod running(String... images) {
        PodBuilder pod = pod("p");
        for (String image : images) {
            pod.container(container(image).image(image).build());
        }
        return pod.build();
    }
}
