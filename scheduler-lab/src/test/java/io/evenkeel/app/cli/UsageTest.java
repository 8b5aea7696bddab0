package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.app.option.Commit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What somebody sees who types the command for the first time, or types it wrong. */
class UsageTest {
    @Test
    void withoutArgumentsCommandsAreListedInALineEach() {
        Typed typed = Typed.evenkeel();

        assertThat(typed.exitCode()).isZero();
        assertThat(typed.err()).isEmpty();
        assertThat(typed.out()
                        .lines()
                        .dropWhile(line -> !line.equals("Commands:"))
                        .skip(1)
                        .takeWhile(line -> !line.isEmpty()))
                .allMatch(line -> line.matches("  [a-z]+ +[A-Z].*\\."))
                .hasSameSizeAs(List.of(
                        "run",
                        "replay",
                        "why",
                        "observe",
                        "simulate",
                        "drain",
                        "capacity",
                        "consolidate",
                        "rebalance",
                        "dump",
                        "config",
                        "serve",
                        "bench",
                        "demo",
                        "hollow",
                        "completion",
                        "help",
                        "version"));
    }

    @Test
    void helpIsWhatTheOptionShows() {
        assertThat(Typed.evenkeel("help")).isEqualTo(Typed.evenkeel("--help")).isEqualTo(Typed.evenkeel());
        assertThat(Typed.evenkeel("help", "run"))
                .isEqualTo(Typed.evenkeel("run", "--help"))
                .satisfies(typed -> assertThat(typed.out()).startsWith("Usage: evenkeel run"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bench", "demo", "hollow"})
    void theHelpKeepsToTheWidthOfTheTerminal(String command) {
        String help = new Terminal(60, false)
                .of(Evenkeel.commandLine())
                .getSubcommands()
                .get(command)
                .getUsageMessage();

        assertThat(help.lines()).hasSizeGreaterThan(3).allMatch(line -> line.length() <= 60);
    }

    @ParameterizedTest
    @ValueSource(strings = {"run --version", "bench --version", "version -V"})
    void theVersionIsWhatTheOptionShows(String typed) {
        assertThat(Typed.evenkeel(typed.split(" ")))
                .isEqualTo(Typed.evenkeel("--version"))
                .satisfies(shown -> assertThat(shown.out()).startsWith("evenkeel "));
    }

    /** Each of them is a command line that is taken. */
    @Test
    void everyHelpHasExamples() {
        for (CommandLine command : Evenkeel.commandLine().getSubcommands().values()) {
            if (!command.getCommandSpec().usageMessage().hidden()) {
                String help = command.getUsageMessage();
                assertThat(help).contains("\nExamples:\n");
                help.substring(help.indexOf("\nExamples:\n"))
                        .lines()
                        .filter(line -> line.startsWith("  evenkeel "))
                        .map(line -> line.replaceFirst(" >.*", ""))
                        .forEach(line -> assertThatCode(() -> Evenkeel.commandLine()
                                        .parseArgs(line.strip()
                                                .substring("evenkeel ".length())
                                                .split(" ", -1)))
                                .as(line)
                                .doesNotThrowAnyException());
            }
        }
    }

    @Test
    void theCommandSaysTheCommitToo() {
        assertThat(Typed.evenkeel("version").out())
                .isEqualTo(Typed.evenkeel("--version").out() + Commit.OF_BUILD + System.lineSeparator());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "repaly x.jsonl | there is no command \"repaly\"; did you mean \"replay\"? See 'evenkeel --help'",
                "hwy pod web    | there is no command \"hwy\"; did you mean \"why\"? See 'evenkeel --help'",
                "schedule       | there is no command \"schedule\"; there are run, replay, why, observe, simulate, drain,"
                        + " capacity, consolidate, rebalance, dump, config, serve, bench, demo, hollow, completion, help,"
                        + " version; see 'evenkeel --help'",
                "help rum       | there is no command \"rum\"; did you mean \"run\"? See 'evenkeel --help'",
                "--verison      | there is no option \"--verison\"; did you mean \"--version\"? See 'evenkeel --help'",
                "run --kubecnofig x  | there is no option \"--kubecnofig\"; did you mean \"--kubeconfig\"?"
                        + " See 'evenkeel run --help'",
                "run -kubeconfig=x   | there is no option \"-kubeconfig\"; did you mean \"--kubeconfig\"?"
                        + " See 'evenkeel run --help'",
                "run --enable-magic  | there is no option \"--enable-magic\"; see 'evenkeel run --help'",
                "help run now        | one argument too many: \"now\"; see 'evenkeel help --help'",
                "run now             | one argument too many: \"now\"; see 'evenkeel run --help'",
                "run --leader-elect false | the value of --leader-elect goes with it: use --leader-elect=false;"
                        + " see 'evenkeel run --help'",
                "run --v=1 --dry_run t --v=2 | the value of --dry-run goes with it: use --dry-run=t;"
                        + " see 'evenkeel run --help'",
                "run --profiling 0   | the value of --profiling goes with it: use --profiling=0;"
                        + " see 'evenkeel run --help'",
                "replay a.jsonl b.jsonl | one argument too many: \"b.jsonl\"; see 'evenkeel replay --help'",
                "bench --workload zone-hrad | Invalid value for option '--workload': there is no workload"
                        + " \"zone-hrad\"; did you mean \"zone-hard\"? See 'evenkeel bench --help'",
            })
    void aMistypedNameIsOneLineWithTheNearestOne(String typed, String line) {
        assertThat(Typed.evenkeel(typed.split(" "))).isEqualTo(new Typed(2, "", "evenkeel: " + line + "\n"));
    }
}
