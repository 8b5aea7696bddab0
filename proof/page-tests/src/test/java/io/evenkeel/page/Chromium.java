package io.evenkeel.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** The browser that people have, with what is asked of it often. */
record Chromium(ChromeDriver driver) implements AutoCloseable {
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");

    /** Skips the test where Chromium and its driver are not installed. */
    static Chromium open(Path directory) {
        Assumptions.assumeTrue(
                Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER),
                () -> BROWSER + " and " + DRIVER + " are not installed");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(BROWSER.toFile());
        options.setAcceptInsecureCerts(true); // run makes its own
        options.addArguments(
                "--headless=new", "--no-sandbox", "--disable-gpu", "--user-data-dir=" + directory.resolve("profile"));
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        Chromium chromium = new Chromium(new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .usingAnyFreePort()
                        .build(),
                options));
        chromium.size(1280, 900);
        return chromium;
    }

    @Override
    public void close() {
        driver.quit();
    }

    static ConditionFactory patiently() {
        return await().atMost(Duration.ofMinutes(1)).ignoreExceptions();
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    void look(URI page, String view) {
        driver.get(page + "#/" + view);
    }

    String text() {
        return driver.findElement(By.tagName("body")).getText();
    }

    void awaitText(String wanted) {
        patiently().untilAsserted(() -> assertThat(text()).contains(wanted));
    }

    /** Looks at the view in each theme, and fails where it is not as it is to be read by everybody. */
    void lookAsEverybody(URI page, String view, String wanted) {
        for (String theme : List.of("light", "dark")) {
            driver.executeCdpCommand(
                    "Emulation.setEmulatedMedia",
                    Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", theme))));
            look(page, view);
            awaitText(wanted);

            assertThat(violations()).as("%s in the %s theme", view, theme).isEmpty();
        }
    }

    /** A policy that is broken is told of there, too; what servers answer that are away, begin or refuse is no fault of the page. */
    List<String> complaints() {
        return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .map(LogEntry::getMessage)
                .filter(message -> !message.contains("net::ERR_") && !message.matches("(?s).* status of (4..|503) .*"))
                .toList();
    }

    /** Of the rules of WCAG, and what is held to be good beyond them. */
    List<?> violations() {
        driver.executeScript(axe());
        return (List<?>) Objects.requireNonNull(driver.executeAsyncScript("""
                const done = arguments[arguments.length - 1];
                axe.run().then(found => done(found.violations.map(
                    each => each.id + ": " + each.nodes.map(node => node.html).join(" "))));
                """));
    }

    private static String axe() {
        try (InputStream script = Objects.requireNonNull(Chromium.class.getResourceAsStream("/axe.min.js"))) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
