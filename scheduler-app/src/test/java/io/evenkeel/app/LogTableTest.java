package io.evenkeel.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Operators look a log line up in the table of docs/logs.md: each that the scheduler may write is there. */
class LogTableTest {
    private static final Path APP = Path.of("src/main/java/io/evenkeel/app");
    private static final Path POLICIES = Path.of("../scheduler-policies/src/main/java/io/evenkeel/policies");
    private static final Path TOOLS = Path.of("../scheduler-tools/src/main/java/io/evenkeel/tools");
    private static final Path SERVE = Path.of("../scheduler-serve/src/main/java/io/evenkeel/serve");
    private static final Path CLIENT = Path.of("../kubernetes/client/src/main/java/io/evenkeel/kube");
    private static final Path CERTIFICATES = Path.of("../kubernetes/certificates/src/main/java/io/evenkeel/tls");
    private static final Path TABLE = Path.of("../docs/logs.md");
    private static final Path ALERTS = Path.of("../charts/evenkeel/templates/prometheusrule.yaml");
    private static final Path RUNBOOK = Path.of("../docs/alerts.md");
    private static final List<Path> OF_THE_SCHEDULER = Stream.concat(
                    Stream.of("cli", "companion", "http", "live", "metrics", "plugin", "record")
                            .map(APP::resolve),
                    Stream.of(
                            POLICIES,
                            TOOLS.resolve("dump"),
                            TOOLS.resolve("moves"),
                            TOOLS.resolve("observe"),
                            TOOLS.resolve("why"),
                            SERVE,
                            CLIENT,
                            CERTIFICATES))
            .toList();
    private static final Pattern CALL = Pattern.compile(
            "\\b(?:setMessage|log\\.(?:error|warn|info|debug)|report|line)\\(((?:\\(\\)|[^\";)]|\"[^\"]*\")*)",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern LITERAL = Pattern.compile("\"([^\"]+)\"");
    private static final Pattern ROW =
            Pattern.compile("^\\|([^|]*)\\| (?:error|warn|info|debug|trace)(?:, \\w+)? \\|", Pattern.MULTILINE);
    private static final Pattern QUOTED = Pattern.compile("(?:for|and|or) \"([A-Z][^\"]*)\"");
    private static final Pattern MESSAGE = Pattern.compile("`([A-Z][a-z]* [^`{]*)`");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    @Test
    void everyMessageHasARowAndEveryRowAMessage() throws IOException {
        assertThat(inTable()).isEqualTo(inSources());
    }

    /** What an alert sends its reader to look for. */
    @Test
    void alertsNameLinesThatThereAre() throws IOException {
        Set<String> named = new TreeSet<>();
        addAll(QUOTED.matcher(Files.readString(ALERTS).replaceAll("\\s+", " ")), named);
        addAll(MESSAGE.matcher(Files.readString(RUNBOOK)), named);

        assertThat(named)
                .hasSizeGreaterThan(5)
                .allSatisfy(line -> assertThat(inSources()).anyMatch(message -> message.startsWith(line)));
    }

    private static Set<String> inSources() throws IOException {
        Set<String> messages = new TreeSet<>();
        for (Path part : OF_THE_SCHEDULER) {
            try (Stream<Path> files = Files.walk(part)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Matcher calls = CALL.matcher(Files.readString(file));
                    while (calls.find()) {
                        addAll(LITERAL.matcher(calls.group(1)), messages);
                    }
                }
            }
        }
        return messages;
    }

    /** Of the rows with a level in their second cell, what stands as code in the first. */
    private static Set<String> inTable() throws IOException {
        Set<String> messages = new TreeSet<>();
        Matcher rows = ROW.matcher(Files.readString(TABLE));
        while (rows.find()) {
            addAll(CODE.matcher(rows.group(1)), messages);
        }
        return messages;
    }

    private static void addAll(Matcher matcher, Set<String> messages) {
        while (matcher.find()) {
            messages.add(matcher.group(1));
        }
    }
}
