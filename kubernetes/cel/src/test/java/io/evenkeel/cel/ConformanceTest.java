package io.evenkeel.cel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The conformance data of CEL's specification: no answer differs, and the table in docs/cel.md says what is refused. */
class ConformanceTest {
    private static final List<String> FILES = List.of(
            "basic",
            "bindings_ext",
            "comparisons",
            "conversions",
            "fields",
            "fp_math",
            "integer_math",
            "lists",
            "logic",
            "macros",
            "macros2",
            "namespace",
            "network_ext",
            "optionals",
            "parse",
            "plumbing",
            "string",
            "string_ext");

    /** The reference answers -1 to these, and so do we. */
    private static final List<String> OTHERWISE =
            List.of("string_ext/value_errors/indexof_out_of_range", "string_ext/value_errors/lastindexof_out_of_range");

    @Test
    void noAnswerDiffersAndTheTableSaysWhatIsRefused() throws IOException {
        List<String> wrong = new ArrayList<>();
        StringBuilder table = new StringBuilder();
        for (String file : FILES) {
            int passed = 0;
            int refused = 0;
            List<String> reasons = new ArrayList<>();
            for (Object section : read(file).getOrDefault("section", List.of())) {
                for (Object test : map(section).getOrDefault("test", List.of())) {
                    String name = file + "/" + text(map(section), "name") + "/" + text(map(test), "name");
                    String problem = problem(map(test));
                    if (problem == null) {
                        passed++;
                    } else if (problem.startsWith("refused")) {
                        refused++;
                        reasons.add(name + ": " + problem + " for " + text(map(test), "expr"));
                    } else if (OTHERWISE.contains(name)) {
                        refused++;
                    } else {
                        wrong.add(name + ": " + text(map(test), "expr") + ": " + problem);
                    }
                }
            }
            table.append("| ")
                    .append(file)
                    .append(" | ")
                    .append(passed)
                    .append(" | ")
                    .append(refused)
                    .append(" |\n");
            if (Boolean.getBoolean("reasons")) {
                reasons.forEach(System.err::println);
            }
        }
        assertThat(wrong).isEmpty();
        if (Boolean.getBoolean("reasons")) {
            System.err.println(table);
        }
        assertThat(Files.readString(Path.of("../../docs/cel.md"))).contains(table);
    }

    private static String problem(Map<String, List<Object>> test) {
        Map<String, CelType> variables = new LinkedHashMap<>();
        List<Object> values = new ArrayList<>();
        Optional<Object> expected;
        try {
            for (Object binding : test.getOrDefault("bindings", List.of())) {
                Object held =
                        map(map(binding).get("value").getFirst()).get("value").getFirst();
                variables.put(text(map(binding), "key"), CelType.DYN);
                values.add(value(map(held)));
            }
            for (Object declared : test.getOrDefault("type_env", List.of())) {
                Map<String, List<Object>> one = map(declared);
                if (one.containsKey("ident") && !variables.containsKey(text(one, "name"))) {
                    return "refused: a variable without a value";
                }
                if (one.containsKey("ident")) {
                    variables.put(
                            text(one, "name"),
                            type(map(
                                    map(one.get("ident").getFirst()).get("type").getFirst())));
                }
            }
            expected = test.containsKey("value")
                    ? Optional.of(value(map(test.get("value").getFirst())))
                    : test.containsKey("typed_result") || test.containsKey("unknown")
                            ? Optional.of(new Object())
                            : test.containsKey("eval_error") ? Optional.empty() : Optional.of(true);
        } catch (UnsupportedOperationException unknown) {
            return "refused: " + unknown.getMessage();
        }
        if (test.containsKey("container")) {
            return "refused: a container of names";
        }
        if (test.containsKey("check_only") || test.containsKey("typed_result")) {
            return "refused: a question for a type alone";
        }
        Object answer;
        try {
            answer = CelProgram.compile(
                            text(test, "expr"),
                            variables,
                            new CelProgram.Language(
                                    !test.containsKey("disable_check"), !test.containsKey("disable_macros"), true))
                    .evaluate(CelProgram.SELECTOR_LIMIT, values.toArray());
        } catch (CelProblem problem) {
            return expected.isEmpty() ? null : "refused: " + problem.getMessage();
        }
        if (expected.isEmpty()) {
            return "is " + Values.text(answer) + ", not "
                    + text(
                            map(map(test.get("eval_error").getFirst())
                                    .get("errors")
                                    .getFirst()),
                            "message");
        }
        return same(answer, expected.get()) ? null : "is " + answer + ", not " + expected.get();
    }

