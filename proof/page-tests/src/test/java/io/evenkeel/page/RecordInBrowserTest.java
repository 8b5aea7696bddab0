package io.evenkeel.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.app.live.LiveOptions;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.model.json.Trees;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.tools.page.RecordPage;
import io.evenkeel.tools.rerun.RecordPlayer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
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
import org.openqa.selenium.interactions.Actions;

/** The page of a record in a browser: a pod waited, and is gone since. Skipped where Chromium is not installed. */
@TestInstance(Lifecycle.PER_CLASS)
class RecordInBrowserTest {
    private static final String LITTLE_BACK = Keys.ARROW_LEFT.toString().repeat(10);

    private Chromium browser;
    private RecordPage page;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        browser = Chromium.open(directory);
        Path record = directory.resolve("record");
        record(directory, new RecordOptions(record, RecordOptions.USUAL_LIMIT, "test"));
        page = new RecordPage(
                0,
                RecordPlayer.open(record, Optional.empty(), InTreePlugins.registry(), "test"),
                "test",
                InTreePlugins.registry(),
                (_, _) -> {});
    }

    private static void record(Path directory, RecordOptions options) throws IOException {
        try (ScheduledWorld world = ScheduledWorld.start(
                directory,
                WorldOptions.DEFAULT.withNodes(6, 3, Capacity.of("4", "8Gi", 20)),
                LiveOptions.usual("test").recording(Optional.of(options)))) {
            HollowObjects objects = world.objects();
            world.create(ScheduledWorld.POD.formatted("small", "1"));
            await(objects, "small", "\"nodeName\"");
            world.create(ScheduledWorld.POD.formatted("large", "6"));
            await(objects, "large", "Insufficient cpu");
            objects.deleteNow(ResourceTable.PODS, "default", "large");
            world.create(ScheduledWorld.POD.formatted("last", "1"));
            await(objects, "last", "\"nodeName\"");
            assertThat(world.scheduler().recorded().lost()).isZero();
        }
    }

    private static void await(HollowObjects objects, String pod, String wanted) {
        Chromium.patiently()
                .until(() -> objects.list(ResourceTable.PODS, "default").stream()
                        .map(Trees::parse)
                        .filter(each -> Trees.text(each, "metadata", "name").equals(pod))
                        .map(JsonObject::toString)
                        .anyMatch(text -> text.contains(wanted)));
    }

    @AfterAll
    void close() {
        if (browser != null) { // else all was skipped
            browser.close();
            page.close();
        }
    }

    @AfterEach
    void nothingWasComplainedOf() {
        assertThat(browser.complaints()).isEmpty();
    }

    private void look(String view) {
        browser.driver().get("about:blank"); // the address keeps the moment
        browser.look(page.address(), view);
    }

    /** Not sent to an element: one for times would take keys for its value. */
    private void press(CharSequence keys) {
        new Actions(browser.driver()).sendKeys(keys).perform();
    }

    private void tabTo(String wanted) {
        Chromium.patiently().until(() -> {
            press(Keys.TAB);
            WebElement active = browser.driver().switchTo().activeElement();
            return wanted.equals(active.getText()) || wanted.equals(active.getAttribute("id"));
        });
    }

    /** From the end back to when something waited, and why. */
    @Test
    void theKeyboardAloneLeadsToAPodThatWaitedAndWhy() {
        look("waiting");
        browser.awaitText("No pod waits.");

        tabTo("moment");
        Chromium.patiently().until(() -> {
            String before = browser.driver().getCurrentUrl();
            press(LITTLE_BACK);
            Chromium.patiently().until(() -> !before.equals(browser.driver().getCurrentUrl()));
            browser.awaitText(" waiting.");
            return browser.text().contains("default/large");
        });
        tabTo("default/large");
        press(Keys.ENTER);

        browser.awaitText("6 Insufficient cpu");
        browser.awaitText("What would help");
        assertThat(browser.driver().getCurrentUrl()).contains("?at=20").contains("#/waiting/default/large");
        assertThat(browser.driver().findElements(By.tagName("button")))
                .extracting(WebElement::getText)
                .doesNotContain("Apply");
    }

    @Test
    void aDecisionLeadsToItsMoment() {
        look("live");
        browser.awaitText("turned away");
        tabTo("moment-time");
        WebElement row = browser.driver().findElement(By.cssSelector("tr.turnedAway button"));
        row.click();

        Chromium.patiently()
                .untilAsserted(() -> assertThat(browser.driver()
                                .findElement(By.cssSelector("tr.now + tr"))
                                .getText())
                        .contains("turned away", "default/large"));
    }

    /** In the record's cluster as it was. */
    @Test
    void anotherConfigurationIsComparedWithTheOneThatWas() {
        look("whatif");
        browser.awaitText("Another configuration");
        browser.driver().findElement(By.tagName("summary")).click();

        tryConfiguration("kind: Nonsense");
        browser.awaitText("configuration:1:7: kind");
        tryConfiguration(
                "{apiVersion: kubescheduler.config.k8s.io/v1, kind: KubeSchedulerConfiguration, profiles: [{schedulerName: evenkeel}]}");

        browser.awaitText("By both configurations");
        assertThat(browser.violations()).isEmpty();
    }

    private void tryConfiguration(String text) {
        WebElement field = browser.driver().findElement(By.id("configuration"));
        field.clear();
        field.sendKeys(text);
        field.submit();
    }

    @ParameterizedTest
    @CsvSource({"waiting, No pod waits.", "live, the moment: ", "cluster, 6 nodes"})
    void eachViewCanBeReadByEverybody(String view, String wanted) {
        browser.lookAsEverybody(page.address(), view, wanted);
    }
}
