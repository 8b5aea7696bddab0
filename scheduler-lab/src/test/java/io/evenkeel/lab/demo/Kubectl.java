package io.evenkeel.lab.demo;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.Patch;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.hollow.resource.ResourceType;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;

/** Carries out the commands that {@code why} names as a shell and kubectl do: by the same requests. */
final class Kubectl {
    private static final String JSON_PATCH = "application/json-patch+json";

    private final Stage stage;

    Kubectl(Stage stage) {
        this.stage = stage;
    }

    /** Commands of a line, one after the other, and what a pipe hands from one to the next. */
    void type(String line) {
        String piped = "";
        for (List<String> words : commands(line)) {
            boolean isPiped = words.getFirst().equals("|");
            List<String> rest = isPiped || words.getFirst().equals("&&") ? words.subList(1, words.size()) : words;
            piped = run(rest, isPiped ? piped : "");
        }
    }

    /** The words of each command; those of all but the first begin with what comes before it. */
    private static List<List<String>> commands(String line) {
        List<List<String>> commands = new ArrayList<>(List.of(new ArrayList<>()));
        StringBuilder word = new StringBuilder();
        boolean isQuoted = false;
        boolean isEscaped = false;
        for (char c : (line.strip() + " ").toCharArray()) {
            if (isEscaped) {
                word.append(c);
                isEscaped = false;
            } else if (c == '\\' && !isQuoted) {
                isEscaped = true;
            } else if (c == '\'') {
                isQuoted = !isQuoted;
            } else if (c == ' ' && !isQuoted) {
                if (word.toString().equals("|") || word.toString().equals("&&")) {
                    commands.add(new ArrayList<>());
                }
                commands.getLast().add(word.toString());
                word.setLength(0);
            } else {
                word.append(c);
            }
        }
        return commands;
    }

    private String run(List<String> words, String in) {
        if (words.getFirst().equals("echo")) {
            return words.getLast();
        }
        return switch (words.get(1)) {
            case "uncordon" -> patch("node", "", words.get(2), """
                    {"spec":{"unschedulable":false}}""");
            case "label" -> {
                String[] label = words.get(4).split("=", 2);
                yield patch("node", "", words.get(3), """
                        {"metadata":{"labels":{"%s":"%s"}}}""".formatted((Object[]) label));
            }
            case "delete" -> {
                stage.user().delete(typeOf(words.get(2)), after(words, "-n"), words.get(3));
                yield "";
            }
            case "create" -> create(Trees.parse(in));
            case "get" -> get(words.get(2), after(words, "-n"), words.get(3)).toString();
            case "patch" -> words.contains("--local") ? patched(in, after(words, "-p")) : patch(words);
            case "replace" -> replace(Trees.parse(in));
            case "set" -> setResources(words);
            default -> throw new AssertionError("no such command: " + words);
        };
    }

    private String patch(List<String> words) {
        String[] object =
                words.get(2).contains("/") ? words.get(2).split("/", 2) : new String[] {words.get(2), words.get(3)};
        String namespace = words.contains("-n") ? after(words, "-n") : "";
        stage.user().patchByOperations(typeOf(object[0]), namespace, object[1], after(words, "-p"));
        return "";
    }

    private String patch(String kind, String namespace, String name, String patch) {
        stage.user().patch(typeOf(kind), namespace, name, patch);
        return "";
    }

    private static String patched(String object, String operations) {
        return Patch.read(JSON_PATCH, operations).applyTo(Trees.parse(object)).toString();
    }

    /** {@code set resources KIND/NAME -n NAMESPACE -c CONTAINER --requests=RESOURCE=AMOUNT …}. */
    private String setResources(List<String> words) {
        String[] workload = words.get(3).split("/", 2);
        JsonObject resources = new JsonObject();
        for (String word : words) {
            if (word.startsWith("--")) {
                String[] option = word.substring(2).split("=", 2);
                JsonObject amounts = new JsonObject();
                for (String amount : option[1].split(",", -1)) {
                    amounts.addProperty(amount.split("=", 2)[0], amount.split("=", 2)[1]);
                }
                resources.add(option[0], amounts); // of several, kubectl takes the last
            }
        }
        return patch(workload[0], after(words, "-n"), workload[1], """
                {"spec":{"template":{"spec":{"containers":[{"name":"%s","resources":%s}]}}}}""".formatted(after(words, "-c"), resources));
    }

    private String create(JsonObject object) {
        JsonObject meta = object.getAsJsonObject("metadata");
        String namespace = Trees.text(meta, "namespace");
        List.of("resourceVersion", "uid", "creationTimestamp").forEach(meta::remove);
        stage.user().create(namespace, object.toString());
        return "";
    }

    private String replace(JsonObject pod) {
        JsonObject meta = pod.getAsJsonObject("metadata");
        stage.user().delete(ResourceTable.PODS, Trees.text(meta, "namespace"), Trees.text(meta, "name"));
        return create(pod);
    }

    private JsonObject get(String kind, String namespace, String name) {
        return Trees.parse(stage.world()
                .objects()
                .get(typeOf(kind), namespace, name)
                .orElseThrow(() -> new AssertionError("there is no " + kind + " " + name)));
    }

    private static ResourceType typeOf(String kind) {
        return switch (kind) {
            case "node" -> ResourceTable.NODES;
            case "pod" -> ResourceTable.PODS;
            case "deployment" -> ResourceTable.DEPLOYMENTS;
            case "replicaset" -> ResourceTable.REPLICA_SETS;
            case "statefulset" -> ResourceTable.STATEFUL_SETS;
            default -> throw new AssertionError("no such kind: " + kind);
        };
    }

    private static String after(List<String> words, String option) {
        return words.get(words.indexOf(option) + 1);
    }
}
