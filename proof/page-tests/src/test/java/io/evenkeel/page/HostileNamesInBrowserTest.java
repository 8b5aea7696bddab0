package io.evenkeel.page;

import static io.evenkeel.page.Chromium.patiently;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.hollow.HollowObjects;
import io.evenkeel.hollow.controller.HollowWorld;
import io.evenkeel.hollow.controller.WorldOptions;
import io.evenkeel.hollow.controller.WorldOptions.Capacity;
import io.evenkeel.hollow.resource.ResourceTable;
import io.evenkeel.lab.page.HollowPage;
import io.evenkeel.model.json.Trees;
import io.evenkeel.tools.page.PageSite;
import io.evenkeel.tools.why.ClusterQuestions.Judgement;
import io.evenkeel.tools.why.UsualProfiles;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
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

/** Names as long as they may be, and words of others that are anything, on a phone. Skipped where Chromium is not installed. */
@TestInstance(Lifecycle.PER_CLASS)
class HostileNamesInBrowserTest {
    private static final SchedulerConfiguration CONFIGURATION = UsualProfiles.OF_A_CLUSTER;
    private static final String LONG = "a".repeat(253);
    private static final String KEY = "example.com/" + "k".repeat(63);
    private static final String SHOWN = "<img src=x";
    private static final String MARKUP = SHOWN
            + " onerror=document.title='caught'> \u202egnorw si ti \u202d \ud83d\ude00\ud83c\udff4\u200d\u2620\ufe0f"
            + " \"'&lt;/main> " + "W".repeat(300);

    private HollowWorld world;
    private PageSite site;
    private Chromium browser;
    private int refusals;

    @BeforeAll
    void open(@TempDir Path directory) throws IOException {
        browser = Chromium.open(directory);
        browser.size(320, 700);
        world = HollowWorld.start(WorldOptions.DEFAULT.withNodes(2, 2, Capacity.of("4", "8Gi", 20)));
        Path kubeconfig = world.cluster().writeKubeconfig(directory.resolve("kubeconfig.yaml"));
        fill();
        site = HollowPage.site(0, "hollow", () -> CONFIGURATION, Judgement.OWN, kubeconfig, objects());
    }

    @AfterAll
    void close() {
        if (browser != null) { // else all was skipped
            browser.close();
            site.close();
            world.close();
        }
    }

    private HollowObjects objects() {
        return world.cluster().objects();
    }

    private void fill() {
        objects().create("""
                {"kind":"Node","apiVersion":"v1","metadata":{"name":"%s","labels":{"%s":"%s"},"annotations":%s},
                 "spec":{"taints":[{"key":"%2$s","value":"%3$s","effect":"PreferNoSchedule"}]},
                 "status":{"allocatable":{"cpu":"4","memory":"8Gi","pods":"20"}}}
                """.formatted(LONG, KEY, "v".repeat(63), Trees.of("words", MARKUP)));
        objects().create("""
                {"kind":"Pod","apiVersion":"v1","metadata":{"name":"%1$s","labels":{"%2$s":"%3$s"},"annotations":%4$s,
                 "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"%1$s","uid":"1","controller":true}]},
                 "spec":{"schedulerName":"%1$s","containers":[{"name":"main","image":"x"}],
                 "topologySpreadConstraints":[{"maxSkew":1,"topologyKey":"%2$s","whenUnsatisfiable":"DoNotSchedule",
                 "labelSelector":{"matchLabels":{"%2$s":"%3$s"}}}]}}
                """.formatted(LONG, KEY, "v".repeat(63), Trees.of("words", MARKUP)));
        objects().create("""
                {"kind":"PlacementPolicy","apiVersion":"evenkeel.io/v1alpha1","metadata":{"name":"%s"},
                 "spec":{"selector":{},"rules":[{"topologyKey":"%s","maxPods":1}]}}
                """.formatted(LONG, KEY));
        objects().patchStatus(ResourceTable.PLACEMENT_POLICIES, "default", LONG, conditions("Satisfied", MARKUP));
    }

    private static String conditions(String type, String message) {
        JsonObject condition = Trees.of(
                "type",
                type,
                "status",
                "False",
                "reason",
                "Unschedulable",
                "message",
                message,
                "lastTransitionTime",
                "2026-11-28T10:00:00Z");
        return "{\"status\":{\"conditions\":[" + condition + "]}}";
    }

    /** As another scheduler does. */
    private void refuse() {
        objects().patchStatus(ResourceTable.PODS, "default", LONG, conditions("PodScheduled", MARKUP + ++refusals));
    }

    @AfterEach
    void itIsTextAndNotWiderThanThePhone() {
        assertThat(browser.driver().findElements(By.cssSelector("main img, main script, main style")))
                .isEmpty();
        assertThat(browser.driver().getTitle()).doesNotContain("caught");
        assertThat(browser.driver().executeScript("return document.documentElement.scrollWidth"))
                .isEqualTo(browser.driver().executeScript("return document.documentElement.clientWidth"));
        assertThat(browser.complaints()).isEmpty();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @ParameterizedTest
    @CsvSource({
        "cluster, 3 nodes",
        "workloads, aaa",
        "waiting, aaa",
        "groups, aaa",
        "whatif, Nothing is written",
    })
    void aViewHasRoomForTheLongestNames(String view, String wanted) {
        browser.look(site.address(), view);
        browser.awaitText(wanted);
        assertThat(browser.violations()).isEmpty();
    }

    @Test
    void aNodeIsToldWithItsLabelsAndTaints() {
        browser.look(site.address(), "cluster?key=" + encoded(KEY) + "&node=" + LONG);
        browser.awaitText("kkk");
        browser.awaitText("vvv");
    }

    @Test
    void whatAnotherSchedulerSaysOfAPodIsText() {
        refuse();
        browser.look(site.address(), "waiting/default/" + LONG);
        browser.awaitText(SHOWN);
    }

    @Test
    void whatAPolicySaysIsText() {
        browser.look(site.address(), "groups");
        browser.awaitText(SHOWN);
    }

    @Test
    void whatADecisionSaysIsText() {
        browser.look(site.address(), "live");
        browser.awaitText("pods waiting");
        refuse();
        patiently().until(() -> {
            browser.driver().findElement(By.xpath("//button[text()='Why']")).click();
            return browser.text().contains(SHOWN);
        });
        assertThat(browser.violations()).isEmpty();
    }

    @Test
    void whatTheAddressSaysIsText() {
        for (String view : List.of(
                "cluster?colour=%s&key=%s&node=%s",
                "waiting/%s/%s", "whatif?drain=%s", "whatif?workload=%s&to=2", "%s")) {
            browser.look(site.address(), view.replace("%s", encoded(MARKUP)));
            browser.awaitText(view.equals("%s") || view.startsWith("whatif?workload") ? "Evenkeel" : SHOWN);
            itIsTextAndNotWiderThanThePhone();
        }
    }
}
