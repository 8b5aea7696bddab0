package io.evenkeel.tools.dump;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.HostPort;
import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.ObjectMeta;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodDisruptionBudget;
import io.evenkeel.model.Service;
import io.evenkeel.model.TaintEffect;
import io.evenkeel.model.build.ContainerBuilder;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.constraint.TopologySpreadConstraint;
import io.evenkeel.model.constraint.TopologySpreadConstraint.WhenUnsatisfiable;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.model.write.ObjectWriter;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.rotation.Rotated;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.why.ClusterQuestions;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.PodReport;
import io.evenkeel.tools.why.Requester;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a cluster without names the same is said as of the one with them, but for the names. */
class AnonymousAnswersTest {
    private static final Pattern WORD = Pattern.compile("\\bn?acme\\w*");
    private static final String ZONE = "topology.kubernetes.io/zone";

    @Rotated(3)
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void areThoseOfTheClusterWithNames(long seed) throws IOException {
        List<KubernetesObject> named = cluster(new Random(seed));
        Anonymised anonymised = new Anonymised(Kinds.IN_TREE, named);
        ObjectWriter writer = new ObjectWriter();
        List<KubernetesObject> nameless = new ArrayList<>();
        for (KubernetesObject object : named) {
            String line = anonymised.apply(writer.json(object));
            assertThat(line).doesNotContainIgnoringCase("acme");
            nameless.add(new ObjectReader().read(line));
        }
        Map<String, String> words = words(named.stream().map(writer::json).toList(), anonymised);
        ClusterQuestions before = told(named);
        ClusterQuestions after = told(nameless);
        for (int i = 0; i < named.size(); i++) {
            if (named.get(i) instanceof Pod pod && nameless.get(i) instanceof Pod other) {
                assertThat(text(after, other)).isEqualTo(renamed(text(before, pod), words));
            }
        }
    }

    private static ClusterQuestions told(List<KubernetesObject> objects) {
        ClusterQuestions questions = new ClusterQuestions(
                UsualProfiles.CONFIGURATION, InTreePlugins.registry(), Judgement.OWN, (_, _) -> {});
        questions.tell(objects);
        return questions;
    }

    private static String text(ClusterQuestions questions, Pod pod) throws IOException {
        PodReport report = questions.about(pod.key(), Requester.OPERATOR).orElseThrow();
        return report.wide(Layout.of(1_000))
                + report.text(Layout.of(1_000)).replace("~1", "/"); // a slash in a JSON pointer
    }

    /** What became of every word that is a user's: all begin with acme, or with nacme where they are sorted among words that stay. */
    private static Map<String, String> words(List<String> lines, Anonymised anonymised) {
        Map<String, String> words = new TreeMap<>();
        for (String line : lines) {
            WORD.matcher(line)
                    .results()
                    .map(MatchResult::group)
                    .forEach(word -> words.computeIfAbsent(word, known -> {
                        Pod named = PodBuilder.pod(known).build();
                        return new ObjectReader()
                                .read(anonymised.apply(new ObjectWriter().json(named)))
                                .meta()
                                .name();
                    }));
        }
        return words;
    }

    private static String renamed(String text, Map<String, String> words) {
        String renamed = text;
        for (Map.Entry<String, String> word : words.entrySet()) {
            renamed = renamed.replaceAll("\\b" + word.getKey() + "\\b", word.getValue());
        }
        return renamed;
    }

    private static List<KubernetesObject> cluster(Random random) {
        List<KubernetesObject> objects = new ArrayList<>();
        int nodes = 3 + random.nextInt(4);
        for (int i = 0; i < nodes; i++) {
            NodeBuilder node = NodeBuilder.node("acmenode" + i)
                    .hostname("acmenode" + i)
                    .label("acmecorp.acmecom/acmekey", "acmepool" + random.nextInt(2))
                    .label(ZONE, "acmezone" + random.nextInt(2))
                    .unschedulable(random.nextInt(6) == 0)
                    .allocatable(
                            "cpu", "4", "memory", "8Gi", "pods", "10", "nvidia.com/gpu", "1", "nacmecom/nacmechip", "1")
                    .image(500_000_000, "acmeregistry:5000/acmeapp" + random.nextInt(2) + ":latest")
                    .declaredFeatures(
                            random.nextBoolean() ? Set.of("UserNamespacesHostNetworkSupport") : Set.of("acme"));
            if (random.nextInt(3) == 0) {
                node.taint("acmecorp.acmecom/acmetaint", "acmevalue", TaintEffect.NO_SCHEDULE);
            }
            objects.add(node.build());
        }
        objects.add(new Service(
                ObjectMeta.named("acmespace", "acmeservice"),
                Labels.of(Map.of("acmelabel", "acmeapp0", "matchLabels", "acme"))));
        objects.add(new PodDisruptionBudget(
                ObjectMeta.named("acmespace", "acmebudget"),
                LabelSelector.matchingLabels(Map.of("acmelabel", "acmeapp1")),
                1,
                Set.of("acmepoda")));
        for (int i = 0; i < 12; i++) {
            String app = "acmeapp" + random.nextInt(2);
            PodBuilder pod = PodBuilder.pod("acmespace", "acmepod" + (char) ('a' + i))
                    .uid("u" + i)
                    .schedulerName(random.nextInt(4) == 0 ? "acmescheduler" : "default-scheduler")
                    .hostNetwork(i % 4 == 0)
                    .hostUsers(i % 4 != 0)
                    .label("acmelabel", app)
                    .label("acmecorp.acmecom/acmekey", "acmepool0")
                    .container(ContainerBuilder.container("acme")
                            .image("acmeregistry:5000/" + app)
                            .requests(
                                    "cpu",
                                    String.valueOf(1 + random.nextInt(3)),
                                    random.nextInt(4) == 0 ? "nvidia.com/gpu" : "nacmecom/nacmechip",
                                    "1")
                            .hostPort(new HostPort("0.0.0.0", "TCP", 8000 + i % 3))
                            .build())
                    .spread(TopologySpreadConstraint.of(
                            1,
                            ZONE,
                            WhenUnsatisfiable.DO_NOT_SCHEDULE,
                            LabelSelector.matchingLabels(Map.of("acmelabel", app))));
            if (random.nextInt(4) == 0) {
                pod.nodeSelector("acmecorp.acmecom/acmekey", "acmepool" + random.nextInt(2));
            }
            objects.add((i < 6 ? pod.nodeName("acmenode" + random.nextInt(nodes)) : pod).build());
        }
        return objects;
    }
}
