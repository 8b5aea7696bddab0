package io.evenkeel.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.cli.Evenkeel;
import io.evenkeel.rotation.Rotated;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help;

class DemoCommandTest {
    private final StringWriter out = new StringWriter();
    private final CommandLine evenkeel = Evenkeel.commandLine().setOut(new PrintWriter(out));

    @Rotated(3)
    @Test
    void onceItTellsAllStoriesInColourWhereThatIsWantedAndSucceeds() {
        int exitCode =
                evenkeel.setColorScheme(Help.defaultColorScheme(Help.Ansi.ON)).execute("demo", "--once");

        assertThat(exitCode).as(out.toString()).isZero();
        assertThat(out.toString())
                .startsWith("\u001b[1mStories of topology spread")
                .endsWith("\u001b[32m✓ 15 of 15 stories came out as told.\u001b[0m" + System.lineSeparator());
    }

    @Test
    void theHelpSaysWhatTheExitCodeMeans() {
        assertThat(evenkeel.execute("demo", "--help")).isZero();
        assertThat(out.toString().replaceAll("\\s+", " ")).contains("Exits with 1 if a story did not come out as told");
    }
}
