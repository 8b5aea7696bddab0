package io.evenkeel.hollow.kind;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** A rule of a policy: each field by itself, and what the fields say together. */
record RuleSchema(String place, JsonObject rule) {
    private static final int MOST_DOMAINS = 100;
    private static final int MOST_KEYS = 16;
    private static final long MOST_WEIGHT = 1_000_000;
    private static final List<String> NUMBERS =
            List.of("maxPods", "maxDomains", "maxSkew", "relaxAfterSeconds", "rememberDomainsSeconds");

    /** By what is said of a rule that is not so. */
    private static final Map<String, Predicate<RuleSchema>> TOGETHER = new LinkedHashMap<>();

    static {
        TOGETHER.put("limits nothing", rule -> rule.has("maxSkew") || rule.limitsOtherwise());
        TOGETHER.put("mustUse has more domains than maxDomains", RuleSchema::hasRoomForMustUse);
        TOGETHER.put(
                "whenUnsatisfiable may be ScheduleAnyway of maxSkew alone",
                rule -> !rule.isPreference()
                        || (rule.has("maxSkew") && !rule.limitsOtherwise() && !rule.has("relaxAfterSeconds")));
        TOGETHER.put(
                "relaxAfterSeconds, knownDomains and rememberDomainsSeconds are for maxSkew",
                rule -> rule.has("maxSkew")
                        || Stream.of("relaxAfterSeconds", "knownDomains", "rememberDomainsSeconds")
                                .noneMatch(rule::has));
    }

    void checkFields(FieldErrors errors) {
        SchemaRules fields = new SchemaRules(place, rule, errors);
        fields.required("topologyKey");
        fields.text("topologyKey", LabelSchema.KEY);
        NUMBERS.forEach(number -> fields.number(number, 1, Integer.MAX_VALUE));
        fields.number("maxPercent", 1, 100);
        fields.oneOf("whenUnsatisfiable", List.of("DoNotSchedule", "ScheduleAnyway"));
        fields.setOfTexts("matchLabelKeys", MOST_KEYS, LabelSchema.KEY);
        fields.setOfTexts("knownDomains", MOST_DOMAINS, LabelSchema.DOMAIN);
        fields.setOfTexts("mustUse", MOST_DOMAINS, LabelSchema.DOMAIN);
        fields.atMost("weights", MOST_DOMAINS);
        List<JsonObject> weights = Trees.objects(rule, "weights");
        for (int i = 0; i < weights.size(); i++) {
            SchemaRules part = new SchemaRules(place + ".weights[" + i + "]", weights.get(i), errors);
            part.required("domain");
            part.text("domain", LabelSchema.DOMAIN);
            part.required("weight");
            part.number("weight", 0, MOST_WEIGHT);
        }
        fields.distinct(
                "weights",
                weights.stream()
                        .map(part -> "{\"domain\":\"" + Trees.text(part, "domain") + "\"}")
                        .toList());
    }

    /** Not to be asked of a rule that is malformed. */
    void checkTogether(FieldErrors errors) {
        LabelSchema.checkPrefix(place + ".topologyKey", Trees.text(rule, "topologyKey"), errors);
        List<String> keys = Trees.texts(rule, "matchLabelKeys");
        for (int i = 0; i < keys.size(); i++) {
            LabelSchema.checkPrefix(place + ".matchLabelKeys[" + i + "]", keys.get(i), errors);
        }
        TOGETHER.forEach((message, holds) -> {
            if (!holds.test(this)) {
                errors.invalidObject(place, message);
            }
        });
        List<JsonObject> weights = Trees.objects(rule, "weights");
        if (!weights.isEmpty()
                && weights.stream()
                        .allMatch(part -> Trees.number(part, "weight").orElse(0L) == 0)) {
            errors.invalidObject(place + ".weights", "are all 0");
        }
    }

    /** An empty list says nothing. */
    private boolean has(String field) {
        return Trees.at(rule, field)
                .filter(value -> !value.isJsonArray() || !value.getAsJsonArray().isEmpty())
                .isPresent();
    }

    /** By more than maxSkew. */
    private boolean limitsOtherwise() {
        return Stream.of("maxPods", "maxPercent", "maxDomains", "mustUse", "weights")
                .anyMatch(this::has);
    }

    private boolean isPreference() {
        return Trees.text(rule, "whenUnsatisfiable").equals("ScheduleAnyway");
    }

    private boolean hasRoomForMustUse() {
        return !has("mustUse")
                || Trees.texts(rule, "mustUse").size()
                        <= Trees.number(rule, "maxDomains").orElse(Long.MAX_VALUE);
    }
}
