package io.evenkeel.hollow.registry;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.FieldErrors;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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

    private static final class SelectorSchema {
        private static final int MOST_LABELS = 64;
        private static final int MOST_EXPRESSIONS = 32;
        private static final int MOST_VALUES = 128;
        private static final Set<String> WITH_VALUES = Set.of("In", "NotIn");

        private final String place;
        private final JsonObject selector;
        private final Map<String, JsonElement> labels;
        private final List<JsonObject> expressions;

        SelectorSchema(String place, JsonObject selector) {
            this.place = place;
            this.selector = selector;
            labels = Trees.object(selector, "matchLabels")
                    .orElseGet(JsonObject::new)
                    .asMap();
            expressions = Trees.objects(selector, "matchExpressions");
        }

        void checkFields(FieldErrors errors) {
            if (labels.size() > MOST_LABELS) {
                errors.tooMany(place + ".matchLabels", labels.size(), MOST_LABELS);
            }
            labels.forEach((key, value) ->
                    LabelSchema.VALUE.check(place + ".matchLabels." + key, value.getAsString(), errors));
            new SchemaRules(place, selector, errors).atMost("matchExpressions", MOST_EXPRESSIONS);
            for (int i = 0; i < expressions.size(); i++) {
                SchemaRules expression = new SchemaRules(expression(i), expressions.get(i), errors);
                expression.required("key");
                expression.text("key", LabelSchema.KEY);
                expression.required("operator");
                expression.oneOf("operator", List.of("In", "NotIn", "Exists", "DoesNotExist"));
                expression.texts("values", MOST_VALUES, LabelSchema.VALUE);
            }
        }

        /** Not to be asked of a selector that is malformed. */
        void checkTogether(FieldErrors errors) {
            if (!labels.keySet().stream().allMatch(LabelSchema::isKey)) {
                errors.invalidObject(place + ".matchLabels", "has a key that no label can have");
            }
            for (int i = 0; i < expressions.size(); i++) {
                LabelSchema.checkPrefix(expression(i) + ".key", Trees.text(expressions.get(i), "key"), errors);
                boolean wants = WITH_VALUES.contains(Trees.text(expressions.get(i), "operator"));
                if (wants == Trees.texts(expressions.get(i), "values").isEmpty()) {
                    errors.invalidObject(expression(i), "values belong to In and NotIn, which need some");
                }
            }
        }

        private String expression(int index) {
            return place + ".matchExpressions[" + index + "]";
        }
    }

    /** A rule of a policy: each field by itself, and what the fields say together. */
    private record RuleSchema(String place, JsonObject rule) {
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
                    .filter(value ->
                            !value.isJsonArray() || !value.getAsJsonArray().isEmpty())
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

    /** The keys and values of labels, as the definitions have them. */
    private static final class LabelSchema {
        private static final int LONGEST_PREFIX = 253;
        private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
        private static final String NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?";

        static final SchemaRules.TextForm KEY = SchemaRules.TextForm.of(
                317, 1, "^(" + DNS_LABEL + "([.]" + DNS_LABEL + ")*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$");
        /** That of a domain is not empty. */
        static final SchemaRules.TextForm DOMAIN = SchemaRules.TextForm.of(63, 1, "^" + NAME + "$");

        static final SchemaRules.TextForm VALUE = SchemaRules.TextForm.of(63, 0, "^(" + NAME + ")?$");

        private LabelSchema() {}

        /** The length of a key's prefix, which the pattern does not bound. Not to be asked where something is malformed. */
        static void checkPrefix(String where, String key, FieldErrors errors) {
            if (!hasShortPrefix(key)) {
                errors.invalid(where, key, "has a prefix of more than " + LONGEST_PREFIX + " characters");
            }
        }

        static boolean isKey(String text) {
            return KEY.fits(text) && hasShortPrefix(text);
        }

        private static boolean hasShortPrefix(String key) {
            return key.indexOf('/') <= LONGEST_PREFIX;
        }
    }

    /**
     * The rules that a custom resource's schema may set for a field, and a real server's words when one is broken. A
     * field that is absent is left alone, unless it is required.
     *
     * @param place of the fields' object, as in {@code spec.rules[0]}
     */
    private record SchemaRules(String place, JsonObject tree, FieldErrors errors) {

        private String at(String field) {
            return place + "." + field;
        }

        void required(String field) {
            if (Trees.at(tree, field).isEmpty()) {
                errors.required(at(field), "");
            }
        }

        void oneOf(String field, List<String> supported) {
            if (Trees.at(tree, field).isPresent()) {
                errors.oneOf(at(field), Trees.text(tree, field), supported);
            }
        }

        void number(String field, long least, long most) {
            Optional<Long> number = Trees.number(tree, field);
            String given = number.map(Object::toString).orElse("");
            if (number.filter(each -> each < least).isPresent()) {
                errors.invalidLiteral(at(field), given, inBody(field, "be greater than or equal to " + least));
            } else if (number.filter(each -> each > most).isPresent()) {
                errors.invalidLiteral(at(field), given, inBody(field, "be less than or equal to " + most));
            }
        }

        void text(String field, TextForm form) {
            if (Trees.at(tree, field).isPresent()) {
                form.check(at(field), Trees.text(tree, field), errors);
            }
        }

        void atMost(String field, int items) {
            int given = Trees.array(tree, field).map(list -> list.size()).orElse(0);
            if (given > items) {
                errors.tooMany(at(field), given, items);
            }
        }

        void texts(String field, int items, TextForm form) {
            atMost(field, items);
            List<String> texts = Trees.texts(tree, field);
            for (int i = 0; i < texts.size(); i++) {
                form.check(at(field) + "[" + i + "]", texts.get(i), errors);
            }
        }

        /** Also refuses a text that is there twice. */
        void setOfTexts(String field, int items, TextForm form) {
            texts(field, items, form);
            distinct(
                    field,
                    Trees.texts(tree, field).stream()
                            .map(text -> '"' + text + '"')
                            .toList());
        }

        /** Refuses what is there a second time, by what tells the items apart. */
        void distinct(String field, List<String> items) {
            Set<String> known = new HashSet<>();
            for (int i = 0; i < items.size(); i++) {
                if (!known.add(items.get(i))) {
                    errors.duplicate(at(field) + "[" + i + "]", items.get(i));
                }
            }
        }

        private String inBody(String field, String what) {
            return at(field) + " in body should " + what;
        }

        /**
         * The rules that a custom resource's schema may set for a text. A real server names only the first that is broken.
         *
         * @param longest characters
         * @param shortest characters
         */
        record TextForm(int longest, int shortest, Pattern pattern) {

            static TextForm of(int longest, int shortest, String pattern) {
                return new TextForm(longest, shortest, Pattern.compile(pattern));
            }

            void check(String where, String text, FieldErrors errors) {
                if (length(text) > longest) {
                    errors.tooLong(where, longest);
                } else if (length(text) < shortest) {
                    errors.invalid(where, text, where + " in body should be at least " + shortest + " chars long");
                } else if (!pattern.matcher(text).matches()) {
                    errors.invalid(where, text, where + " in body should match '" + pattern + "'");
                }
            }

            boolean fits(String text) {
                return length(text) <= longest
                        && length(text) >= shortest
                        && pattern.matcher(text).matches();
            }

            private static int length(String text) {
                return text.codePointCount(0, text.length());
            }
        }
    }
}
