package io.evenkeel.e2e.firsthour;

import static io.evenkeel.e2e.scene.Eventually.eventually;

import com.google.gson.Gson;
import com.google.gson.JsonObject;
import io.evenkeel.e2e.firsthour.Shell.Answer;
import io.evenkeel.e2e.scene.KubeApi;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.model.json.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * As much of kubectl as a new user's commands take, so that a build needs none: {@code apply}, {@code get}, {@code wait},
 * {@code scale}, {@code cordon}, {@code uncordon} and {@code delete}. Behind the verb comes what it is about.
 */
record Kubectl(Path home) {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String NODES = "/api/v1/nodes";

    Answer run(List<String> typed) throws IOException {
        List<String> words = new ArrayList<>(typed);
        int option = words.indexOf("--kubeconfig");
        Path kubeconfig = home.resolve(words.get(option + 1));
        words.subList(option, option + 2).clear();
        try (HttpTransport transport =
                HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "first hour", ApiObserver.NONE)) {
            return new Answer(0, run(words, new KubeApi(transport)), "");
        }
    }

    private String run(List<String> words, KubeApi api) throws IOException {
        String last = words.getLast();
        return switch (words.getFirst()) {
            case "apply" -> apply(Files.readString(home.resolve(last)), api);
            case "get" -> get(last.equals("nodes") ? NODES : PODS, api);
            case "wait" -> await(words, api);
            case "scale" -> {
                api.patch(
                        "/apis/apps/v1/namespaces/default/deployments/" + after(words.get(1), '/'),
                        "{spec: {replicas: " + after(last, '=') + "}}");
                yield words.get(1) + " scaled\n";
            }
            case "cordon", "uncordon" -> {
                api.patch(
                        NODES + "/" + last,
                        "{spec: {unschedulable: " + words.getFirst().equals("cordon") + "}}");
                yield "node/" + last + " " + words.getFirst() + "ed\n";
            }
            case "delete" -> {
                api.deleteNow(PODS + "/" + last);
                yield "pod/" + last + " deleted\n";
            }
            default -> throw new IllegalArgumentException("kubectl has no " + words.getFirst() + " here");
        };
    }

    private static String apply(String manifests, KubeApi api) {
        StringBuilder said = new StringBuilder();
        for (Object manifest : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(manifests)) {
            JsonObject tree = new Gson().toJsonTree(manifest).getAsJsonObject();
            tree.getAsJsonObject("metadata").addProperty("namespace", "default");
            api.create(tree);
            said.append(Trees.text(tree, "kind").toLowerCase(Locale.ROOT))
                    .append('/')
                    .append(Trees.text(tree, "metadata", "name"))
                    .append(" created\n");
        }
        return said.toString();
    }

    private static String get(String path, KubeApi api) {
        return api.list(path).stream()
                .map(object -> String.join(
                        " ",
                        Trees.text(object, "metadata", "name"),
                        Trees.text(object, "status", "phase"),
                        Trees.text(object, "spec", "nodeName")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    /** {@code wait --for=condition=PodScheduled[=False] pod -l app=APP}: until there are some, and it is so of all. */
    private static String await(List<String> words, KubeApi api) {
        String wanted = words.get(1).endsWith("=False") ? "False" : "True";
        String path = PODS + "?labelSelector=" + words.getLast().replace("=", "%3D");
        eventually(String.join(" ", words))
                .until(() ->
                        !api.list(path).isEmpty() && api.list(path).stream().allMatch(pod -> isScheduled(pod, wanted)));
        return "condition met\n";
    }

    private static boolean isScheduled(JsonObject pod, String wanted) {
        return Trees.objects(pod, "status", "conditions").stream()
                .anyMatch(condition -> Trees.text(condition, "type").equals("PodScheduled")
                        && Trees.text(condition, "status").equals(wanted));
    }

    private static String after(String word, char separator) {
        return word.substring(word.indexOf(separator) + 1);
    }
}
