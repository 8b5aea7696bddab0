package io.evenkeel.hollow.resource;

import com.google.gson.JsonObject;
import io.evenkeel.hollow.resource.LabelSelector.LabelRequirement.Operator;
import io.evenkeel.hollow.resource.Refusals.ApiException;
import io.evenkeel.model.json.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Requirements on labels; all must hold. */
public record LabelSelector(List<LabelRequirement> requirements) {

    public static final LabelSelector EVERYTHING = new LabelSelector(List.of());

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /** Reads the text of a {@code labelSelector} parameter. */
    public static LabelSelector parse(String text) {
        return text.isBlank() ? EVERYTHING : new LabelSelector(new LabelSelectorParser(text).parse());
    }

    /** Reads the {@code matchLabels} and {@code matchExpressions} of an object. */
    public static LabelSelector of(JsonObject selector) {
        List<LabelRequirement> requirements = new ArrayList<>();
        Trees.object(selector, "matchLabels")
                .ifPresent(labels -> labels.entrySet()
                        .forEach(label -> requirements.add(LabelRequirement.in(
                                label.getKey(), List.of(label.getValue().getAsString())))));
        for (JsonObject expression : Trees.objects(selector, "matchExpressions")) {
            String key = Trees.text(expression, "key");
            List<String> values = Trees.texts(expression, "values");
            requirements.add(
                    switch (Trees.text(expression, "operator")) {
                        case "In" -> LabelRequirement.in(key, values);
                        case "NotIn" -> LabelRequirement.notIn(key, values);
                        case "Exists" -> new LabelRequirement(key, LabelRequirement.Operator.EXISTS, List.of());
                        default -> new LabelRequirement(key, LabelRequirement.Operator.DOES_NOT_EXIST, List.of());
                    });
        }
        return new LabelSelector(requirements);
    }

    public boolean isEverything() {
        return requirements.isEmpty();
    }

    public boolean matches(JsonObject tree) {
        return requirements.isEmpty() || matches(labelsOf(tree));
    }

    private boolean matches(Map<String, String> labels) {
        return requirements.stream().allMatch(requirement -> requirement.matches(labels));
    }

    private static Map<String, String> labelsOf(JsonObject tree) {
        return Trees.object(tree, "metadata", "labels")
                .map(labels -> labels.entrySet().stream()
                        .collect(Collectors.toMap(
                                Map.Entry::getKey, label -> label.getValue().getAsString())))
                .orElse(Map.of());
    }

    /** One requirement on one label. An absent label satisfies NOT_IN, as everywhere in Kubernetes. */
    record LabelRequirement(String key, Operator operator, List<String> values) {

        enum Operator {
            IN,
            NOT_IN,
            EXISTS,
            DOES_NOT_EXIST,
            GREATER,
            LESS
        }

        static LabelRequirement in(String key, List<String> values) {
            return new LabelRequirement(key, Operator.IN, values);
        }

        static LabelRequirement notIn(String key, List<String> values) {
            return new LabelRequirement(key, Operator.NOT_IN, values);
        }

        boolean matches(Map<String, String> labels) {
            boolean present = labels.containsKey(key);
            String value = labels.getOrDefault(key, "");
            return switch (operator) {
                case IN -> present && values.contains(value);
                case NOT_IN -> !present || !values.contains(value);
                case EXISTS -> present;
                case DOES_NOT_EXIST -> !present;
                case GREATER -> present && isNumber(value) && Long.parseLong(value) > Long.parseLong(values.getFirst());
                case LESS -> present && isNumber(value) && Long.parseLong(value) < Long.parseLong(values.getFirst());
            };
        }

        private static boolean isNumber(String text) {
            return text.matches("-?[0-9]{1,18}");
        }
    }

    /** Reads {@code a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2}. */
    private static final class LabelSelectorParser {

        private static final Pattern TOKEN = Pattern.compile("\\s*(==|!=|[=!<>(),]|[^\\s=!<>(),]+)\\s*");
        private static final Pattern WORD = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?");

        private final String text;
        private final List<String> tokens = new ArrayList<>();
        private int next;

        LabelSelectorParser(String text) {
            this.text = text;
        }

        List<LabelRequirement> parse() {
            Matcher matcher = TOKEN.matcher(text);
            while (matcher.lookingAt()) {
                tokens.add(matcher.group(1));
                matcher.region(matcher.end(), text.length());
            }
            if (matcher.regionStart() < text.length()) {
                throw unparseable(text.substring(matcher.regionStart()));
            }
            List<LabelRequirement> requirements = new ArrayList<>();
            do {
                requirements.add(requirement());
            } while (take(","));
            if (next < tokens.size()) {
                throw unparseable(peek());
            }
            return requirements;
        }

        private LabelRequirement requirement() {
            if (take("!")) {
                return new LabelRequirement(word(), Operator.DOES_NOT_EXIST, List.of());
            }
            String key = word();
            if (peek().isEmpty() || peek().equals(",")) {
                return new LabelRequirement(key, Operator.EXISTS, List.of());
            }
            String operator = peek();
            next++;
            return switch (operator) {
                case "=", "==" -> LabelRequirement.in(key, List.of(value()));
                case "!=" -> LabelRequirement.notIn(key, List.of(value()));
                case "in" -> LabelRequirement.in(key, values());
                case "notin" -> LabelRequirement.notIn(key, values());
                case ">" -> new LabelRequirement(key, Operator.GREATER, List.of(number()));
                case "<" -> new LabelRequirement(key, Operator.LESS, List.of(number()));
                default -> throw unparseable(operator);
            };
        }

        private List<String> values() {
            if (!take("(")) {
                throw unparseable(peek());
            }
            List<String> values = new ArrayList<>();
            do {
                values.add(value());
            } while (take(","));
            if (!take(")")) {
                throw unparseable(peek());
            }
            return values;
        }

        private String value() {
            String value = peek();
            if (value.isEmpty() || value.equals(",") || value.equals(")")) {
                return "";
            }
            return word();
        }

        private String number() {
            String number = peek();
            next++;
            if (!number.matches("-?[0-9]{1,18}")) {
                throw unparseable(number);
            }
            return number;
        }

        private String word() {
            String word = peek();
            if (!WORD.matcher(word).matches()) {
                throw unparseable(word);
            }
            next++;
            return word;
        }

        private String peek() {
            return next < tokens.size() ? tokens.get(next) : "";
        }

        private boolean take(String token) {
            boolean taken = peek().equals(token);
            if (taken) {
                next++;
            }
            return taken;
        }

        private ApiException unparseable(String found) {
            return Refusals.badRequest("unable to parse requirement: found '%s' in '%s'".formatted(found, text));
        }
    }
}
