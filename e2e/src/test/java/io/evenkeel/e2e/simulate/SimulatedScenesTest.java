package io.evenkeel.e2e.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What simulate says of random clusters and manifests equals what the live scheduler then does when the same is done to a hollow
 * cluster: each pod's node, who waits, and with which words, where these last.
 */
class SimulatedScenesTest {
    @TempDir
    private Path folder;

    @Rotated(3)
    @ParameterizedTest
    @MethodSource("io.evenkeel.e2e.simulate.RandomScene#seeds")
    void whatIsSaidIsWhatHappens(long seed) throws IOException {
        RandomScene scene = new RandomScene(seed);
        try (LivedScene lived = new LivedScene(folder, scene.level())) {
            lived.create(scene.cluster());
            lived.create(scene.before());
            lived.awaitPods(RandomScene.pods(scene.before()));
            lived.schedule();
            boolean drains = scene.drained().isPresent()
                    && lived.count() == lived.placed().size();
            JsonObject said = simulate(lived, scene, drains);
            int there = lived.count();
            if (drains) {
                lived.drain(scene.drained().orElseThrow());
            }
            Set<String> staying = lived.placed();
            lived.create(scene.then());
            lived.awaitPods(there - said.getAsJsonArray("gone").size() + RandomScene.pods(scene.then()));
            lived.schedule();

            assertThat(places(said, scene.hasWordsThatLast()))
                    .as("seed %d, evicted %s", seed, said.get("evicted"))
                    .isEqualTo(lived.places(staying, scene.hasWordsThatLast()));
        }
    }

    private JsonObject simulate(LivedScene lived, RandomScene scene, boolean drains) throws IOException {
        Path manifests = Files.writeString(folder.resolve("then.json"), String.join("\n", scene.then()));
        List<String> typed = new ArrayList<>(List.of(
                "simulate",
                "--emulated-version=" + scene.level(),
                "--from",
                lived.kubeconfig().toString()));
        typed.addAll(List.of("-f", manifests.toString(), "-o", "json"));
        if (drains) {
            typed.addAll(List.of("--drain", scene.drained().orElseThrow()));
        }
        return JsonParser.parseString(Typing.evenkeel(typed.toArray(String[]::new)))
                .getAsJsonObject();
    }

    /** Where each pod goes that is to be placed, or that it waits; those that are not even made are left out. */
    private static Map<String, List<String>> places(JsonObject said, boolean withWords) {
        Map<String, List<String>> places = new TreeMap<>();
        for (JsonElement each : said.getAsJsonArray("pods")) {
            JsonObject pod = each.getAsJsonObject();
            String workload = pod.get("workload").getAsString();
            if (!pod.has("notMadeBefore") && !pod.has("preemptedBy")) {
                places.computeIfAbsent(workload.substring(workload.lastIndexOf('/') + 1), _ -> new ArrayList<>())
                        .add(
                                pod.has("node")
                                        ? pod.get("node").getAsString()
                                        : withWords ? pod.get("message").getAsString() : "waits");
            }
        }
        places.values().forEach(of -> of.sort(null));
        return places;
    }
}
