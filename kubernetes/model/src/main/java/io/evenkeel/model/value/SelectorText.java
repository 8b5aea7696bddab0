package io.evenkeel.model.value;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Label selectors as kubectl writes them: {@code app=web,tier in (a,b)}. */
public final class SelectorText {
    private static final int MOST_VALUES_SHOWN = 16;

    private static final String KEY = "[A-Za-z0-9](?:[-A-Za-z0-9_./]*[A-Za-z0-9])?";
    private static final String VALUE = "(?:[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?)?";
    private static final String SPACE = "\\s*";
    private static final Pattern REQUIREMENT = Pattern.compile(SPACE + "(?:(?<absent>!)" + SPACE + "(?<lacking>" + KEY
            + ")|(?<key>" + KEY + ")(?:" + SPACE + "(?<sign>==|=|!=)" + SPACE + "(?<value>" + VALUE
            + ")|\\s+(?<set>in|notin)"
            + SPACE + "\\((?<values>[^()]*)\\))?)" + SPACE + "(?:,|$)");

    private SelectorText() {}

    /**
     * Reads one as it is typed: {@code a=b,c!=d,e in (f,g),h notin (i),j,!k}.
     *
     * @return empty where it makes no sense
     */
    public static Optional<LabelSelector> parse(String text) {
        List<LabelRequirement> requirements = new ArrayList<>();
        Matcher part = REQUIREMENT.matcher(text);
        int end = 0;
        while (end < text.length()) {
            if (!part.region(end, text.length()).lookingAt()) {
                return Optional.empty();
            }
            Optional<LabelRequirement> requirement = requirement(part);
            if (requirement.isEmpty()) {
                return Optional.empty();
            }
            requirements.add(requirement.get());
            end = part.end();
        }
        return text.isBlank() || text.stripTrailing().endsWith(",")
                ? Optional.empty()
                : Optional.of(LabelSelector.of(requirements));
    }

    private static Optional<LabelRequirement> requirement(Matcher part) {
        if (part.group("absent") != null) {
            return Optional.of(
                    new LabelRequirement(part.group("lacking"), LabelRequirement.Operator.DOES_NOT_EXIST, List.of()));
        }
        String key = part.group("key");
        if (part.group("sign") != null) {
            boolean isEqual = !part.group("sign").equals("!=");
            return Optional.of(new LabelRequirement(
                    key,
                    isEqual ? LabelRequirement.Operator.IN : LabelRequirement.Operator.NOT_IN,
                    List.of(part.group("value"))));
        }
        if (part.group("set") == null) {
            return Optional.of(new LabelRequirement(key, LabelRequirement.Operator.EXISTS, List.of()));
        }
        List<String> values = Arrays.stream(part.group("values").split(",", -1))
                .map(String::strip)
                .toList();
        return values.stream().allMatch(value -> value.matches(VALUE))
                ? Optional.of(new LabelRequirement(
                        key,
                        part.group("set").equals("in")
                                ? LabelRequirement.Operator.IN
                                : LabelRequirement.Operator.NOT_IN,
                        values))
                : Optional.empty();
    }

    /** {@code <none>} for one that matches nothing; empty for one that matches everything. */
    public static String of(LabelSelector selector) {
        if (selector.matchesNothing()) {
            return "<none>";
        }
        return selector.requirements().stream().map(SelectorText::of).collect(Collectors.joining(","));
    }

    private static String of(LabelRequirement requirement) {
        String values = of(requirement.values());
        return switch (requirement.operator()) {
            case IN ->
                requirement.values().size() == 1
                        ? requirement.key() + "=" + values
                        : requirement.key() + " in (" + values + ")";
            case NOT_IN -> requirement.key() + " notin (" + values + ")";
            case EXISTS -> requirement.key();
            case DOES_NOT_EXIST -> "!" + requirement.key();
        };
    }

    /** All of them, or the first of many: a selector may have ten thousand, and metrics a label of them. */
    private static String of(List<String> values) {
        if (values.size() <= MOST_VALUES_SHOWN) {
            return String.join(",", values);
        }
        return String.join(",", values.subList(0, MOST_VALUES_SHOWN)) + " and " + (values.size() - MOST_VALUES_SHOWN)
                + " more";
    }
}
