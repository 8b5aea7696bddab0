package io.evenkeel.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.ServedEvenkeel;
import io.evenkeel.hollow.Tokens.User;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.testing.Ports;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.WebElement;

/** The page of {@code run --page} in a browser, for whom it knows and for whom it does not. Skipped where Chromium is not installed. */
@TestInstance(Lifecycle.PER_CLASS)
class LoginInBrowserTest {
    private static final String ASKED = "Who asks?";
    private static final String BAD = "This token is not good";
    private static final String NO_RIGHT = "You have no right to see this";
    private static final String CLUSTER = "3 nodes in 3 domains";

    private final int port = Ports.unused();
    private Chromium browser;
    private HollowWorld world;
    private Path kubeconfig;
    private ServedEvenkeel evenkeel;
    private volatile boolean hasRight;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        browser = Chromium.open(directory);
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(3, 3, Capacity.of("4", "8Gi", 20)));
        world.cluster().authorize((user, asked) -> switch (user.name()) {
            case "reader" ->
                hasRight && asked.verb().equals("get") && asked.name().startsWith("/page/api/");
            case "nobody", "system:anonymous" -> false;
            default -> true;
        });
        kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
        evenkeel = new ServedEvenkeel(kubeconfig, port);
    }

    @AfterAll
    void close() {
        if (browser != null) { // else all was skipped
            browser.close();
            evenkeel.close();
            world.close();
        }
    }

    @BeforeEach
    void giveTokens() {
        hasRight = true;
        world.cluster().tokens().add("of-reader", User.named("reader"));
        world.cluster().tokens().add("of-nobody", User.named("nobody"));
    }

    @AfterEach
    void nothingWasComplainedOfAndNothingIsKept() {
        assertThat(browser.complaints()).isEmpty();
        assertThat(browser.driver().manage().getCookies()).isEmpty();
        assertThat(browser.driver().executeScript("return localStorage.length + sessionStorage.length"))
                .isEqualTo(0L);
    }

    private static URI page(URI server) {
        return server.resolve("/page/");
    }

    /** Loads the page anew, which forgets the token. */
    private void look(String view) {
        browser.driver().get("about:blank");
        browser.look(page(evenkeel.secure()), view);
    }

    private void enter(String token) {
        WebElement field = browser.driver().findElement(By.id("token"));
        field.clear();
        field.sendKeys(token + "\n");
    }

    private void logIn(String view) {
        look(view);
        browser.awaitText(ASKED);
        enter("of-reader");
    }

    @Test
    void whoAsksIsFoundOut() {
        look("cluster");
        browser.awaitText(ASKED);
        assertThat(browser.violations()).isEmpty();

        enter("wrong");
        browser.awaitText(BAD);
        enter("of-nobody");
        browser.awaitText(NO_RIGHT);
        assertThat(browser.text())
                .contains("User \"nobody\" cannot get path \"/page/api/state\"")
                .doesNotContain(CLUSTER);
        enter("of-reader");

        browser.awaitText(CLUSTER);
        assertThat(browser.text()).doesNotContain(ASKED, BAD, NO_RIGHT);
    }

    @Test
    void aTokenThatEndsIsAskedForAgainAndTheReaderGoesOnWhereHeWas() {
        logIn("cluster?node=node-1");
        browser.awaitText("node.kubernetes.io");
        browser.awaitText(CLUSTER);

        world.cluster().tokens().revoke("of-reader");
        browser.awaitText(BAD);
        assertThat(browser.text()).doesNotContain(CLUSTER, "node-1");
        world.cluster().tokens().add("a-new-one", User.named("reader"));
        enter("a-new-one");

        browser.awaitText(CLUSTER);
        browser.awaitText("node-1");
        assertThat(browser.text()).doesNotContain("Bearer token");
    }

    @Test
    void whoLosesTheRightSeesNoMore() {
        logIn("live");
        browser.awaitText("placed a second");

        hasRight = false;

        browser.awaitText(NO_RIGHT);
        assertThat(browser.text()).doesNotContain("placed a second");
    }

    @Test
    void aServerThatIsRestartedAsksForNoTokenAgain() {
        logIn("cluster");
        browser.awaitText(CLUSTER);

        evenkeel.close();
        browser.awaitText("Connection lost");
        assertThat(browser.text()).contains(CLUSTER);
        evenkeel = new ServedEvenkeel(kubeconfig, port);

        Chromium.patiently()
                .untilAsserted(() -> assertThat(browser.text())
                        .contains(CLUSTER)
                        .doesNotContain("Connection lost", ASKED, "is being read"));
    }

    @Test
    void aReplicaThatDoesNotLeadSaysSo() {
        logIn("waiting");
        browser.awaitText("No pod waits.");
        Chromium.patiently().until(() -> !browser.text().contains("Not the leader."));

        try (ServedEvenkeel other = new ServedEvenkeel(kubeconfig, Ports.unused())) {
            browser.look(page(other.plain()), "waiting");

            browser.awaitText("Not the leader.");
            browser.awaitText("No pod waits.");
        }
    }

    @Test
    void aClusterThatIsNotKnownYetIsWaitedFor(@TempDir Path directory) throws IOException {
        try (HollowWorld silent = HollowWorld.start(WorldOptions.DEFAULT.withNodes(2, 1, Capacity.DEFAULT))) {
            silent.cluster().stopServer();
            try (ServedEvenkeel alone = new ServedEvenkeel(
                    silent.cluster().writeKubeconfig(directory.resolve("silent.yaml")), Ports.unused())) {
                browser.look(page(alone.plain()), "cluster");
                browser.awaitText("The cluster is being read");

                silent.cluster().restartServer();

                browser.awaitText("2 nodes in 1 domain");
            }
        }
    }

    /** Where nobody is asked who he is, a token would not help. */
    @Test
    void aNameWithoutAuthenticationIsRefusedAndNoTokenIsAskedFor() {
        browser.driver().get(page(evenkeel.plain()).toString().replace("127.0.0.1", "elsewhere.localhost"));

        browser.awaitText("served at an address or localhost, not at a name");
        assertThat(browser.driver().findElements(By.id("token"))).isEmpty();
    }

    @Test
    void anEmptyClusterSaysThatItIsEmptyInEachView(@TempDir Path directory) throws IOException {
        try (HollowWorld empty = HollowWorld.start(WorldOptions.DEFAULT);
                ServedEvenkeel alone = new ServedEvenkeel(
                        empty.cluster().writeKubeconfig(directory.resolve("empty.yaml")), Ports.unused())) {
            for (String[] each : new String[][] {
                {"cluster", "There are no nodes"},
                {"workloads", "There are no workloads"},
                {"waiting", "No pod waits"},
                {"live", "No decision yet"},
                {"groups", "There are no groups"},
                {"whatif?addNodes=1&like=node-0", "node-0"},
            }) {
                browser.look(page(alone.plain()), each[0]);
                browser.awaitText(each[1]);
                assertThat(browser.violations()).as(each[0]).isEmpty();
            }
        }
    }
}
