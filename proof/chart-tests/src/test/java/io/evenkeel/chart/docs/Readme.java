package io.evenkeel.chart.docs;

import io.evenkeel.chart.helm.Chart;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Collectors;

/** The chart's README: a text of its own up to the heading of the values, and a table made of values.yaml. */
final class Readme {
    private static final String FILE = "README.md";
    private static final String HEADING = "## Values\n";

    private Readme() {}

    static String committed() {
        return Chart.read(FILE);
    }

    /** The README as it should be. */
    static String generated() {
        String text = committed();
        int heading = text.indexOf(HEADING);
        if (heading < 0) {
            throw new AssertionError(FILE + " has no heading \"" + HEADING.strip() + "\"");
        }
        return text.substring(0, heading) + HEADING + table();
    }

    private static String table() {
        return "Made of [values.yaml](values.yaml) by `ReadmeTest`; [values.schema.json](values.schema.json) refuses"
                + " all others.\n\n| key | default | |\n|---|---|---|\n"
                + ValuesDoc.read(Chart.read("values.yaml")).values().stream()
                        .map(value -> "| `%s` | `%s` | %s |\n"
                                .formatted(value.key(), value.fallback(), inTable(value.description()))
                                .replace("\\", "\\\\"))
                        .collect(Collectors.joining());
    }

    /** Text that Markdown takes as such. */
    private static String inTable(String text) {
        return text.replace("<", "&lt;").replace("|", "&#124;");
    }

    static void write() throws IOException {
        Files.writeString(Chart.FOLDER.resolve(FILE), generated());
    }
}
