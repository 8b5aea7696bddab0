package io.evenkeel.e2e.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.model.KubernetesObject;
import io.evenkeel.model.Pod;
import io.evenkeel.model.PodStatus;
import io.evenkeel.model.PriorityClass;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.tools.simulate.ExpandedPods;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The pods that are made of manifests are those that controllers and the API server make, as far as scheduling reads them. */
class ExpansionTest {
    private static final List<String> HASHES = List.of("pod-template-hash", "controller-revision-hash");

    private final ObjectReader reader = new ObjectReader();

    @TempDir
    private Path folder;

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13, 14, 15, 16})
    void podsAreThoseOfTheControllers(long seed) throws IOException {
        RandomScene scene = new RandomScene(seed);
        List<String> manifests = scene.before();
        try (LivedScene lived = new LivedScene(folder, scene.level())) {
            lived.create(scene.cluster());
            lived.create(manifests);
            lived.awaitPods(RandomScene.pods(manifests));

            assertThat(told(expanded(scene, manifests)))
                    .containsExactlyElementsOf(told(lived.objectsOfPods().stream()
                            .map(text -> (Pod) reader.read(text))
                            .toList()));
        }
    }

    private List<Pod> expanded(RandomScene scene, List<String> manifests) {
        List<PriorityClass> classes = new ArrayList<>();
        for (String text : scene.cluster()) {
            KubernetesObject object = reader.read(text);
            if (object instanceof PriorityClass known) {
                classes.add(known);
            }
        }
        return ExpandedPods.of(manifests, classes);
    }

    /** Pods as text, of which nothing is left that is drawn by lot: the end of a name, the hash of a template, UIDs, versions. */
    private static List<String> told(List<Pod> pods) {
        return pods.stream()
                .map(pod -> PodBuilder.from(pod)
                        .name(pod.meta()
                                .controller()
                                .filter(owner -> owner.kind().equals("ReplicaSet"))
                                .map(owner -> pod.name().replaceFirst("-[a-z0-9]{5}$", ""))
                                .orElse(pod.name()))
                        .uid("")
                        .version("", 0)
                        .status(PodStatus.PENDING)
                        .build())
                .map(pod -> HASHES.stream()
                        .map(label -> pod.labels().getOrDefault(label, ""))
                        .filter(hash -> !hash.isEmpty())
                        .reduce(pod.toString(), (text, hash) -> text.replace(hash, "HASH"))
                        .replaceAll("uid=[^],]*", "uid="))
                .sorted()
                .toList();
    }
}
