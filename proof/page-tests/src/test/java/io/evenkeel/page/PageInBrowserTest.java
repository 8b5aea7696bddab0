package io.evenkeel.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.gson.JsonObject;
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
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.kube.client.ApiObserver;
import io.evenkeel.kube.client.ConnectionOptions;
import io.evenkeel.kube.client.HttpTransport;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The page in a browser that people have. Skipped where Chromium and its driver are not installed. */
@TestInstance(Lifecycle.PER_CLASS)
class PageInBrowserTest {
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
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
              schedulerName: %s
              containers: [{name: main, image: x, resources: {requests: {cpu: "%s"}}}]
            """;

    private static final String MARKUP = "<img src=x onerror=document.title='caught'> \u202egnorw si ti \ud83d\ude00";

    private HollowWorld world;
    private Path kubeconfig;
    private HttpTransport transport;
    private LiveScheduler scheduler;
    private PageSite site;
    private ChromeDriver browser;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        Assumptions.assumeTrue(
                Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
                () -> BROWSER + " and " + DRIVER + " are not installed");
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(6, 3, Capacity.of("4", "8Gi", 20)));
        kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
        transport = HttpTransport.open(ConnectionOptions.of(Optional.of(kubeconfig)), "test", ApiObserver.NONE);
        scheduler = LiveScheduler.start(CONFIGURATION, transport, LiveOptions.usual("test"), LiveObservers.NONE);
        site = serve(0);
        create(WEB);
        create(POD.formatted("large", "evenkeel", "6"));
        browser = browser(directory);
    }

    private static ChromeDriver browser(Path directory) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + directory.resolve("profile"));
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .usingAnyFreePort()
                        .build(),
                options);
    }

    @AfterAll
    void close() {
        Stream.of(browser, site, scheduler, transport, world)
                .filter(Objects::nonNull)
                .forEach(PageInBrowserTest::closeQuietly);
    }

    private static void closeQuietly(Object part) {
        switch (part) {
            case ChromeDriver driver -> driver.quit();
            case PageSite site -> site.close();
            case LiveScheduler scheduler -> scheduler.close();
            case HttpTransport transport -> transport.close();
            case HollowWorld world -> world.close();
            default -> throw new IllegalArgumentException(part.toString());
        }
    }

    /** A policy that is broken is told of there, too; a server that is away or begins is no fault of the page. */
    @AfterEach
    void nothingWasComplainedOf() {
        assertThat(browser.manage().logs().get(LogType.BROWSER).getAll())
                .extracting(LogEntry::getMessage)
                .filteredOn(message -> !message.contains("net::ERR_") && !message.contains("status of 503"))
                .isEmpty();
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

    private static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(1)).ignoreExceptions();
    }

    private void look(String view) {
        browser.get(site.address() + "#/" + view);
    }

    private String text() {
        return browser.findElement(By.tagName("main")).getText();
    }

    private void awaitText(String wanted) {
        patiently().untilAsserted(() -> assertThat(text()).contains(wanted));
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
    void eachViewCanBeReadByEverybody(String view, String wanted) throws IOException {
        for (String theme : List.of("light", "dark")) {
            browser.executeCdpCommand(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
            look(view);
            awaitText(wanted);

            assertThat(violations()).as("%s in the %s theme", view, theme).isEmpty();
        }
    }

    /** Of the rules of WCAG, and what is held to be good beyond them. */
    private List<?> violations() throws IOException {
        browser.executeScript(axe());
        return (List<?>) Objects.requireNonNull(browser.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run().then(found => done(found.violations.map(
                    each => each.id + ": " + each.nodes.map(node => node.html).join(" "))));
                """));
    }

    private static String axe() throws IOException {
        try (InputStream script = Objects.requireNonNull(PageInBrowserTest.class.getResourceAsStream("/axe.min.js"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** From all that wait to the pod, to a change that helps, to its place. */
    @Test
    void theKeyboardAloneLetsAPodDropIntoItsPlace() {
        create(POD.formatted("typed", "evenkeel", "5"));
        look("waiting");
        awaitText("default/typed");

        tabTo("default/typed");
        press(Keys.ENTER);
        awaitText("What would help");
        WebElement apply = browser.findElements(By.tagName("button")).stream()
                .filter(button -> button.getText().equals("Apply"))
                .reduce((_, last) -> last)
                .orElseThrow();
        patiently().until(() -> {
            press(Keys.TAB);
            return browser.switchTo().activeElement().equals(apply);
        });
        press(Keys.ENTER);

        awaitText("is placed on node-");
    }

    private void tabTo(String wanted) {
        patiently().until(() -> {
            press(Keys.TAB);
            return browser.switchTo().activeElement().getText().contains(wanted);
        });
    }

    private void press(Keys key) {
        browser.switchTo().activeElement().sendKeys(key);
    }

    @Test
    void aServerThatComesBackIsFoundAgain() {
        look("cluster");
        awaitText("6 nodes in 3 domains");
        int port = site.address().getPort();

        site.close();
        patiently()
                .untilAsserted(
                        () -> assertThat(browser.findElement(By.tagName("body")).getText())
                                .contains("Connection lost"));
        site = serve(port);

        patiently()
                .untilAsserted(
                        () -> assertThat(browser.findElement(By.tagName("body")).getText())
                                .doesNotContain("Connection lost"));
        awaitText("6 nodes in 3 domains");
    }

    /** Messages of other schedulers may be anything. */
    @Test
    void wordsOfOthersAreNoMarkupAndBreakNothing() {
        String name = "a".repeat(250);
        create(POD.formatted(name, "another", "1"));
        JsonObject condition =
                Trees.of("type", "PodScheduled", "status", "False", "reason", "Unschedulable", "message", MARKUP);
        objects().patchStatus(ResourceTable.PODS, "default", name, "{\"status\":{\"conditions\":[" + condition + "]}}");
        browser.manage().window().setSize(new Dimension(320, 700));
        try {
            look("waiting/default/" + name);
            patiently().untilAsserted(() -> assertThat(text()).contains("<img src=x"));

            assertThat(browser.findElements(By.cssSelector("main img"))).isEmpty();
            assertThat(browser.getTitle()).doesNotContain("caught");
            assertThat(browser.executeScript("return document.documentElement.scrollWidth <= window.innerWidth"))
                    .isEqualTo(true);
        } finally {
            browser.manage().window().setSize(new Dimension(1280, 900));
            objects().delete(ResourceTable.PODS, "default", name);
        }
    }
}
