package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A whole policy. */
public final class PolicySchema {
    private static final int MOST_RULES = 16;

    private PolicySchema() {}

    /**
     * Says what is wrong with it.
     *
     * @param namespaced whether it is about its own namespace, so that it need not select any
     */
    public static void check(JsonObject tree, boolean namespaced, FieldErrors errors) {
        JsonObject spec = Trees.object(tree, "spec").orElseGet(JsonObject::new);
        SchemaRules fields = new SchemaRules("spec", spec, errors);
        fields.required("selector");
        if (!namespaced) {
            fields.required("namespaceSelector");
        }
        fields.required("rules");
        fields.atMost("rules", MOST_RULES);
        fields.oneOf("leavingPods", List.of("Count", "Ignore"));
        fields.oneOf("podDeletionCost", List.of("Unmanaged", "Managed"));
        if (!namespaced) {
            fields.oneOf("countNamespaces", List.of("Together", "Separately"));
        }
        List<SelectorSchema> selectors = selectors(spec);
        List<RuleSchema> rules = rules(spec);
        selectors.forEach(selector -> selector.checkFields(errors));
        rules.forEach(rule -> rule.checkFields(errors));
        if (errors.isMalformed()) {
            errors.uncheckedRules();
        } else {
            selectors.forEach(selector -> selector.checkTogether(errors));
            rules.forEach(rule -> rule.checkTogether(errors));
        }
    }

    private static List<SelectorSchema> selectors(JsonObject spec) {
        return Stream.of("selector", "namespaceSelector")
                .flatMap(field -> Trees.object(spec, field).stream()
                        .map(selector -> new SelectorSchema("spec." + field, selector)))
                .toList();
    }

    private static List<RuleSchema> rules(JsonObject spec) {
        List<JsonObject> trees = Trees.objects(spec, "rules");
        List<RuleSchema> rules = new ArrayList<>();
        for (int i = 0; i < trees.size(); i++) {
            rules.add(new RuleSchema("spec.rules[" + i + "]", trees.get(i)));
        }
        return rules;
    }
}
