package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerEvent.UnreadablePod;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.PodBuilder;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A pod that nobody can read: its owner is told why it waits. */
class UnreadablePodTest {
    private static final String REASON = "Pod default/p: spec.overhead.cpu: \"much\" is not a quantity";
    private static final String TOLD = "FailedScheduling the pod cannot be read: " + REASON;

    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1");
    private final Pod pod = version(1);

    @Test
    void itsOwnerIsToldOnceAVersion() {
        see(pod, REASON);
        see(pod, REASON);
        test.schedule();
        see(pod, REASON);
        test.schedule();
        assertThat(test.events()).containsExactly(TOLD);
        assertThat(test.bindings()).isEmpty();

        test.at(61);
        see(pod, REASON);
        test.schedule();
        assertThat(test.events()).containsExactly(TOLD);
        see(version(2), REASON);
        test.schedule();
        assertThat(test.events()).containsExactly(TOLD, TOLD);
    }

    @Test
    void versionsThatComeEveryMomentAreToldOnceAMinuteUnlessTheReasonIsAnother() {
        for (int version = 1; version <= 100; version++) {
            see(version(version), REASON);
            test.schedule();
        }
        assertThat(test.events()).containsExactly(TOLD);
        see(version(101), "Pod default/p: spec.priority: expected an integer");
        test.schedule();
        assertThat(test.events())
                .containsExactly(
                        TOLD,
                        "FailedScheduling the pod cannot be read: Pod default/p: spec.priority: expected an integer");
    }

    @Test
    void ofPodsOfOthersPlacedOnesAndSuchAsGoNothingIsSaid() {
        see(PodBuilder.from(pod).schedulerName("other").build(), REASON);
        see(PodBuilder.from(pod).nodeName("n1").build(), REASON);
        see(PodBuilder.from(pod).terminating(true).build(), REASON);
        test.schedule();
        assertThat(test.events()).isEmpty();
    }

    /** Only who may place pods says why one is not; the others know it by then. */
    @Test
    void aPodThatCanBeReadOrIsGoneByTheTurnIsNotToldOf() {
        see(pod, REASON);
        test.put(version(2));
        test.schedule();
        assertThat(test.bindings()).hasSize(1);

        see(PodBuilder.from(ScriptedPlugin.pod("q")).uid("q").build(), REASON);
        test.remove(PodBuilder.from(ScriptedPlugin.pod("q")).uid("q").build());
        test.schedule();
        assertThat(test.events()).isEmpty();
    }

    @Test
    void anotherOneOfTheNameIsToldOfAtOnce() {
        see(pod, REASON);
        test.schedule();
        see(PodBuilder.from(pod).uid("another-uid").build(), REASON);
        test.schedule();
        assertThat(test.events()).containsExactly(TOLD, TOLD);
    }

    @Test
    void whatARelistDoesNotShowIsNotToldOf() {
        see(pod, REASON);
        test.scheduler.handle(new Relist.Began("Pod"));
        test.scheduler.handle(new Relist.Ended("Pod"));
        test.schedule();
        assertThat(test.events()).isEmpty();
    }

    @Test
    void aFloodOfThemTakesBoundedRoom() {
        for (int i = 0; i < 5_000; i++) {
            see(PodBuilder.from(ScriptedPlugin.pod("p" + i)).build(), REASON);
        }
        test.schedule();
        assertThat(test.events()).isEqualTo(Collections.nCopies(1_000, TOLD));
    }

    private void see(Pod seen, String reason) {
        test.scheduler.handle(new UnreadablePod(seen, reason));
    }

    private static Pod version(int version) {
        return PodBuilder.from(ScriptedPlugin.pod("p"))
                .uid("uid-p")
                .version(String.valueOf(version), 1)
                .build();
    }
}
