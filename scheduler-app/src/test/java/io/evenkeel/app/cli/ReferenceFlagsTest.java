package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.app.cli.RunCommand.IgnoredFlag;
import io.evenkeel.config.CompatibilityLevel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Every flag of kube-scheduler is taken, and docs/flags.md says what becomes of it. */
class ReferenceFlagsTest {
    private static final Path DOCS = Path.of("../docs/flags.md");
    private static final String HEADING = "## Flags of kube-scheduler";
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`--[^|]*) \\| (done|taken)(?:: ([^|]*))? \\|");
    private static final Pattern NAME = Pattern.compile("`(--[a-z0-9-]+)`");

    record Flag(String name, String type, String byDefault) {}

    static List<Flag> flags() throws IOException {
        return Files.readAllLines(Path.of("../proof/reference", CompatibilityLevel.FIRST.toString(), "flags.txt"))
                .stream()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split(" \\|", -1))
                .map(cells -> new Flag("--" + cells[0], cells[1].strip(), cells[2].strip()))
                .toList();
    }

    /** A list is written in brackets where it is shown, and without where it is given. */
    @ParameterizedTest
    @MethodSource("flags")
    void isTakenWithTheReferencesDefault(Flag flag) {
        String value = flag.byDefault().replaceAll("^\\[(.*)]$", "$1");
        List<String> arguments = new ArrayList<>(List.of("run"));
        if (!value.isEmpty() && !flag.type().equals("version") && !flag.name().equals("--help")) {
            arguments.add(flag.name() + "=" + value);
        }
        CommandLine run = Evenkeel.commandLine();

        assertThat(run.getSubcommands().get("run").getCommandSpec().findOption(flag.name()))
                .isNotNull();
        assertThatCode(() -> run.parseArgs(arguments.toArray(String[]::new))).doesNotThrowAnyException();
    }

    @Test
    void theTableNamesEachOnce() throws IOException {
        List<String> inTable = new ArrayList<>();
        rows().forEach((name, _) -> inTable.add(name));

        TreeSet<String> expected =
                new TreeSet<>(flags().stream().map(Flag::name).toList());
        expected.add("--allow-unsupported"); // Evenkeel's own, which has no effect any more
        assertThat(new TreeSet<>(inTable)).isEqualTo(expected);
    }

    @Test
    void theTableSaysWhyAFlagHasNoEffect() throws IOException {
        Map<String, String> expected = new TreeMap<>();
        IgnoredFlag.ALL.forEach(flag -> expected.put(flag.flag(), flag.why()));
        Map<String, String> told = rows();
        told.values().removeIf(String::isEmpty);

        assertThat(told).isEqualTo(expected);
    }

    /** By flag, why it has no effect; empty where it has one. */
    private static Map<String, String> rows() throws IOException {
        String text = Files.readString(DOCS);
        int begin = text.indexOf(HEADING);
        assertThat(begin).isNotNegative();
        String section = text.substring(begin, text.indexOf("\n#", begin + 1));
        Map<String, String> rows = new TreeMap<>();
        Matcher row = ROW.matcher(section);
        while (row.find()) {
            String why = row.group(2).equals("taken") ? row.group(3) : "";
            names(row.group(1))
                    .forEach(name -> assertThat(rows.put(name, why)).as(name).isNull());
        }
        return rows;
    }

    private static Stream<String> names(String cell) {
        return NAME.matcher(cell).results().map(name -> name.group(1));
    }
}
