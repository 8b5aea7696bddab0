package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTest {
    private static final String ESCAPE = "\u001b";

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "xterm-256color, -, true,  true",
                "dumb,           -, true,  false",
                "xterm,          1, true,  false",
                "xterm,         '', true,  true",
                "xterm,          -, false, false",
            })
    void coloursAreForTerminalsThatWantThem(String term, String noColor, boolean isTerminal, boolean colours) {
        Map<String, String> environment =
                noColor == null ? Map.of("TERM", term) : Map.of("TERM", term, "NO_COLOR", noColor);

        assertThat(Terminal.of(environment, isTerminal, () -> "24 80").colours())
                .isEqualTo(colours);
    }

    @ParameterizedTest
    @CsvSource({
        "'',  true,  24 70,  70",
        "'',  true,  24 200, 80",
        "'',  true,  24 20,  55",
        "'',  true,  '',     80",
        "'',  true,  0 0,    80",
        "'',  false, 24 70,  80",
        "60,  false, 24 70,  60",
        "60,  true,  24 70,  60",
        "x,   true,  24 70,  70",
    })
    void linesAreAsLongAsTheTerminalIsWideBetweenLimits(String columns, boolean isTerminal, String size, int width) {
        assertThat(Terminal.of(Map.of("COLUMNS", columns), isTerminal, () -> size)
                        .columns())
                .isEqualTo(width);
    }

    @Test
    void theHelpKeepsToIt() {
        for (String command : Evenkeel.commandLine().getSubcommands().keySet()) {
            String help = help(new Terminal(60, true), command);
            assertThat(help.lines().map(line -> line.replaceAll(ESCAPE + "\\[[0-9;]*m", "")))
                    .as(command)
                    .allMatch(line -> line.length() <= 60);
            assertThat(help).contains(ESCAPE);
            assertThat(help(new Terminal(60, false), command)).doesNotContain(ESCAPE);
        }
    }

    private static String help(Terminal terminal, String command) {
        return terminal.of(Evenkeel.commandLine()).getSubcommands().get(command).getUsageMessage();
    }
}
