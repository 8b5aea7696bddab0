package io.evenkeel.lab.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.lab.demo.Page.Palette;
import io.evenkeel.lab.demo.Scene.Progress;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final Cluster HALF = Drawing.empty()
            .with(Drawing.node("node1", "zone-a").build())
            .with(Drawing.pod("web-1").nodeName("node1").build())
            .with(Drawing.pod("web-2").build())
            .cluster();

    private final StringWriter text = new StringWriter();

    @Test
    void aBarGrowsAndIsTakenBack() {
        Progress progress = new Progress(new Page(new PrintWriter(text), Palette.COLOURED, 80));

        progress.show(HALF);
        progress.show(HALF);
        progress.clear();

        assertThat(text.toString())
                .isEqualTo("\r\u001b[K   " + "█".repeat(20) + "░".repeat(20) + " 1 of 2 pods have a node\r\u001b[K");
    }

    @Test
    void nothingIsDrawnWhereItCouldNotBeTakenBack() {
        Progress progress = new Progress(new Page(new PrintWriter(text), Palette.PLAIN, 80));

        progress.show(HALF);
        progress.clear();

        assertThat(text.toString()).isEmpty();
    }
}
