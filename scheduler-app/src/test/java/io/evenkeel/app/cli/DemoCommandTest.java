package io.evenkeel.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help;

class DemoCommandTest {
    private final StringWriter out = new StringWriter();
    private final CommandLine evenkeel = Evenkeel.commandLine().setOut(new PrintWriter(out));

    @Test
    void theDemoTellsAllStoriesAndSucceeds() {
        int exitCode = evenkeel.execute("demo", "--once");

        assertThat(exitCode).isZero();
        assertThat(out.toString())
                .startsWith("Stories of topology spread, played through Evenkeel's real engine in memory.")
                .contains("There is no API server here")
                .endsWith("✓ 8 of 8 stories came out as told." + System.lineSeparator());
    }

    @Test
    void withoutOnceItSaysThatTheClusterToTryComesLater() {
        int exitCode = evenkeel.execute("demo");

        assertThat(exitCode).isZero();
        assertThat(out.toString()).contains("A cluster in memory to try by hand comes later");
    }

    @Test
    void outputIsColouredOnlyWhereItIsWanted() {
        evenkeel.setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF)).execute("demo", "--once");
        assertThat(out.toString()).doesNotContain("\u001b[");

        evenkeel.setColorScheme(Help.defaultColorScheme(Help.Ansi.ON)).execute("demo", "--once");
        assertThat(out.toString()).contains("\u001b[32m✓ 8 of 8");
    }

    @Test
    void theHelpSaysThatThereIsNoApiServer() {
        assertThat(evenkeel.execute("demo", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains("There is no API server in it");
    }
}
