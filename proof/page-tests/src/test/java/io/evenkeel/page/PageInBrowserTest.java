package io.evenkeel.page;

import static io.evenkeel.page.Chromium.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveObservers;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.live.LiveScheduler;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.ConfigurationReader;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.ClusterFiles;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

/** The page in a browser that people have. Skipped where Chromium and its driver are not installed. */
@TestInstance(Lifecycle.PER_CLASS)
class PageInBrowserTest {
    private static final SchedulerConfiguration CONFIGURATION = new ConfigurationReader().read("test", """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            profiles: [{schedulerName: evenkeel}]
            """);

    private static final String WEB = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: web, namespace: default}
            spec:
              replicas: 6
              selector: {matchLabels: {app: web}}
              template:
                metadata: {labels: {app: web}}
                spec:
                  schedulerName: evenkeel
                  topologySpreadConstraints:
                  - maxSkew: 1
                    topologyKey: topology.kubernetes.io/zone
                    whenUnsatisfiable: DoNotSchedule
                    labelSelector: {matchLabels: {app: web}}
                  containers: [{name: main, image: x, resources: {requests: {cpu: "1"}}}]
            """;

    private static final String POD = """
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, namespace: default}
            spec:
              schedulerName: evenkeel
              containers: [{name: main, image: x, resources: {requests: {cpu: "%s"}}}]
            """;

    private HollowWorld world;
    private Path kubeconfig;
    private HttpTransport transport;
    private LiveScheduler scheduler;
    private PageSite site;
    private Chromium browser;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        browser = Chromium.open(directory);
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(6, 3, Capacity.of("4", "8Gi", 20)));
        kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
        transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        scheduler = LiveScheduler.start(CONFIGURATION, transport, LiveOptions.usual("test"), LiveObservers.NONE);
        site = serve(0);
        create(WEB);
        create(POD.formatted("large", "6"));
    }

    @AfterAll
    void close() {
        Stream.of(browser, site, scheduler, transport, world)
                .filter(Objects::nonNull)
                .forEach(PageInBrowserTest::closeQuietly);
    }

    private static void closeQuietly(Object part) {
        switch (part) {
            case Chromium chromium -> chromium.close();
            case PageSite site -> site.close();
            case LiveScheduler scheduler -> scheduler.close();
            case HttpTransport transport -> transport.close();
            case HollowWorld world -> world.close();
            default -> throw new IllegalArgumentException(part.toString());
        }
    }

    @AfterEach
    void nothingWasComplainedOf() {
        assertThat(browser.complaints()).isEmpty();
    }

    private PageSite serve(int port) {
        return HollowPage.site(port, "hollow", () -> CONFIGURATION, Judgement.OWN, kubeconfig, objects());
    }

    private HollowObjects objects() {
        return world.cluster().objects();
    }

    private void create(String yaml) {
        ClusterFiles.parse("manifest", yaml).forEach(objects()::create);
    }

    private void look(String view) {
        browser.look(site.address(), view);
    }

    @ParameterizedTest
    @CsvSource({
        "cluster, 6 nodes in 3 domains",
        "workloads, Deployment",
        "waiting, 1 cause holds up 1 pod",
        "waiting/default/large, What would help",
        "live, placed a second",
        "whatif, Nothing is written",
        "groups, ''",
    })
    void eachViewCanBeReadByEverybody(String view, String wanted) {
        for (String theme : List.of("light", "dark")) {
            browser.driver()
                    .executeCdpCommand(
                            "Emulation.setEmulatedMedia",
                            Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
            look(view);
            browser.awaitText(wanted);

            assertThat(browser.violations())
                    .as("%s in the %s theme", view, theme)
                    .isEmpty();
        }
    }

    /** From all that wait to the pod, to a change that helps, to its place. */
    @Test
    void theKeyboardAloneLetsAPodDropIntoItsPlace() {
        create(POD.formatted("typed", "5"));
        look("waiting");
        browser.awaitText("default/typed");

        tabTo("default/typed");
        press(Keys.ENTER);
        browser.awaitText("What would help");
        WebElement apply = browser.driver().findElements(By.tagName("button")).stream()
                .filter(button -> button.getText().equals("Apply"))
                .reduce((_, last) -> last)
                .orElseThrow();
        patiently().until(() -> {
            press(Keys.TAB);
            return browser.driver().switchTo().activeElement().equals(apply);
        });
        press(Keys.ENTER);

        browser.awaitText("is placed on node-");
    }

    private void tabTo(String wanted) {
        patiently().until(() -> {
            press(Keys.TAB);
            return browser.driver().switchTo().activeElement().getText().contains(wanted);
        });
    }

    private void press(Keys key) {
        browser.driver().switchTo().activeElement().sendKeys(key);
    }

    @Test
    void aServerThatComesBackIsFoundAgain() {
        look("cluster");
        browser.awaitText("6 nodes in 3 domains");
        int port = site.address().getPort();

        site.close();
        browser.awaitText("Connection lost");
        site = serve(port);

        patiently().untilAsserted(() -> assertThat(browser.text()).doesNotContain("Connection lost"));
        browser.awaitText("6 nodes in 3 domains");
    }
}
