package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.evenkeel.lab.demo.Demo.HandsOn;
import io.evenkeel.lab.demo.Page.Palette;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The demo in a narrow terminal, from the first line to those that invite to try by hand. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WholeDemoTest {
    private static final int WIDTH = 55;

    private final StringWriter text = new StringWriter();
    private Stage stage;

    @BeforeAll
    void play() throws IOException, InterruptedException {
        Duration patience = Duration.ofMinutes(10);
        stage = new Stage(patience);
        Page page = new Page(new PrintWriter(text), Palette.PLAIN, WIDTH);
        assertThat(new Demo(page, Demo.STORIES, patience).play(stage))
                .as(text.toString())
                .isZero();
        HandsOn handsOn = new HandsOn(stage, page, 0);
        handsOn.invite(handsOn.prepare());
    }

    @AfterAll
    void close() {
        stage.close();
    }

    @Test
    void onlyLinesOfFilesAndLinesToBeCopiedAreLonger() {
        assertThat(text.toString().lines().filter(line -> line.length() > WIDTH))
                .isNotEmpty()
                .allMatch(line -> line.matches(" {14,}(- \\{)?\\w+: .*| +kubectl .*| +export .*"));
    }

    /** Whoever reads a command can type it when the stories are over. */
    @Test
    void whatCommandsNameIsThereInTheEnd() {
        List<String> commands = text.toString()
                .lines()
                .filter(line -> line.contains("kubectl "))
                .map(line -> line.substring(line.indexOf("kubectl ")))
                .toList();

        assertThat(commands).hasSizeGreaterThan(4);
        Typist typist = new Typist(stage);
        commands.forEach(command ->
                assertThatCode(() -> typist.type(command)).as(command).doesNotThrowAnyException());
    }
}
