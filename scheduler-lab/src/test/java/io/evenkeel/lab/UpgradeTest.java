package io.evenkeel.lab;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.app.cli.Typed;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** What releases before have left their users with, in proof/upgrade, means the same to this one. Values of the chart: UpgradeTest there. */
@ParameterizedClass
@MethodSource("releases")
class UpgradeTest {
    private static final Path RELEASES = Path.of("..", "proof", "upgrade");
    /** An option in a help text: its names, and whether a value may follow or has to. */
    private static final Pattern OPTION = Pattern.compile("(?m)^ {2,6}((?:-\\w, )?--[\\w-]+(?:, --[\\w-]+)*)(\\[?=)?");

    /** What CHANGELOG.md says below Upgrading that is not taken as it was. */
    private static final Map<String, Set<String>> REFUSED = Map.of("0.1.0", Set.of("hollow -V", "hollow --version"));

    private final Path release;

    @TempDir
    private Path folder;

    UpgradeTest(Path release) {
        this.release = release;
    }

    static Stream<Path> releases() throws IOException {
        return Files.list(RELEASES).filter(Files::isDirectory);
    }

    @ParameterizedTest
    @ValueSource(strings = {"configuration.yaml", "completed.yaml"})
    void aConfigurationIsCompletedToTheSame(String file) throws IOException {
        Path written = folder.resolve("written.yaml");
        assertThat(Typed.evenkeel("run", "--config", there(file), "--write-config-to", written.toString())
                        .exitCode())
                .isZero();
        assertThat(Files.readString(written)).isEqualTo(text("completed.yaml"));
    }

    @Test
    void aRecordIsDecidedAsItWas() {
        assertThat(Typed.evenkeel("replay", "--record", there("run.record")).out())
                .isEqualTo(text("replayed.txt"))
                .contains("All as recorded");
    }

    /** More may be said, such as a score of a plugin that is new; what was said is said still. */
    @Test
    void scenariosHaveTheSameAnswers() {
        assertSaidStill("answers.jsonl", Typed.evenkeel("replay", there("scenarios.jsonl")));
    }

    @Test
    void aDumpIsSimulatedToTheSameEnd() {
        assertSaidStill(
                "simulated.json",
                Typed.evenkeel("simulate", "--dump", there("cluster.jsonl"), "--lose", "zone=zone-0", "-o", "json"));
    }

    /** What would help may be more by now. */
    @Test
    void podsOfAScenarioThatWasWrittenWaitForTheSameReasons() {
        assertThat(reasons(Typed.evenkeel("why", "--scenario", there("lost.jsonl"), "-o", "json")
                        .out()))
                .isEqualTo(reasons(text("why.json")))
                .hasSizeGreaterThan(1);
    }

    private static List<List<JsonElement>> reasons(String answers) {
        return answers.lines()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .map(answer -> Stream.of("pod", "state", "message", "funnel", "constraints")
                        .map(answer::get)
                        .toList())
                .toList();
    }

    private void assertSaidStill(String file, Typed now) {
        List<String> before = text(file).lines().toList();
        List<String> after = now.out().lines().toList();
        assertThat(after).hasSameSizeAs(before);
        for (int line = 0; line < before.size(); line++) {
            assertThat(missing("", JsonParser.parseString(before.get(line)), JsonParser.parseString(after.get(line))))
                    .as("%s, line %d", file, line + 1)
                    .isEmpty();
        }
    }

    /** Of what was said, the first that is not any more, by its path; of a list the items in their order. */
    private static Optional<String> missing(String path, JsonElement before, JsonElement now) {
        if (before instanceof JsonObject one && now instanceof JsonObject other) {
            return one.keySet().stream()
                    .flatMap(key -> (other.has(key)
                                    ? missing(path + "/" + key, one.get(key), other.get(key))
                                    : Optional.of(path + "/" + key))
                            .stream())
                    .findFirst();
        }
        if (before instanceof JsonArray one && now instanceof JsonArray other) {
            Iterator<JsonElement> items = other.iterator();
            for (JsonElement item : one) {
                boolean found = false;
                while (!found && items.hasNext()) {
                    found = missing("", item, items.next()).isEmpty();
                }
                if (!found) {
                    return Optional.of(path + ": " + item);
                }
            }
            return Optional.empty();
        }
        return before.equals(now) ? Optional.empty() : Optional.of(path + ": " + before + ", now " + now);
    }

    @Test
    void everyFlagIsTakenOrSaidNotToBe() {
        Map<String, CommandLine> commands = Evenkeel.commandLine().getSubcommands();
        Set<String> refused = new TreeSet<>();
        int flags = 0;
        for (String help : text("help.txt").split("(?m)^Usage: evenkeel ")) {
            String command = help.split("\\W", 2)[0];
            for (MatchResult option : OPTION.matcher(help).results().toList()) {
                CommandLine now = Objects.requireNonNull(commands.get(command), command);
                flags++;
                for (String name : option.group(1).split(", ")) {
                    if (!takes(
                            now.getCommandSpec().findOption(name), Objects.requireNonNullElse(option.group(2), ""))) {
                        refused.add(command + " " + name);
                    }
                }
            }
        }
        assertThat(refused).isEqualTo(REFUSED.getOrDefault(release.getFileName().toString(), Set.of()));
    }

    /** @param value as a help text says it: {@code =}, {@code [=} where none is needed, or empty */
    private static boolean takes(@Nullable OptionSpec option, String value) {
        return option != null
                && (value.equals("=") || option.arity().min() == 0)
                && (value.isEmpty() || option.arity().max() > 0);
    }

    private String there(String file) {
        return release.resolve(file).toString();
    }

    private String text(String file) {
        try {
            return Files.readString(release.resolve(file));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
