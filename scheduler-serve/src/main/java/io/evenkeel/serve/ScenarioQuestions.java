package io.evenkeel.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSyntaxException;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import evenkeel.whatif.v1.KubernetesObject;
import evenkeel.whatif.v1.ObjectName;
import evenkeel.whatif.v1.SessionRequest;
import evenkeel.whatif.v1.Step;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.decode.cursor.Excerpt;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
import io.evenkeel.problem.NearestName;
import io.evenkeel.serve.ObjectsOnWire.StepException;
import io.evenkeel.tools.replay.Replay;
import io.evenkeel.tools.replay.ScenarioCluster;
import io.evenkeel.tools.replay.ScenarioSource;
import io.evenkeel.whatif.ClusterSnapshot;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The questions of a scenario, as JSON: its field {@code questions} is the steps of a session on the scenario's cluster. An object
 * of Kubernetes stands there as it is, without {@code {"json": …}} around it; one that names no kind is a Pod.
 */
record ScenarioQuestions(PluginRegistry plugins, FeatureGates gates, WhatIfLimits limits) {
    private static final String QUESTIONS = "questions";
    private static final String METADATA = "metadata";

    /**
     * The answers, an object as JSON.
     *
     * @throws StepException if the scenario makes no sense; the message is a line
     */
    String answer(String scenario) {
        JsonObject tree;
        try {
            tree = Trees.parse(scenario);
        } catch (JsonSyntaxException malformed) {
            throw new StepException("expected a scenario, an object in JSON");
        } catch (JsonParseException other) {
            throw new StepException(String.valueOf(other.getMessage()));
        }
        SessionRequest request = request(tree.remove(QUESTIONS));
        StringWriter out = new StringWriter();
        List<String> problems = new ArrayList<>();
        byte[] rest = tree.toString().getBytes(StandardCharsets.UTF_8);
        boolean isAnswered = Replay.telling(plugins, gates, cluster -> answer(cluster, request))
                .run(
                        ScenarioSource.standardInput(new ByteArrayInputStream(rest)),
                        new PrintWriter(out),
                        problem -> problems.add(problem.replaceFirst("^standard input:1: ", "")));
        if (!isAnswered) {
            throw new StepException(problems.isEmpty() ? "there is no answer" : problems.getLast());
        }
        return out.toString().strip();
    }

