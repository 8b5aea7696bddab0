package io.evenkeel.e2e.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A dump is as good as the cluster, and one without names as good as one with them. */
class DumpedScenesTest {
    @TempDir
    private Path folder;

    @Rotated(3)
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void theSameIsSaidOfADumpWithNamesOrWithout(long seed) throws IOException {
        RandomScene scene = new RandomScene(seed);
        try (LivedScene lived = new LivedScene(folder, scene.level())) {
            lived.create(scene.cluster());
            lived.create(scene.before());
            lived.create(scene.then());
            lived.awaitPods(RandomScene.pods(scene.before()) + RandomScene.pods(scene.then()));
            String cluster = lived.kubeconfig().toString();
            String level = "--emulated-version=" + scene.level();
            Path named = folder.resolve("named.jsonl");
            Path nameless = folder.resolve("nameless.jsonl.gz");
            Typing.evenkeel("dump", "--kubeconfig", cluster, "-o", named.toString());
            Typing.evenkeel("dump", "--kubeconfig", cluster, "--anonymise", "-o", nameless.toString());

            String live = Typing.evenkeel("simulate", level, "--from", cluster, "-o", "json");

            assertThat(Typing.evenkeel("simulate", level, "--dump", named.toString(), "-o", "json"))
                    .isEqualTo(live);
            JsonObject known = JsonParser.parseString(live).getAsJsonObject();
            JsonObject unknown = JsonParser.parseString(
                            Typing.evenkeel("simulate", level, "--dump", nameless.toString(), "-o", "json"))
                    .getAsJsonObject();
            assertThat(unknown.get("placed")).isEqualTo(known.get("placed"));
            assertThat(podsByNode(unknown).values())
                    .containsExactlyElementsOf(podsByNode(known).values());
        }
    }

    /** How many pods go to each node, in the order of the names. */
    private static Map<String, Integer> podsByNode(JsonObject said) {
        Map<String, Integer> pods = new TreeMap<>();
        for (JsonElement pod : said.getAsJsonArray("pods")) {
            if (pod.getAsJsonObject().has("node")) {
                pods.merge(pod.getAsJsonObject().get("node").getAsString(), 1, Integer::sum);
            }
        }
        return pods;
    }
}
