package io.evenkeel.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DemoTest {
    private final StringWriter text = new StringWriter();
    private final PrintWriter out = new PrintWriter(text);

    @ParameterizedTest(name = "{0}")
    @MethodSource("stories")
    void aStoryComesOutAsToldWithATableAndNoLineTooLong(String title, Story story) {
        boolean asTold = new Demo(out, Palette.PLAIN).run(List.of(story));

        assertThat(asTold).as(text.toString()).isTrue();
        assertThat(text.toString())
                .contains(
                        title,
                        story.explanation().stripIndent().lines().findFirst().orElseThrow())
                .contains("─┼─", "before", "asked", "✓")
                .doesNotContain("✗");
        assertThat(text.toString().lines())
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(Telling.WIDTH));
    }

    static Stream<Arguments> stories() {
        return Demo.STORIES.stream().map(story -> Arguments.of(story.title(), story));
    }

    @Test
    void everyStoryIsExplainedInTwoLines() {
        assertThat(Demo.STORIES)
                .hasSize(8)
                .allSatisfy(story -> assertThat(story.explanation().lines()).hasSize(2));
    }

    @Test
    void theFirstStoryReadsLikeThis() {
        new Demo(out, Palette.PLAIN).run(List.of(new EmptierZone()));

        assertThat(text.toString()).contains("""
                asked    web-4, labels app=web
                            over topology.kubernetes.io/zone: maxSkew 1, DoNotSchedule

                           │ before │ after
                   ────────┼────────┼───────
                   zone-a  │ 2 pods │ 2 pods
                     node1 │ web-1  │ web-1
                     node2 │ web-2  │ web-2
                   ────────┼────────┼───────
                   zone-b  │ 1 pod  │ 2 pods
                     node3 │ web-3  │ web-3
                     node4 │ ·      │ +web-4

                   decided  web-4 → node4 in zone-b
                """);
    }

    @Test
    void aStoryThatComesOutOtherwiseIsReportedAndFailsTheDemo() {
        boolean asTold = new Demo(out, Palette.PLAIN).run(List.of(new EmptierZone(), new BrokenPromise()));

        assertThat(asTold).isFalse();
        assertThat(text.toString()).contains("✗ pigs fly", "✗ 1 of 2 stories came out as told.");
    }

    private static final class BrokenPromise implements Story {
        @Override
        public String title() {
            return "A broken promise";
        }

        @Override
        public String explanation() {
            return "One\ntwo\n";
        }

        @Override
        public void play(Telling telling) {
            telling.check("pigs fly", false);
            telling.check("water is wet", true);
        }
    }
}
