package io.evenkeel.cel;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Kubernetes' named formats of strings. */
final class Formats {
    private static final int MOST_OF_LABEL = 63;
    private static final String VALIDATED_BY = ", regex used for validation is '";
    private static final String LABEL_PART = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
    private static final String NAME = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
    private static final Pattern NAME_PATTERN = Pattern.compile(NAME);
    private static final Rule LABEL = Rule.of(
            MOST_OF_LABEL,
            LABEL_PART,
            "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start"
                    + " and end with an alphanumeric character (e.g. 'my-name',  or '123-abc'");
    private static final Rule SUBDOMAIN = Rule.of(
            253,
            LABEL_PART + "(\\." + LABEL_PART + ")*",
            "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and"
                    + " must start and end with an alphanumeric character (e.g. 'example.com'");
    private static final Rule OLD_LABEL = Rule.of(
            MOST_OF_LABEL,
            "[a-z]([-a-z0-9]*[a-z0-9])?",
            "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic"
                    + " character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123'");
    private static final Rule LABEL_VALUE = Rule.of(
            MOST_OF_LABEL,
            "(" + NAME + ")?",
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345'");
    private static final String NAME_RULE =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character";
    private static final Pattern UUID =
            Pattern.compile("[0-9a-fA-F]{8}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{4}-?[0-9a-fA-F]{12}");
    private static final Pattern BASE64 =
            Pattern.compile("(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})");
    private static final Pattern TIME =
            Pattern.compile("([0-9]{2}):([0-9]{2}):([0-9]{2})(.[0-9]+)?(z|([+-][0-9]{2}:[0-9]{2}))");

    private static final Map<String, Format> ALL = Map.ofEntries(
            Map.entry("dns1123Label", new Format("DNS1123Label", 30, LABEL)),
            Map.entry("dns1123Subdomain", new Format("DNS1123Subdomain", 60, SUBDOMAIN)),
            Map.entry("dns1035Label", new Format("DNS1035Label", 30, OLD_LABEL)),
            Map.entry("qualifiedName", new Format("QualifiedName", 60, Formats::qualifiedName)),
            Map.entry("dns1123LabelPrefix", new Format("DNS1123LabelPrefix", 30, text -> LABEL.problems(masked(text)))),
            Map.entry(
                    "dns1123SubdomainPrefix",
                    new Format("DNS1123SubdomainPrefix", 60, text -> SUBDOMAIN.problems(masked(text)))),
            Map.entry(
                    "dns1035LabelPrefix",
                    new Format("DNS1035LabelPrefix", 30, text -> OLD_LABEL.problems(masked(text)))),
            Map.entry("labelValue", new Format("LabelValue", 40, LABEL_VALUE)),
            Map.entry("uri", new Format("URI", 150, Network.Url::problems)),
            Map.entry("uuid", new Format("uuid", 71, text -> only(UUID, text, "does not match the UUID format"))),
            Map.entry("byte", new Format("byte", 84, text -> only(BASE64, text, "invalid base64"))),
            Map.entry("date", new Format("date", 82, text -> isDate(text) ? List.of() : List.of("invalid date"))),
            Map.entry(
                    "datetime",
                    new Format("datetime", 82, text -> isDateTime(text) ? List.of() : List.of("invalid datetime"))));

    private Formats() {}

    private interface Check {
        List<String> problems(String text);
    }

    /** A longest size, a form, and what is said of a text that has another. */
    private record Rule(int most, Pattern pattern, String words) implements Check {
        static Rule of(int most, String form, String words) {
            return new Rule(most, Pattern.compile(form), words + VALIDATED_BY + form + "')");
        }

        @Override
        public List<String> problems(String text) {
            List<String> problems = new ArrayList<>();
            if (text.length() > most) {
                problems.add("must be no more than " + most + " bytes");
            }
            if (!pattern.matches(text)) {
                problems.add(words);
            }
            return problems;
        }
    }

    /** A format, the size of its pattern that the reference charges for, and what is wrong with a text by it. */
    record Format(String name, int pattern, Check check) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Format format && format.name.equals(name);
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    static void declare() {
        ALL.forEach((name, format) ->
                Library.define("format." + name + "() kubernetes.NamedFormat", Library.ONE, (_, _, _, _, _) -> format));
        Library.define("format.named(string) optional(kubernetes.NamedFormat)", Library.ONE, (_, a, _, _, _) -> {
            return Optional.ofNullable(ALL.get(a));
        });
        Library.define(
                ".validate(kubernetes.NamedFormat,string) optional(list(string))",
                (a, b) -> Library.traversal(1.0 + Values.size(b)) * (long) Math.ceil(((Format) a).pattern * 0.25),
                (f, a, b, _, _) -> {
                    f.work(4L * ((String) b).length());
                    List<String> problems = ((Format) a).check.problems((String) b);
                    return problems.isEmpty() ? Optional.empty() : Optional.of(problems);
                });
    }

    private static String masked(String text) {
        return text.length() > 1 && text.endsWith("-") ? text.substring(0, text.length() - 2) + "a" : text;
    }

    private static List<String> only(Pattern pattern, String text, String message) {
        return pattern.matches(text) ? List.of() : List.of(message);
    }

    private static List<String> qualifiedName(String text) {
        List<String> problems = new ArrayList<>();
        String example = " (e.g. 'MyName',  or 'my.name',  or '123-abc'" + VALIDATED_BY + NAME + "')";
        String[] parts = text.split("/", -1);
        String name = parts[parts.length - 1];
        if (parts.length == 2 && parts[0].isEmpty()) {
            problems.add("prefix part must be non-empty");
        } else if (parts.length == 2) {
            SUBDOMAIN.problems(parts[0]).forEach(problem -> problems.add("prefix part " + problem));
        } else if (parts.length > 2) {
            return List.of("a qualified name " + NAME_RULE + example
                    + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        }
        if (name.isEmpty()) {
            problems.add("name part must be non-empty");
        } else if (name.length() > MOST_OF_LABEL) {
            problems.add("name part must be no more than " + MOST_OF_LABEL + " bytes");
        }
        if (!NAME_PATTERN.matches(name)) {
            problems.add("name part " + NAME_RULE + example);
        }
        return problems;
    }

    private static boolean isDate(String text) {
        try {
            return text.length() == 10 && LocalDate.parse(text).getYear() >= 0;
        } catch (DateTimeException _) {
            return false;
        }
    }

    private static boolean isDateTime(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        int t = lower.indexOf('t');
        if (t < 0 || !isDate(lower.substring(0, t))) {
            return false;
        }
        Matcher time = TIME.matcher(lower.substring(t + 1));
        return time.matches()
                && Integer.parseInt(time.group(1)) <= 23
                && Integer.parseInt(time.group(2)) <= 59
                && Integer.parseInt(time.group(3)) <= 59;
    }
}
