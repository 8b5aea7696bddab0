package io.evenkeel.kube.dispatch;

import static io.evenkeel.kube.dispatch.Commands.bind;
import static io.evenkeel.kube.dispatch.Commands.pod;
import static io.evenkeel.kube.dispatch.DispatcherFixture.UNLIMITED;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.config.Extender;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.CommandResult;
import io.evenkeel.engine.CommandResult.BindFailure;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.extender.ExtenderServer;
import io.evenkeel.kube.extender.Extenders;
import io.evenkeel.kube.extender.Extenders.ExtenderObserver;
import io.evenkeel.model.Pod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Pods that an extender wants to bind, with what is asked before and concluded after as for any other. */
class ExtenderBindingTest {
    private final ExtenderServer extender = ExtenderServer.start();
    private final ScriptedTransport api = new ScriptedTransport(_ -> Answers.recorded("bind"));
    private final Pod pod = pod("p1");

    @AfterEach
    void close() {
        extender.close();
    }

    private CommandResult result(boolean leading, boolean ignorable) {
        Extender binder = new Extender(
                extender.url(),
                "",
                "",
                "",
                0,
                "bind",
                false,
                Optional.empty(),
                Duration.ofSeconds(1),
                true,
                List.of(),
                ignorable);
        SchedulerConfiguration configuration = SchedulerConfiguration.defaults().toBuilder()
                .extenders(List.of(binder))
                .build();
        try (Extenders extenders = Extenders.of(configuration, api, ExtenderObserver.NONE, Machine.SYSTEM)) {
            DispatcherFixture fixture = new DispatcherFixture(
                    UNLIMITED, api, extenders, new SimulatedThreads(Duration.ofMillis(5)::toNanos));
            fixture.leading = leading;
            fixture.dispatcher.submit(bind(pod, "n1"));
            fixture.pass(Duration.ofMinutes(10));
            assertThat(fixture.results).hasSize(1);
            return fixture.results.getFirst();
        }
    }

    private static CommandResult.NotBound unknown(CommandResult result) {
        assertThat(result).isInstanceOf(CommandResult.NotBound.class);
        CommandResult.NotBound notBound = (CommandResult.NotBound) result;
        assertThat(notBound.failure()).isEqualTo(BindFailure.UNKNOWN);
        return notBound;
    }

    @Test
    void theExtenderBindsAndTheServerIsNotAsked() {
        extender.answers("bind", "{}");

        assertThat(result(true, false)).isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(extender.asked("bind")).isEqualTo(1);
        assertThat(api.calls()).isEmpty();
    }

    @Test
    void withoutTheLeaseNobodyIsTold() {
        extender.answers("bind", "{}");

        assertThat(result(false, false))
                .isInstanceOfSatisfying(
                        CommandResult.NotBound.class,
                        refused -> assertThat(refused.failure()).isEqualTo(BindFailure.NOT_LEADING));
        assertThat(extender.asked()).isEmpty();
    }

    @Test
    void whereItFailsThePodMayBeBoundNevertheless() {
        extender.answers("bind", "{\"Error\":\"no GPU after all\"}");

        assertThat(unknown(result(true, false)).message()).isEqualTo("no GPU after all");
    }

    @Test
    void soItMayWhereNoAnswerComes() {
        extender.answers("bind", "{}").hold();

        assertThat(unknown(result(true, false)).message()).endsWith("/bind\": no answer within 1 s");
        assertThat(extender.asked("bind")).isEqualTo(1);
    }

    @Test
    void whereItMayBeIgnoredTheServerBinds() {
        extender.fails("bind", 500);

        assertThat(result(true, true)).isEqualTo(new CommandResult.Bound(pod, "n1"));
        assertThat(api.calls()).hasSize(1);
    }
}
