package io.evenkeel.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.api.PermitPlugin;
import io.evenkeel.api.Status;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A pod has its node, and what comes before its binding takes time: its status says meanwhile where it is expected. */
class ExpectedNodeTest {
    private static final Optional<String> CLEARED = Optional.of("");
    private static final Optional<String> N1 = Optional.of("n1");

    private final PlayedScheduler test = new PlayedScheduler().withNodes("n1");
    private final Pod pod = ScriptedPlugin.pod("p");

    @Test
    void whereAPluginHasWorkBeforeTheBindingThePodIsNominatedFirst() {
        test.plugin.preFlight = Status.SUCCESS;
        schedule(pod);

        assertThat(test.commands)
                .hasExactlyElementsOfTypes(Command.PatchStatus.class, Command.Bind.class)
                .startsWith(new Command.PatchStatus(pod, Optional.empty(), N1));
    }

    @Test
    void aPodThatIsBoundAtOnceIsNot() {
        test.plugin.preFlight = Status.SKIP;
        schedule(pod);

        assertThat(test.commands).hasExactlyElementsOfTypes(Command.Bind.class);
    }

    @Test
    void whatTheStatusSaysAlreadyIsNotWrittenAgain() {
        test.plugin.preFlight = Status.SUCCESS;
        schedule(PodBuilder.from(pod).nominatedNodeName("n1").build());

        assertThat(test.commands).hasExactlyElementsOfTypes(Command.Bind.class);
    }

    @Test
    void anotherNominationIsOverwritten() {
        test.plugin.preFlight = Status.SUCCESS;
        schedule(PodBuilder.from(pod).nominatedNodeName("n2").build());

        assertThat(test.nominations()).containsExactly(N1);
    }

    @Test
    void aPodThatWaitsForItsPermitIsNominatedUntilItIsTurnedAway() {
        test.plugin.permit = waiting(30);
        schedule(pod);
        assertThat(test.nominations()).containsExactly(N1);

        test.at(30);
        assertThat(test.nominations())
                .as("cleared although the watch has not shown it")
                .containsExactly(N1, CLEARED);
        assertThat(test.conditions()).hasSize(1);
    }

    @Test
    void whatTheWatchShowsOfItMeanwhileWakesAndPlacesNobody() {
        test.plugin.permit = waiting(30);
        schedule(pod);
        test.commands.clear();
        test.put(PodBuilder.from(pod).version("2", 0).nominatedNodeName("n1").build());
        test.schedule();

        assertThat(test.commands).isEmpty();
        assertThat(test.waiting.all()).hasSize(1);
        test.waiting.all().getFirst().allow(ScriptedPlugin.NAME);
        test.scheduler.tick();
        assertThat(test.bindings()).hasSize(1);
    }

    @Test
    void aBindingThatFailsTakesTheNominationAway() {
        test.plugin.preFlight = Status.SUCCESS;
        schedule(pod);
        test.failLast(CommandResult.BindFailure.FAILED, "no disk");

        assertThat(test.nominations()).containsExactly(N1, CLEARED);
    }

    @Test
    void aNewAttemptNominatesAgainWhatTheLastOneTookAway() {
        test.plugin.permit = waiting(30);
        schedule(pod);
        test.at(30);
        test.commands.clear();
        test.put(NodeBuilder.node("n1").label("a", "b").build());
        test.at(60);

        assertThat(test.nominations()).containsExactly(N1);
    }

    @Test
    void podsWhoseBindingTakesTimeAreNotAmongTheBindingsAllowedAtOnce() {
        int mostBindings = SchedulerSettings.of(Set.of("Node"), 1).mostBindings();
        PlayedScheduler slow = new PlayedScheduler(SchedulerSettings.of(Set.of("Node"), 1)).withNodes("n1");
        slow.plugin.preFlight = Status.SUCCESS;
        for (int i = 0; i < mostBindings + 2; i++) {
            slow.put(ScriptedPlugin.pod("slow-" + i));
        }
        slow.schedule();
        assertThat(slow.bindings()).hasSize(mostBindings + 2);
        slow.remove(ScriptedPlugin.pod("slow-0"));

        slow.plugin.preFlight = Status.SKIP;
        for (int i = 0; i < mostBindings + 2; i++) {
            slow.put(ScriptedPlugin.pod("quick-" + i));
        }
        slow.schedule();
        assertThat(slow.bindings()).hasSize(mostBindings + 2 + mostBindings);
        slow.bindLast();
        Pod bound = slow.bindings().getLast().pod();
        slow.put(PodBuilder.from(bound).nodeName("n1").build());
        slow.schedule();
        assertThat(slow.bindings()).hasSize(mostBindings + 2 + mostBindings + 1);
    }

    @Test
    void whereTheGateIsOffNothingIsWrittenNorAnyPluginAskedBeforehand() {
        PlayedScheduler off = new PlayedScheduler(
                        SchedulerSettings.of(Set.of("Node"), 0),
                        FeatureGates.with(Map.of("NominatedNodeNameForExpectation", false)))
                .withNodes("n1");
        off.plugin.preFlight = Status.error("not to be asked");
        off.plugin.preBind = Status.unschedulable("asked as if it had work");
        off.put(pod);
        off.schedule();
        assertThat(off.commands).hasExactlyElementsOfTypes(Command.Bind.class);
        assertThat(off.bindings().getFirst().steps().before()).isEqualTo(off.plugin.preBind);

        off.plugin.permit = waiting(30);
        off.put(ScriptedPlugin.pod("waits"));
        off.schedule();
        off.at(30);
        assertThat(off.nominations()).containsExactly(Optional.empty());
    }

    private void schedule(Pod newcomer) {
        test.put(newcomer);
        test.schedule();
    }

    private static PermitPlugin.Result waiting(int seconds) {
        return new PermitPlugin.Result(new Status(Status.Code.WAIT, List.of()), Duration.ofSeconds(seconds));
    }
}
