package io.evenkeel.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Thousands of nodes in a browser: what a frame takes is bounded here; how fast it is, is measured where that is asked for. */
@TestInstance(Lifecycle.PER_CLASS)
class LargeClusterInBrowserTest {
    private static final int NODES = 5_000;
    private static final int LOADS = 7;

    private Path directory = Path.of("");
    private Chromium browser;

    @BeforeAll
    void open(@TempDir Path temporary) {
        directory = temporary;
        browser = Chromium.open(temporary);
        browser.size(1440, 900);
    }

    @AfterAll
    void close() {
        if (browser != null) {
            browser.close();
        }
    }

    /** However many nodes are seen, they are one image and a few words. */
    @Test
    void aFrameOfPanningTakesFewCalls() throws IOException {
        try (HollowWorld world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(1, 1, Capacity.DEFAULT));
                PageSite site = site(world)) {
            browser.driver().get(site.address().toString());

            List<?> calls = (List<?>) Objects.requireNonNull(browser.driver().executeAsyncScript("""
                    const [nodes, done] = arguments;
                    const each = of => Array.from({length: nodes}, (_, i) => of(i));
                    const cluster = {
                        key: "zone", unit: "share", resources: ["pods", "cpu"],
                        domains: [0, 1, 2, 3, 4].map(i => ({name: `zone-${i}`, nodes: nodes / 5, pods: 0, resources: {}})),
                        nodes: {
                            name: each(i => `node-${i}`), domain: each(i => i % 5), level: each(i => i % 1000),
                            pods: each(() => 1), flags: each(() => 0), of: each(() => 1),
                        },
                    };
                    import("./field.js").then(async ({fieldOf}) => {
                        const field = fieldOf(() => {});
                        document.body.replaceChildren(field.element);
                        field.draw(cluster);
                        field.zoom(1);
                        let count = 0;
                        for (const name of ["fillRect", "strokeRect", "fillText", "stroke", "fill", "drawImage", "putImageData"]) {
                            const before = CanvasRenderingContext2D.prototype[name];
                            CanvasRenderingContext2D.prototype[name] = function (...given) {
                                count++;
                                return before.apply(this, given);
                            };
                        }
                        const frame = () => new Promise(requestAnimationFrame);
                        const counts = [];
                        const scroller = document.querySelector(".field");
                        for (let i = 0; i < 10; i++) {
                            await frame();
                            await frame();
                            count = 0;
                            scroller.scrollTop += 5;
                            await frame();
                            await frame();
                            counts.push(count);
                        }
                        done(counts);
                    });
                    """, NODES));

            assertThat(calls)
                    .hasSize(10)
                    .allSatisfy(count -> assertThat((Long) count).isBetween(1L, 30L));
        }
    }

    /**
     * Prints how long the page takes from its address to its nodes, and how many frames a second panning has, in the words of
     * docs/benchmarks.md.
     */
    @EnabledIfSystemProperty(
            named = "evenkeel.page.figures",
            matches = "true",
            disabledReason = "measures, and proves nothing")
    @ParameterizedTest
    @ValueSource(ints = {NODES, 20_000, 100_000})
    void figures(int nodes) throws IOException {
        try (HollowWorld world =
                        HollowWorld.start(WorldOptions.DEFAULT.withNodes(nodes, 5, Capacity.of("16", "32Gi", 110)));
                PageSite site = site(world)) {
            load(site);
            List<Double> paints = new ArrayList<>();
            List<Double> drawn = new ArrayList<>();
            for (int i = 0; i < LOADS; i++) {
                load(site);
                paints.add(number("return performance.getEntriesByName('first-contentful-paint')[0].startTime"));
                drawn.add(number("return performance.getEntriesByName('nodes drawn')[0].startTime"));
            }
            double bytes = number("""
                    return performance.getEntriesByType('resource').find(each => each.name.includes('api/cluster')).decodedBodySize
                    """);
            Map<?, ?> panning =
                    (Map<?, ?>) Objects.requireNonNull(browser.driver().executeAsyncScript("""
                    const done = arguments[arguments.length - 1];
                    const scroller = document.querySelector(".field");
                    const larger = document.querySelector("[aria-label='Larger squares']");
                    while (scroller.scrollHeight < 2 * scroller.clientHeight) larger.click();
                    const times = [];
                    let by = 20;
                    (function pan(now) {
                        times.push(now);
                        if (scroller.scrollTop + scroller.clientHeight + by > scroller.scrollHeight || scroller.scrollTop + by < 0) by = -by;
                        scroller.scrollTop += by;
                        if (now - times[0] < 5000) return requestAnimationFrame(pan);
                        const lengths = times.slice(2).map((time, i) => time - times[i + 1]).sort((a, b) => a - b);
                        done({
                            frames: (lengths.length * 1000) / (times.at(-1) - times[1]),
                            p99: lengths[Math.floor(lengths.length * 0.99)],
                        });
                    })(performance.now());
                    """));
            System.out.printf(
                    Locale.ROOT,
                    "| %,d | %.0f ms | %.0f ms | %.1f | %.0f ms | %.0f KB |%n",
                    nodes,
                    median(paints),
                    median(drawn),
                    ((Number) Objects.requireNonNull(panning.get("frames"))).doubleValue(),
                    ((Number) Objects.requireNonNull(panning.get("p99"))).doubleValue(),
                    bytes / 1024);
        }
    }

    private PageSite site(HollowWorld world) throws IOException {
        return HollowPage.site(
                0,
                "hollow",
                () -> UsualProfiles.OF_PODS_THAT_WAIT,
                Judgement.GUESSED,
                world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml")),
                world.cluster().objects());
    }

    private void load(PageSite site) {
        browser.driver().get("about:blank");
        browser.driver().get(site.address().toString());
        await().atMost(Duration.ofMinutes(2))
                .until(() -> number("return performance.getEntriesByName('nodes drawn').length") > 0);
    }

    private double number(String script) {
        return ((Number) Objects.requireNonNull(browser.driver().executeScript(script))).doubleValue();
    }

    private static double median(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
    }
}
