package io.evenkeel.page;

import static io.evenkeel.page.Chromium.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.tools.page.PageSite;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.openqa.selenium.OutputType;

/** The pictures of the page in README and docs: views of a hollow cluster. With {@code -Devenkeel.page.pictures=write} it takes them again. */
class PagePicturesTest {
    private static final Path IMAGES = Path.of("../../docs/images");
    private static final int MOST_BYTES = 200_000;
    private static final int WIDTH = 1280;

    private static final String WORKLOAD = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s, namespace: shop}
            spec:
              replicas: %2$d
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  schedulerName: evenkeel
                  %5$s
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: topology.kubernetes.io/zone
                    whenUnsatisfiable: DoNotSchedule
                    labelSelector: {matchLabels: {app: %1$s}}
                  containers: [{name: main, image: x, resources: {requests: {cpu: "%3$s", memory: %4$s}}}]
            """;

    /** A picture. */
    enum Picture {
        CLUSTER(720, "cluster", "60 nodes in 3 domains"),
        WAITING(900, "", "What would help"),
        WHATIF(840, "whatif?lose=zone%3Dzone-1", "would wait");

        private final int height;
        private final String view;
        private final String wanted;

        Picture(int height, String view, String wanted) {
            this.height = height;
            this.view = view;
            this.wanted = wanted;
        }

        private Path file() {
            return IMAGES.resolve("page-" + name().toLowerCase(Locale.ROOT) + ".png");
        }
    }

    @ParameterizedTest
    @EnumSource
    void isThereAndAsLargeAsItIsToBe(Picture picture) throws IOException {
        byte[] file = Files.readAllBytes(picture.file());
        BufferedImage image = ImageIO.read(new ByteArrayInputStream(file));

        assertThat(file).hasSizeLessThan(MOST_BYTES);
        assertThat(image.getWidth()).isEqualTo(WIDTH);
        assertThat(image.getHeight()).isEqualTo(picture.height);
    }

    @BeforeAll
    static void take(@TempDir Path directory) throws IOException {
        if (!System.getProperty("evenkeel.page.pictures", "").equals("write")) {
            return;
        }
        try (Chromium browser = Chromium.open(directory);
                ScheduledWorld world = ScheduledWorld.start(
                        directory,
                        WorldOptions.DEFAULT.withNodes(60, 3, Capacity.of("16", "64Gi", 60)),
                        LiveOptions.usual("test"));
                PageSite site = world.serve(0)) {
            fill(world);
            for (Picture picture : Picture.values()) {
                take(picture, browser, site, world);
            }
        }
    }

    /** Each zone has a fast node; that of the last is cordoned, and a third pod of ledger waits for it. */
    private static void fill(ScheduledWorld world) {
        world.create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        for (int i = 0; i < 3; i++) {
            patch(world, "node-" + i, "{\"metadata\":{\"labels\":{\"disk\":\"fast\"}}}");
        }
        patch(world, "node-2", "{\"spec\":{\"unschedulable\":true}}");
        world.create(WORKLOAD.formatted("web", 60, "2", "4Gi", ""));
        world.create(WORKLOAD.formatted("cart", 45, "3", "6Gi", ""));
        world.create(WORKLOAD.formatted("search", 30, "4500m", "12Gi", ""));
        world.create(WORKLOAD.formatted("queue", 24, "1", "10Gi", ""));
        world.create(WORKLOAD.formatted("index", 15, "9", "40Gi", ""));
        world.create(WORKLOAD.formatted("ledger", 3, "500m", "1Gi", "nodeSelector: {disk: fast}"));
        patiently().until(() -> placed(world) == 176);
    }

    private static void patch(ScheduledWorld world, String node, String patch) {
        world.objects().patch(ResourceTable.NODES, "", node, patch);
    }

    private static long placed(ScheduledWorld world) {
        return world.objects().list(ResourceTable.PODS, "shop").stream()
                .filter(pod -> pod.contains("\"nodeName\":"))
                .count();
    }

    private static String waiting(ScheduledWorld world) {
        return world.objects().list(ResourceTable.PODS, "shop").stream()
                .filter(pod -> !pod.contains("\"nodeName\":"))
                .map(pod -> pod.replaceAll("(?s).*?\"name\":\"(ledger-[^\"]*)\".*", "$1"))
                .findFirst()
                .orElseThrow();
    }

    private static void take(Picture picture, Chromium browser, PageSite site, ScheduledWorld world)
            throws IOException {
        browser.driver()
                .executeCdpCommand(
                        "Emulation.setDeviceMetricsOverride",
                        Map.of("width", WIDTH, "height", picture.height, "deviceScaleFactor", 1, "mobile", false));
        browser.driver()
                .executeCdpCommand(
                        "Emulation.setEmulatedMedia",
                        Map.of(
                                "features",
                                List.of(
                                        Map.of("name", "prefers-color-scheme", "value", "light"),
                                        Map.of("name", "prefers-reduced-motion", "value", "reduce"))));
        browser.driver().executeCdpCommand("Emulation.setScrollbarsHidden", Map.of("hidden", true));
        browser.look(site.address(), picture.view.isEmpty() ? "waiting/shop/" + waiting(world) : picture.view);
        browser.awaitText(picture.wanted);
        browser.driver().executeScript("document.getElementById('source').textContent = ''"); // a port by chance
        Files.write(picture.file(), browser.driver().getScreenshotAs(OutputType.BYTES));
    }
}
