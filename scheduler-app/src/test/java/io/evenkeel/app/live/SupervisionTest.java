package io.evenkeel.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.election.LeaseStore;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.LogLines;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A scheduler that has lost any of its threads ends, rather than to do a part of its work for ever. */
class SupervisionTest {
    private final LeaseStore leases = new LeaseStore();
    private final ScriptedTransport server =
            new ScriptedTransport(call -> call.path().contains("/leases") ? leases.answer(call) : Answers.of(500, ""));

    @ParameterizedTest
    @ValueSource(strings = {"dispatcher", "dispatch", "watch-Pod", "watch-Node", "leader-election"})
    void aThreadThatDiesEndsTheSchedulerAndIsNamed(String victim) {
        try (LogLines log = new LogLines(LiveScheduler.class)) {
            run(RiggedMachine.killing(victim));

            assertThat(log.events()).anySatisfy(event -> {
                assertThat(event.getFormattedMessage()).isEqualTo("A thread has died");
                assertThat(event.getKeyValuePairs()).hasToString("[thread=\"" + victim + "\"]");
                assertThat(event.getThrowableProxy().getMessage()).isEqualTo(RiggedMachine.MESSAGE);
            });
        }
    }

    @Test
    void soDoesTheEngineWhichSaysSoItself() {
        try (LogLines log = new LogLines(LiveScheduler.class)) {
            run(RiggedMachine.killing("engine"));

            assertThat(log.lines()).contains("ERROR The engine has failed").noneMatch(line -> line.contains("thread"));
        }
    }

    @Test
    void anElectionThatCannotEvenBeginEndsTheScheduler() {
        try (LogLines log = new LogLines(LiveScheduler.class)) {
            run(RiggedMachine.without("leader-election"));

            assertThat(log.lines()).contains("ERROR A thread has died [thread=\"engine\"]");
        }
    }

    /** Lets it begin, know the cluster, take part in the election and write, and waits for its end. */
    private void run(Machine machine) {
        try (LiveScheduler live = LiveScheduler.assemble(
                SchedulerConfiguration.defaults(), server, LiveOptions.usual("test"), LiveObservers.NONE, machine)) {
            live.begin();
            live.kinds().forEach(kind -> live.mailbox().news(new Relist.Began(kind.name())));
            live.kinds().forEach(kind -> live.mailbox().news(new Relist.Ended(kind.name())));
            live.commands().submit(new Command.Lookup(PodBuilder.pod("p").build()));

            assertThat(live.ended().join()).isEqualTo(LiveScheduler.Ending.FAULT);
        }
    }
}
