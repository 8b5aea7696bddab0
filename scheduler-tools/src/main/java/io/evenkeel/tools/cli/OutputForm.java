package io.evenkeel.tools.cli;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.evenkeel.tools.output.Layout;
import io.evenkeel.tools.output.Output;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * The value of {@code -o}: one of the forms of reports, or what is made of their JSON, as kubectl makes it of objects.
 *
 * @param output the form that is asked for
 * @param derivation makes of answers in that form, a line each, what is printed; empty where that is the answers themselves
 */
record OutputForm(Output output, Optional<UnaryOperator<String>> derivation) {
    static final OutputForm TEXT = new OutputForm(Output.TEXT, Optional.empty());

    private static final String NAME = "name";
    private static final String COLUMNS = "custom-columns=";

    String shown(String answers) {
        return derivation.map(derived -> derived.apply(answers)).orElse(answers);
    }

    private static Stream<JsonElement> answers(String lines) {
        return lines.lines().filter(line -> !line.isBlank()).map(JsonParser::parseString);
    }

    /** {@code pod/web-1} for each pod of each answer. */
    private static String names(String lines) {
        return answers(lines)
                .flatMap(answer -> Stream.concat(
                        Column.values(answer, List.of("pod")).stream(),
                        Column.values(answer, List.of("alike", "*")).stream()))
                .map(key ->
                        "pod/" + key.getAsString().substring(key.getAsString().indexOf('/') + 1))
                .collect(Collectors.joining("\n"));
    }

    static final class Converter implements ITypeConverter<OutputForm>, Iterable<String> {
        @Override
        public OutputForm convert(String value) {
            if (value.equals(NAME)) {
                return new OutputForm(Output.JSON, Optional.of(OutputForm::names));
            }
            if (value.startsWith(COLUMNS)) {
                List<Column> columns = Stream.of(
                                value.substring(COLUMNS.length()).split(",", -1))
                        .map(Column::parse)
                        .toList();
                return new OutputForm(
                        Output.JSON,
                        Optional.of(
                                lines -> Column.table(columns, answers(lines).toList())));
            }
            return Output.named(value)
                    .map(output -> new OutputForm(output, Optional.empty()))
                    .orElseThrow(() -> new TypeConversionException("expected " + String.join(", ", this) + " or "
                            + COLUMNS + "NAME:.path,..., got \"" + value + '"'));
        }

        @Override
        public Iterator<String> iterator() {
            return Stream.concat(Stream.of(Output.values()).map(Output::written), Stream.of(NAME))
                    .iterator();
        }
    }

    /**
     * A column of {@code custom-columns}.
     *
     * @param steps fields, indexes, and * for all elements
     */
    private record Column(String header, List<String> steps) {
        private static final Pattern FORM = Pattern.compile("([^:]+):\\{?\\.?([^{}]+)}?");
        private static final Pattern STEP = Pattern.compile("\\.?([^.\\[\\]]+)|\\[([0-9]{1,6}|\\*)]");
        private static final String NONE = "<none>";

        static Column parse(String text) {
            Matcher form = FORM.matcher(text);
            if (!form.matches()) {
                throw mistake(text);
            }
            List<String> steps = new ArrayList<>();
            Matcher step = STEP.matcher(form.group(2));
            int end = 0;
            while (step.find() && step.start() == end) {
                steps.add(Optional.ofNullable(step.group(1)).orElseGet(() -> step.group(2)));
                end = step.end();
            }
            if (end < form.group(2).length()) {
                throw mistake(text);
            }
            return new Column(form.group(1), List.copyOf(steps));
        }

        private static TypeConversionException mistake(String text) {
            return new TypeConversionException(
                    "custom-columns: expected NAME:.path, as in POD:.pod, got \"" + text + '"');
        }

        static List<JsonElement> values(JsonElement from, List<String> steps) {
            if (steps.isEmpty()) {
                return from.isJsonNull() ? List.of() : List.of(from);
            }
            String step = steps.getFirst();
            List<JsonElement> next = new ArrayList<>();
            if (from.isJsonArray() && step.equals("*")) {
                from.getAsJsonArray().forEach(next::add);
            } else if (from.isJsonArray() && step.matches("[0-9]+")) {
                from.getAsJsonArray().asList().stream()
                        .skip(Integer.parseInt(step))
                        .limit(1)
                        .forEach(next::add);
            } else if (from.isJsonObject() && from.getAsJsonObject().has(step)) {
                next.add(from.getAsJsonObject().get(step));
            }
            return next.stream()
                    .flatMap(each -> values(each, steps.subList(1, steps.size())).stream())
                    .toList();
        }

        private String cell(JsonElement answer) {
            List<JsonElement> values = values(answer, steps);
            return values.isEmpty()
                    ? NONE
                    : values.stream()
                            .map(value -> value.isJsonPrimitive() ? value.getAsString() : value.toString())
                            .collect(Collectors.joining(","));
        }

        static String table(List<Column> columns, List<JsonElement> answers) {
            List<String[]> rows = new ArrayList<>();
            rows.add(columns.stream().map(Column::header).toArray(String[]::new));
            answers.forEach(answer ->
                    rows.add(columns.stream().map(column -> column.cell(answer)).toArray(String[]::new)));
            return String.join("\n", Layout.inColumns(rows));
        }
    }
}
