package io.evenkeel.hollow.resource;

import io.evenkeel.hollow.resource.LabelRequirement.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads {@code a=b,c!=d,e in (f,g),h notin (i),j,!k,l>1,m<2}. */
final class LabelSelectorParser {

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
