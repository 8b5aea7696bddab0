package io.evenkeel.tools.why;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The formats that a report can be asked for in. */
public enum WhyOutput {
    TEXT("text/plain; charset=utf-8"),
    WIDE("text/plain; charset=utf-8"),
    JSON("application/json"),
    YAML("application/yaml");

    private final String mediaType;

    WhyOutput(String mediaType) {
        this.mediaType = mediaType;
    }

    /** By its name, in lower case. */
    public static Optional<WhyOutput> named(String name) {
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

    /** Returns the format in lines for people of so many columns, where it has lines for people. */
    public WhyFormat format(int columns) {
        return switch (this) {
            case TEXT -> WhyFormat.text(columns);
            case WIDE -> WhyFormat.wide(columns);
            case JSON -> WhyFormat.JSON;
            case YAML -> WhyFormat.YAML;
        };
    }
}
