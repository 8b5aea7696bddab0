package io.evenkeel.serve;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonPrimitive;
import com.google.gson.JsonSyntaxException;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import evenkeel.whatif.v1.SessionRequest;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.model.json.Trees;
import io.evenkeel.model.kind.Kinds;
import io.evenkeel.model.read.ObjectReader;
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
                .answer(request, limits.objects());
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
        JsonObject request = new JsonObject();
        request.add("steps", wrapped(steps));
        try {
            SessionRequest.Builder read = SessionRequest.newBuilder();
            JsonFormat.parser().merge(request.toString(), read);
            return read.build();
        } catch (InvalidProtocolBufferException wrong) {
            throw new StepException(QUESTIONS + ": " + wrong.getMessage());
        }
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
            when object.has("metadata") -> {
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
                object.asMap().forEach((name, value) -> all.add(name, wrapped(value)));
                return all;
            }
            default -> {
                return element;
            }
        }
    }
}
