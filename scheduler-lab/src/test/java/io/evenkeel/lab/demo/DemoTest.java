package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.demo.Demo.Story;
import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.rotation.Rotated;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** All stories, on one stage, as the command plays them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DemoTest {
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private static final int WIDTH = 80;

    private Stage stage;

    @BeforeAll
    void build() throws IOException {
        stage = new Stage(PATIENCE);
    }

    @AfterAll
    void close() {
        stage.close();
    }

    @Rotated(4)
    @ParameterizedTest(name = "{0}")
    @MethodSource("stories")
    void aStoryComesOutAsToldWithATableAndNoLineTooLong(String title, Story story) throws Exception {
        StringWriter text = new StringWriter();

        int exitCode = demo(text, List.of(story), PATIENCE).play(stage);

        assertThat(exitCode).as(text.toString()).isZero();
        assertThat(text.toString())
                .contains(title, story.explanation().lines().findFirst().orElseThrow())
                .contains("─┼─", "before", "apply", "✓")
                .doesNotContain("✗");
        assertThat(text.toString().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(WIDTH));
    }

    Stream<Arguments> stories() {
        return Demo.STORIES.stream().map(story -> Arguments.of(story.title(), story));
    }

    @Test
    void everyStoryIsExplainedInTwoLines() {
        assertThat(Demo.STORIES)
                .hasSize(15)
                .allSatisfy(story -> assertThat(story.explanation().lines()).hasSize(2));
    }

    /** Given ever more time until what can come true has, as that takes longer on a busy machine. */
    @Test
    void aStoryThatCannotComeTrueSaysWhatWasSeenAndFailsTheDemo() throws Exception {
        List<Story> stories = List.of(SpreadStories.ZoneSpread.STORY, BrokenPromise.STORY, WrongPoint.STORY);
        String seen = "";
        long seconds = 2;
        while (!seen.contains("✗ 1 of 3 stories") && seconds < PATIENCE.toSeconds()) {
            seconds *= 2;
            StringWriter text = new StringWriter();
            assertThat(demo(text, stories, Duration.ofSeconds(seconds)).playOnce())
                    .isEqualTo(1);
            seen = text.toString().replaceAll("\\s+", " ");
        }
        assertThat(seen)
                .contains("✓ each zone has two pods")
                .contains("✗ two pods on nodes: not within %ds; seen instead: 1 of 2 pods have a node;"
                        .formatted(seconds))
                .contains("web-2 waits: 0/1 nodes are available:")
                .contains("✗ zone-a has two pods: seen instead: {zone-a=1}")
                .contains("✗ 1 of 3 stories came out as told.");
    }

    @Test
    void nothingIsLeftBehind() throws IOException {
        Path kubeconfig;
        try (Stage brief = new Stage(PATIENCE)) {
            kubeconfig = brief.kubeconfig();
            assertThat(kubeconfig).exists();
            brief.write("web.yaml", "");
        }
        assertThat(Files.exists(kubeconfig.getParent())).isFalse();
    }

    private static Demo demo(StringWriter text, List<Story> stories, Duration patience) {
        return new Demo(new Page(new PrintWriter(text), Palette.PLAIN, WIDTH), stories, patience);
    }

    /** One node cannot keep a constraint over two. */
    private static final class BrokenPromise {
        static final Story STORY = new Story("broken-promise", "A broken promise", "One\ntwo\n", BrokenPromise::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[web-1]");
            scene.create(Manifest.pod("web-2", Manifest.ZONES.formatted("web") + "  minDomains: 2\n"));
            scene.await("two pods on nodes", cluster -> cluster.hasPlaced(2));
        }
    }

    /** Nothing fails to come, but it is not what was told. */
    private static final class WrongPoint {
        static final Story STORY = new Story("wrong-point", "A wrong point", "One\ntwo\n", WrongPoint::play);

        private static void play(Scene scene, Telling telling) throws InterruptedException {
            scene.draw("zone-a: node1[web-1]");
            Cluster seen = scene.cluster();
            telling.check("zone-a has two pods", seen.podsByZone().get("zone-a") == 2, seen.podsByZone());
        }
    }
}