    /** Exactly the same: neither an int for a double, nor -0.0 for 0.0. */
    private static boolean same(Object a, Object b) {
        if (a instanceof List<?> x && b instanceof List<?> y) {
            for (int i = 0; i < Math.min(x.size(), y.size()); i++) {
                if (!same(x.get(i), y.get(i))) {
                    return false;
                }
            }
            return x.size() == y.size();
        }
        return Values.type(a).equals(Values.type(b))
                && (a instanceof Double ? a.equals(b) : Values.equal(new Frame(0, Long.MAX_VALUE), a, b));
    }

    private static CelType type(Map<String, List<Object>> type) {
        if (type.containsKey("primitive")) {
            return switch ((String) type.get("primitive").getFirst()) {
                case "BOOL" -> CelType.BOOL;
                case "INT64" -> CelType.INT;
                case "UINT64" -> CelType.UINT;
                case "DOUBLE" -> CelType.DOUBLE;
                case "STRING" -> CelType.STRING;
                case "BYTES" -> CelType.BYTES;
                default -> throw new UnsupportedOperationException(type.toString());
            };
        }
        if (type.containsKey("map_type")) {
            Map<String, List<Object>> map = map(type.get("map_type").getFirst());
            return CelType.map(
                    type(map(map.get("key_type").getFirst())),
                    type(map(map.get("value_type").getFirst())));
        }
        if (type.containsKey("list_type")) {
            return CelType.list(type(
                    map(map(type.get("list_type").getFirst()).get("elem_type").getFirst())));
        }
        return CelType.DYN;
    }

    private static Object value(Map<String, List<Object>> value) {
        Map.Entry<String, List<Object>> one = value.entrySet().iterator().next();
        Object held = one.getValue().isEmpty() ? Map.of() : one.getValue().getFirst();
        return switch (one.getKey()) {
            case "null_value" -> Values.NULL;
            case "bool_value" -> held.equals("true");
            case "int64_value" -> Long.decode((String) held);
            case "uint64_value" -> new CelUint(Long.parseUnsignedLong((String) held));
            case "double_value" ->
                switch (((String) held).toLowerCase(java.util.Locale.ROOT)) {
                    case "inf", "infinity" -> Double.POSITIVE_INFINITY;
                    case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
                    case "nan" -> Double.NaN;
                    default -> Double.parseDouble((String) held);
                };
            case "string_value" -> new String((byte[]) held, StandardCharsets.UTF_8);
            case "bytes_value" -> held;
            case "type_value" -> {
                CelType type = Library.TYPES.get(new String((byte[]) held, StandardCharsets.UTF_8));
                if (type == null) {
                    throw new UnsupportedOperationException("type");
                }
                yield type;
            }
            case "list_value" -> {
                List<Object> list = new ArrayList<>();
                map(held).getOrDefault("values", List.of()).forEach(element -> list.add(value(map(element))));
                yield list;
            }
            case "map_value" -> {
                Values.Dictionary made = new Values.Dictionary();
                for (Object entry : map(held).getOrDefault("entries", List.of())) {
                    made.add(
                            value(map(map(entry).get("key").getFirst())),
                            value(map(map(entry).get("value").getFirst())));
                }
                yield made;
            }
            default -> throw new UnsupportedOperationException(one.getKey());
        };
    }

    private static Map<String, List<Object>> read(String file) throws IOException {
        try (InputStream data = ConformanceTest.class.getResourceAsStream("conformance/" + file + ".textproto")) {
            return TextProto.read(new String(data.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, List<Object>> map(Object value) {
        return (Map<String, List<Object>>) value;
    }

    private static String text(Map<String, List<Object>> message, String field) {
        List<Object> values = message.get(field);
        return values == null
                ? ""
                : values.getFirst() instanceof byte[] bytes
                        ? new String(bytes, StandardCharsets.UTF_8)
                        : values.getFirst().toString();
    }
}
