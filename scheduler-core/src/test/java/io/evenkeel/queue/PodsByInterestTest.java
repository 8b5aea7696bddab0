package io.evenkeel.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.ChangeKind;
import io.evenkeel.api.ClusterChange;
import io.evenkeel.api.Hint;
import io.evenkeel.api.Interest;
import io.evenkeel.api.PendingPod;
import io.evenkeel.api.WakeUp;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.model.value.LabelSelector;
import io.evenkeel.model.value.Labels;
import io.evenkeel.queue.QueueSettings.HintLimits;
import org.junit.jupiter.api.Test;

/** How many hints are asked, and when, of pods that wait for pods of their namespace with the app that they name. */
class PodsByInterestTest {
    private static final String COMPANY = "Company";
    private static final String WANTED = "wanted";

    private long unitsAHint;

    private final QueueHarness test = new QueueHarness(
            COMPANY,
            WakeUp.on((_, _) -> isHelped(), ChangeKind.ASSIGNED_POD_ADDED)
                    .filedBy(PodsByInterestTest::podsWithWantedApp));

    private boolean isHelped() {
        test.cluster.view().work().add(unitsAHint);
        return false;
    }

    @Test
    void ofTenThousandPodsAChangeAsksAboutThoseForWhichItMayMatter() {
        for (int i = 0; i < 10_000; i++) {
            wait("big", "p" + i, "a" + i);
        }
        test.change(cameWith("big", "a77"));
        test.change(cameWith("big", "other"));
        test.change(cameWith("small", "a77"));

        assertThat(test.hints).hasSize(1);
    }

    @Test
    void ofManyForWhichItMayMatterATurnAsksAboutSomeAndOfOtherNamespacesAboutAll() {
        waitForWeb("big", 1_000);
        waitForWeb("small", 3);
        test.change(cameWith("big", "web"));
        assertThat(test.hints).hasSize(HintLimits.USUAL.aNamespace());
        test.change(cameWith("small", "web"));
        assertThat(test.hints).hasSize(HintLimits.USUAL.aNamespace() + 3);

        int turns = 0;
        for (; test.queue.nextDeadline().orElse(Long.MAX_VALUE) <= test.now(); turns++) {
            int before = test.hints.size();
            test.at(0);
            assertThat(test.hints.size() - before).isLessThanOrEqualTo(HintLimits.USUAL.aNamespace());
        }
        assertThat(test.hints).hasSize(1_003);
        assertThat(turns).isLessThan(10);
    }

    /** In a cluster without nodes a try takes 17,472 units, and hints of one namespace a quarter of it in a turn. */
    @Test
    void hintsOfATurnTakeNoMoreWorkThanATry() {
        unitsAHint = 1_000;
        for (int i = 0; i < 20; i++) {
            waitForWeb("n" + i, 100);
        }
        test.change(cameWith("n0", "web"));
        assertThat(test.hints).hasSize(5);
        for (int i = 1; i < 20; i++) {
            test.change(cameWith("n" + i, "web"));
        }
        assertThat(test.hints).hasSize(18);
        int turns = 0;
        for (; test.queue.nextDeadline().orElse(Long.MAX_VALUE) <= test.now(); turns++) {
            int before = test.hints.size();
            test.at(0);
            assertThat(test.hints.size() - before).isLessThanOrEqualTo(18);
        }
        assertThat(test.hints).hasSize(2_000);
        assertThat(turns).isLessThan(120);
    }

    @Test
    void manyNamespacesShareATurn() {
        for (int i = 0; i < 20; i++) {
            waitForWeb("n" + i, 200);
        }
        for (int i = 0; i < 20; i++) {
            test.change(cameWith("n" + i, "web"));
        }
        assertThat(test.hints).hasSize(HintLimits.USUAL.aTurn());
        for (int turn = 0; turn < 8; turn++) {
            test.at(0);
        }
        assertThat(test.hints).hasSize(4_000);
    }

    @Test
    void whatOneNamespaceIsStillToBeAskedIsBounded() {
        waitForWeb("big", 200);
        for (int i = 0; i < HintLimits.USUAL.changes() + 10; i++) {
            test.change(cameWith("big", "web"));
        }
        assertThat(test.hints)
                .as("the eldest are asked to their end at once")
                .hasSizeGreaterThan(9 * 200)
                .hasSizeLessThan(12 * 200);
    }

    @Test
    void aPodThatIsGoneOrChangedIsNotAskedAboutLater() {
        waitForWeb("big", 200);
        test.change(cameWith("big", "web"));
        int asked = test.hints.size();
        test.queue.remove("big/p150", "", test.now());
        test.update(PodBuilder.pod("p151")
                .namespace("big")
                .version("2", 2)
                .label(WANTED, "db")
                .build());
        assertThat(test.hints).as("before it changes").hasSize(asked + 1);
        test.at(0);

        assertThat(test.hints).hasSize(199);
        test.change(cameWith("big", "db"));
        assertThat(test.hints).hasSize(200);
    }

    @Test
    void aPluginThatDoesNotSayByWhatIsAskedAboutEachPodAtOnce() {
        QueueHarness plain = new QueueHarness(COMPANY, WakeUp.on(Hint.ALWAYS, ChangeKind.ASSIGNED_POD_ADDED));
        for (int i = 0; i < 2_000; i++) {
            plain.add(PodBuilder.pod("p" + i).build());
            plain.reject(plain.pop(), COMPANY);
        }
        plain.change(cameWith("big", "web"));

        assertThat(plain.hints).hasSize(2_000);
    }

    private void waitForWeb(String namespace, int pods) {
        for (int i = 0; i < pods; i++) {
            wait(namespace, "p" + i, "web");
        }
    }

    private void wait(String namespace, String name, String app) {
        test.add(PodBuilder.pod(name).namespace(namespace).label(WANTED, app).build());
        test.reject(test.pop(), COMPANY);
    }

    private static ClusterChange cameWith(String namespace, String app) {
        return ClusterChange.added(
                ChangeKind.ASSIGNED_POD_ADDED,
                PodBuilder.pod("other")
                        .namespace(namespace)
                        .label("app", app)
                        .nodeName("n")
                        .build());
    }

    private static Interest podsWithWantedApp(PendingPod waiting) {
        String app = waiting.pod().labels().getOrDefault(WANTED, "");
        return Interest.inPods()
                .selectedBy(waiting.pod().namespace(), LabelSelector.matchingLabels(Labels.of("app", app)))
                .build();
    }
}
