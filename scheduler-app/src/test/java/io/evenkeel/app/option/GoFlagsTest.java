package io.evenkeel.app.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.option.Converters.GoBool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

class GoFlagsTest {

    @Command(name = "x", preprocessor = GoFlags.class, version = "1", mixinStandardHelpOptions = true)
    private static final class Flags {
        @Option(names = "--leader-elect", arity = "0..1", fallbackValue = "true", converter = GoBool.class)
        private boolean leaderElect;

        @Option(names = "--resource-name")
        private String resourceName = "";

        @Parameters(arity = "0..1")
        private String file = "";
    }

    @ParameterizedTest
    @CsvSource({
        "--leader-elect, true",
        "--leader_elect, true",
        "--leader_elect=T, true",
        "--leader-elect=1, true",
        "--leader-elect=0, false",
        "--leader_elect=False, false",
    })
    void booleansAreTakenAsGoTakesThem(String flag, boolean expected) {
        assertThat(parse(flag).leaderElect).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"no", "tRUE", "2"})
    void whatIsNoBooleanIsRefused(String value) {
        assertThatThrownBy(() -> parse("--leader-elect=" + value))
                .isInstanceOf(ParameterException.class)
                .hasMessageContaining("expected true or false, got \"" + value + "\"");
    }

    @Test
    void onlyNamesOfFlagsHaveTheirUnderscoresTurned() {
        assertThat(parse("--resource_name=a_b").resourceName).isEqualTo("a_b");
        assertThat(parse("--resource_name", "a_b").resourceName).isEqualTo("a_b");
        assertThat(parse("a_b").file).isEqualTo("a_b");
        assertThat(parse("--", "--a_b").file).isEqualTo("--a_b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--version", "--version=true", "--version=raw", "--help=1"})
    void helpAndVersionMayHaveAValue(String flag) {
        assertThat(new CommandLine(new Flags()).parseArgs(flag).matchedOptions())
                .hasSize(1);
    }

    private static Flags parse(String... arguments) {
        Flags flags = new Flags();
        new CommandLine(flags).parseArgs(arguments);
        return flags;
    }
}