    private String answer(ScenarioCluster scenario, SessionRequest request) {
        ClusterSnapshot cluster = scenario.snapshot();
        Kinds kinds = Kinds.of(cluster.kinds());
        var response = new TrialClusters(cluster, true, new ObjectsOnWire(new ObjectReader(kinds), kinds), limits)
                .answer(request, limits.objects(), () -> {});
        try {
            JsonObject results = Trees.parse(JsonFormat.printer()
                    .omittingInsignificantWhitespace()
                    .alwaysPrintFieldsWithNoPresence()
                    .print(response));
            JsonObject answer = new JsonObject();
            answer.addProperty("name", scenario.name());
            answer.add("results", results.get("results"));
            return answer.toString();
        } catch (InvalidProtocolBufferException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static SessionRequest request(@Nullable JsonElement questions) {
        if (!(questions instanceof JsonArray steps)) {
            throw new StepException(QUESTIONS + ": expected a list of steps");
        }
        SessionRequest.Builder request = SessionRequest.newBuilder();
        for (int i = 0; i < steps.size(); i++) {
            String path = QUESTIONS + "[" + i + "]";
            JsonElement step = steps.get(i);
            check(path, step, Step.getDescriptor());
            if (step.getAsJsonObject().size() != 1) {
                throw new StepException(path + ": expected one of " + String.join(", ", names(Step.getDescriptor()))
                        + ", got " + Excerpt.of(step.toString()));
            }
            try {
                JsonFormat.parser().merge(wrapped(step).toString(), request.addStepsBuilder());
            } catch (InvalidProtocolBufferException other) {
                throw new StepException(path + ": cannot be read: " + Excerpt.of(step.toString()));
            }
        }
        return request.build();
    }

    private static List<String> names(Descriptor message) {
        return message.getFields().stream().map(FieldDescriptor::getJsonName).toList();
    }

    /** The library's own words name its classes, and no place. */
    private static void check(String path, JsonElement given, Descriptor message) {
        if (!(given instanceof JsonObject object)) {
            throw new StepException(path + ": expected an object, got " + Excerpt.of(given.toString()));
        }
        if (object.has(METADATA) && isOneObject(message)) {
            return;
        }
        if (message.equals(KubernetesObject.getDescriptor()) && !isEncoded(object)) {
            throw new StepException(path + ": expected an object with its metadata, or {\"pod\": \"namespace/name\"},"
                    + " got " + Excerpt.of(given.toString()));
        }
        for (var member : object.entrySet()) {
            FieldDescriptor field = message.getFields().stream()
                    .filter(each -> member.getKey().equals(each.getJsonName())
                            || member.getKey().equals(each.getName()))
                    .findFirst()
                    .orElseThrow(() -> new StepException(path + "." + Excerpt.of(member.getKey()) + ": unknown field"
                            + NearestName.hint(member.getKey(), names(message))));
            String at = path + "." + member.getKey();
            if (!field.isRepeated()) {
                check(at, member.getValue(), field);
            } else if (member.getValue() instanceof JsonArray list) {
                for (int i = 0; i < list.size(); i++) {
                    check(at + "[" + i + "]", list.get(i), field);
                }
            } else {
                throw new StepException(at + ": expected a list, got "
                        + Excerpt.of(member.getValue().toString()));
            }
        }
    }

    private static boolean isOneObject(Descriptor message) {
        return message.equals(KubernetesObject.getDescriptor()) || message.equals(ObjectName.getDescriptor());
    }

    private static boolean isEncoded(JsonObject object) {
        return object.size() == 1
                && names(KubernetesObject.getDescriptor()).stream()
                        .anyMatch(form -> object.get(form) instanceof JsonPrimitive);
    }

    private static void check(String path, JsonElement given, FieldDescriptor field) {
        if (field.getJavaType() == JavaType.MESSAGE) {
            check(path, given, field.getMessageType());
            return;
        }
        boolean isSo = given instanceof JsonPrimitive value
                && switch (field.getJavaType()) {
                    case BOOLEAN -> value.isBoolean();
                    case INT -> value.isNumber() && value.getAsString().matches("[0-9]{1,10}");
                    default -> value.isString();
                };
        if (!isSo) {
            String expected = switch (field.getJavaType()) {
                case BOOLEAN -> "true or false";
                case INT -> "a whole number";
                default -> "a string";
            };
            throw new StepException(path + ": expected " + expected + ", got " + Excerpt.of(given.toString()));
        }
    }

    /** What is deleted is named, if an object stands there whole. */
    private static JsonElement named(JsonElement deleted) {
        if (!(deleted instanceof JsonObject object && object.has(METADATA))) {
            return deleted;
        }
        String kind = Trees.text(object, "kind");
        return Trees.of(
                "kind", kind.isEmpty() ? "Pod" : kind,
                "apiVersion", Trees.text(object, "apiVersion"),
                "namespace", Trees.text(object, METADATA, "namespace"),
                "name", Trees.text(object, METADATA, "name"));
    }

    /** The same with each object of Kubernetes, which is known by its metadata, in the form of the messages. */
    private static JsonElement wrapped(JsonElement element) {
        switch (element) {
            case JsonArray list -> {
                JsonArray all = new JsonArray();
                list.forEach(each -> all.add(wrapped(each)));
                return all;
            }
            case JsonObject object
            when object.has(METADATA) -> {
                JsonObject whole = object.deepCopy();
                if (!whole.has("kind")) {
                    whole.add("kind", new JsonPrimitive("Pod"));
                }
                JsonObject inside = new JsonObject();
                inside.addProperty("json", whole.toString());
                return inside;
            }
            case JsonObject object -> {
                JsonObject all = new JsonObject();
                object.asMap()
                        .forEach((name, value) -> all.add(name, name.equals("delete") ? named(value) : wrapped(value)));
                return all;
            }
            default -> {
                return element;
            }
        }
    }
}
