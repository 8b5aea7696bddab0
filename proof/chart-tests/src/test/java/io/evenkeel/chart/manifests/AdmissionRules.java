package io.evenkeel.chart.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;
import dev.cel.bundle.Cel;
import dev.cel.bundle.CelFactory;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import io.evenkeel.chart.helm.Manifest;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The expressions of a ValidatingAdmissionPolicy, evaluated as an API server evaluates them. */
final class AdmissionRules {
    private final Manifest policy;
    private final Cel cel = CelFactory.standardCelBuilder()
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .addVar("object", SimpleType.DYN)
            .addVar("oldObject", SimpleType.DYN)
            .addVar("request", SimpleType.DYN)
            .addVar("variables", SimpleType.DYN)
            .build();

    private final Map<String, CelRuntime.Program> programs = new HashMap<>();

    AdmissionRules(Manifest policy) {
        this.policy = policy;
    }

    private Object value(String expression, Map<String, Object> inputs) throws CelEvaluationException {
        return programs.computeIfAbsent(expression, this::program).eval(inputs);
    }

    private CelRuntime.Program program(String expression) {
        try {
            return cel.createProgram(cel.compile(expression).getAst());
        } catch (CelValidationException | CelEvaluationException unusable) {
            throw new AssertionError(expression, unusable);
        }
    }

    /** Whether the server takes an object in the place of another from this user. */
    boolean takes(JsonObject before, JsonObject now, String user) {
        Map<String, Object> variables = new HashMap<>();
        Map<String, Object> inputs = new HashMap<>();
        inputs.put("object", plain(now));
        inputs.put("oldObject", plain(before));
        inputs.put("request", Map.of("userInfo", Map.of("username", user)));
        inputs.put("variables", variables);
        try {
            if (!areAllTrue("matchConditions", inputs)) {
                return true;
            }
            for (JsonObject variable : policy.objects("spec", "variables")) {
                variables.put(Trees.text(variable, "name"), value(Trees.text(variable, "expression"), inputs));
            }
            return areAllTrue("validations", inputs);
        } catch (CelEvaluationException refused) {
            return false; // by its failurePolicy
        }
    }

    private boolean areAllTrue(String rules, Map<String, Object> inputs) throws CelEvaluationException {
        for (JsonObject rule : policy.objects("spec", rules)) {
            if (!value(Trees.text(rule, "expression"), inputs).equals(true)) {
                return false;
            }
        }
        return true;
    }

    private static Object plain(JsonElement element) {
        return new Gson().fromJson(element, Object.class);
    }

    /** Each value of metadata and spec is changed, taken away, and given a neighbour. */
    void assertTakesNoChange(JsonObject object, String user, Set<String> but) {
        List<String> taken = new ArrayList<>();
        int tried = 0;
        for (String part : List.of("metadata", "spec")) {
            for (List<String> path : paths(object.getAsJsonObject(part), List.of(part), but)) {
                for (Change change : Change.values()) {
                    JsonObject now = object.deepCopy();
                    change.at(now, path);
                    tried++;
                    if (takes(object, now, user)) {
                        taken.add(change + " " + path);
                    }
                }
            }
        }
        assertThat(taken).isEmpty();
        assertThat(tried).isGreaterThan(100);
    }

    private enum Change {
        ANOTHER,
        NONE,
        MORE;

        void at(JsonObject tree, List<String> path) {
            JsonElement around = tree;
            for (String step : path.subList(0, path.size() - 1)) {
                around = around instanceof JsonArray list
                        ? list.get(Integer.parseInt(step))
                        : around.getAsJsonObject().get(step);
            }
            String last = path.getLast();
            switch (around) {
                case JsonArray list -> {
                    switch (this) {
                        case ANOTHER -> list.set(Integer.parseInt(last), new JsonPrimitive("another"));
                        case NONE -> list.remove(Integer.parseInt(last));
                        case MORE -> list.add("more");
                    }
                }
                default -> {
                    JsonObject map = around.getAsJsonObject();
                    switch (this) {
                        case ANOTHER -> map.addProperty(last, "another");
                        case NONE -> map.remove(last);
                        case MORE -> map.addProperty(last + "-more", "more");
                    }
                }
            }
        }
    }

    private static List<List<String>> paths(JsonElement tree, List<String> above, Set<String> without) {
        List<List<String>> found = new ArrayList<>();
        List<Map.Entry<String, JsonElement>> members = new ArrayList<>();
        if (tree instanceof JsonObject map) {
            members.addAll(map.asMap().entrySet());
        } else if (tree instanceof JsonArray list) {
            for (int i = 0; i < list.size(); i++) {
                members.add(Map.entry(Integer.toString(i), list.get(i)));
            }
        }
        for (Map.Entry<String, JsonElement> member : members) {
            if (!without.contains(member.getKey())) {
                List<String> path = new ArrayList<>(above);
                path.add(member.getKey());
                found.add(path);
                found.addAll(paths(member.getValue(), path, without));
            }
        }
        return found;
    }
}
