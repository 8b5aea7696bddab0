package io.evenkeel.tools.output;

import io.evenkeel.config.file.YamlText;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The forms that a report can be asked for in. */
public enum Output {
    TEXT("text/plain; charset=utf-8"),
    WIDE("text/plain; charset=utf-8"),
    /** On one line. */
    JSON("application/json"),
    /** A document with the fields of the JSON, a field a line. */
    YAML("application/yaml");

    private final String mediaType;

    Output(String mediaType) {
        this.mediaType = mediaType;
    }

    public static Optional<Output> named(String name) {
        return Arrays.stream(values())
                .filter(output -> output.written().equals(name))
                .findFirst();
    }

    public String written() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether it is for people to read, and not for programs. */
    public boolean isForPeople() {
        return this == TEXT || this == WIDE;
    }

    public String mediaType() {
        return mediaType;
    }

    /** Writes a report; laid out so where it is for people. */
    public String of(Report report, Layout layout) {
        return switch (this) {
            case TEXT -> report.text(layout);
            case WIDE -> report.wide(layout);
            case JSON -> report.tree().json();
            case YAML -> yaml(report.tree().json());
        };
    }

    /** Returns what writes reports so. */
    public Function<Report, String> within(int columns) {
        return report -> of(report, Layout.of(columns));
    }

    /** The option of commands that have one form for programs and one for people. */
    public static final class JsonOrText implements ITypeConverter<Output>, Iterable<String> {
        private static final List<String> NAMES = List.of(JSON.written(), TEXT.written());

        @Override
        public Output convert(String value) {
            return Output.named(value)
                    .filter(_ -> NAMES.contains(value))
                    .orElseThrow(() -> new TypeConversionException(
                            "expected " + String.join(" or ", NAMES) + ", got \"" + value + '"'));
        }

        @Override
        public Iterator<String> iterator() {
            return NAMES.iterator();
        }
    }

    /** JSON is YAML already. */
    private static String yaml(String json) {
        LoaderOptions anyLength = new LoaderOptions();
        anyLength.setCodePointLimit(Integer.MAX_VALUE);
        Map<String, ?> tree = new Yaml(new SafeConstructor(anyLength)).load(json);
        return "---\n" + YamlText.dump(tree).stripTrailing();
    }
}
