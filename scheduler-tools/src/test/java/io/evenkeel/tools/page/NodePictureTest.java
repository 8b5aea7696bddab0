package io.evenkeel.tools.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.json.Trees;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.why.AnswerSchema;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.UsualProfiles;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class NodePictureTest {
    private static final String ZONE = "topology.kubernetes.io/zone";

    private static NodePicture of(List<KubernetesObject> objects) {
        ClusterQuestions copy = new ClusterQuestions(
                UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});
        copy.tell(objects);
        return new NodePicture(copy.cluster());
    }

    private static JsonObject drawn(NodePicture picture, String key, String colour, List<Pod> counted) {
        String json = picture.tree(key, colour, counted, 0).json();
        assertThat(AnswerSchema.problems("Cluster", json)).isEmpty();
        return Trees.parse(json);
    }

    private static List<Integer> numbers(JsonObject tree, String list, String column) {
        JsonArray numbers = tree.getAsJsonObject(list).getAsJsonArray(column);
        return StreamSupport.stream(numbers.spliterator(), false)
                .map(number -> number.getAsInt())
                .toList();
    }

    private static Pod pod(String name, String node, String cpu) {
        return PodBuilder.pod("shop", name)
                .uid(name)
                .nodeName(node)
                .container(ContainerBuilder.container("c").requests("cpu", cpu).build())
                .build();
    }

    private static final List<KubernetesObject> THREE = List.of(
            NodeBuilder.node("a")
                    .zone("east")
                    .allocatable("cpu", "4", "memory", "8Gi", "pods", "2")
                    .build(),
            NodeBuilder.node("b")
                    .zone("west")
                    .allocatable("cpu", "8", "memory", "8Gi", "pods", "10")
                    .unschedulable(true)
                    .build(),
            NodeBuilder.node("c").allocatable("cpu", "8", "pods", "10").build(),
            pod("one", "a", "1"),
            pod("two", "b", "6"),
            pod("three", "b", "1"));

    @Test
    void levelsAreSharesOfWhatIsFullest() {
        JsonObject tree = drawn(of(THREE), "", NodePicture.FULLEST, List.of());

        // half of the pods of a, 7 of 8 cpu of b
        assertThat(numbers(tree, "nodes", "level")).containsExactly(500, 875, 0);
        assertThat(numbers(tree, "nodes", "domain")).containsExactly(0, 1, -1);
        assertThat(numbers(tree, "nodes", "flags")).containsExactly(0, 1, 0);
        assertThat(numbers(tree, "nodes", "pods")).containsExactly(1, 2, 0);
    }

    @Test
    void aResourceThatANodeDoesNotOfferHasNoLevel() {
        assertThat(numbers(drawn(of(THREE), ZONE, "memory", List.of()), "nodes", "level"))
                .containsExactly(0, 0, -1);
        assertThat(numbers(drawn(of(THREE), ZONE, "no/such", List.of()), "nodes", "level"))
                .containsExactly(-1, -1, -1);
    }

    @Test
    void aWorkloadsPodsAreCounted() {
        JsonObject tree = drawn(
                of(THREE), ZONE, "workload:shop/Deployment/web", List.of(pod("two", "b", "6"), pod("three", "b", "1")));

        assertThat(numbers(tree, "nodes", "level")).containsExactly(0, 2, 0);
        assertThat(Trees.text(tree, "unit")).isEqualTo("pods");
    }

    @Test
    void domainsHaveTheSumsOfTheirNodes() {
        List<JsonObject> domains = Trees.objects(drawn(of(THREE), ZONE, "cpu", List.of()), "domains");

        assertThat(domains).extracting(domain -> Trees.text(domain, "name")).containsExactly("east", "west");
        assertThat(Trees.text(domains.getLast(), "resources", "cpu", "asked")).isEqualTo("7");
        assertThat(Trees.text(domains.getLast(), "resources", "cpu", "allocatable"))
                .isEqualTo("8");
        assertThat(Trees.text(domains.getLast(), "pods")).isEqualTo("2");
    }

    @Test
    void aKeyOfNoNodeHasNoDomains() {
        JsonObject tree = drawn(of(THREE), "rack", NodePicture.FULLEST, List.of());

        assertThat(Trees.objects(tree, "domains")).isEmpty();
        assertThat(numbers(tree, "nodes", "domain")).containsOnly(-1);
    }

    @Test
    void aClusterWithoutNodesIsDrawnToo() {
        assertThat(numbers(drawn(of(List.of()), "", NodePicture.FULLEST, List.of()), "nodes", "level"))
                .isEmpty();
    }

    /** No node is lost in the cells, and none is in another domain's. */
    @Test
    void cellsOfManyNodesAddUp() {
        List<KubernetesObject> many = new ArrayList<>();
        for (int i = 0; i < 20_001; i++) {
            many.add(NodeBuilder.node("n" + i)
                    .zone("z" + i % 7)
                    .allocatable("cpu", "4", "pods", "10")
                    .build());
        }
        many.add(pod("one", "n7", "4"));

        JsonObject tree = drawn(of(many), "", "cpu", List.of());

        List<Integer> domains = numbers(tree, "cells", "domain");
        List<Integer> counts = numbers(tree, "cells", "nodes");
        int[] sums = new int[7];
        for (int i = 0; i < domains.size(); i++) {
            sums[domains.get(i)] += counts.get(i);
        }
        assertThat(sums).containsExactly(2858, 2858, 2857, 2857, 2857, 2857, 2857);
        assertThat(numbers(tree, "cells", "most")).hasSizeLessThan(5_020).contains(1000);
        assertThat(tree.toString()).hasSizeLessThan(100_000);
    }

    @Test
    void aNodeTakesFewBytes() {
        List<KubernetesObject> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.add(NodeBuilder.node("node-" + i)
                    .zone("z" + i % 5)
                    .allocatable("cpu", "4", "pods", "10")
                    .build());
        }

        assertThat(drawn(of(many), "", NodePicture.FULLEST, List.of()).toString())
                .hasSizeLessThan(5_000 * 30);
    }

    @Test
    void aNodeSaysWhatItIsFullestOf() {
        JsonObject tree = drawn(of(THREE), "", NodePicture.FULLEST, List.of());
        List<String> resources = tree.getAsJsonArray("resources").asList().stream()
                .map(name -> name.getAsString())
                .toList();

        assertThat(numbers(tree, "nodes", "of")).extracting(resources::get).containsExactly("pods", "cpu", "pods");
    }
}
