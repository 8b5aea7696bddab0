package io.evenkeel.page;

import static io.evenkeel.page.Chromium.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.tools.page.PageSite;
import java.io.IOException;
import java.nio.file.Path;
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

    private ScheduledWorld world;
    private PageSite site;
    private Chromium browser;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        browser = Chromium.open(directory);
        world = ScheduledWorld.start(
                directory,
                WorldOptions.DEFAULT.withNodes(6, 3, Capacity.of("4", "8Gi", 20)),
                LiveOptions.usual("test"));
        site = world.serve(0);
        world.create(WEB);
        world.create(ScheduledWorld.POD.formatted("large", "6"));
    }

    @AfterAll
    void close() {
        if (browser != null) { // else all was skipped
            browser.close();
            site.close();
            world.close();
        }
    }

    @AfterEach
    void nothingWasComplainedOf() {
        assertThat(browser.complaints()).isEmpty();
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
        browser.lookAsEverybody(site.address(), view, wanted);
    }

    /** From all that wait to the pod, to a change that helps, to its place. */
    @Test
    void theKeyboardAloneLetsAPodDropIntoItsPlace() {
        world.create(ScheduledWorld.POD.formatted("typed", "5"));
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
        site = world.serve(port);

        patiently().untilAsserted(() -> assertThat(browser.text()).doesNotContain("Connection lost"));
        browser.awaitText("6 nodes in 3 domains");
    }
}
