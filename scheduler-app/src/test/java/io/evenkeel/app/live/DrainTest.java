package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.live.LiveScheduler.Drain;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ApiAnswer;
import io.evenkeel.kube.api.ApiCall;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.CommandSink;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.LogLines;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scheduler is asked to stop while a binding is on its way, to a server that answers when the test says so. */
class DrainTest {
    private static final Pod POD = PodBuilder.pod("default", "web").uid("u").build();

    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);
    private final ScriptedTransport server = new ScriptedTransport(this::answered);
    private final LogLines log = new LogLines(Drain.class);
    private final DrivenScheduler scheduler = DrivenScheduler.writing(server);

    @AfterEach
    void end() {
        answer.countDown();
        scheduler.close();
        log.close();
    }

    private ApiAnswer answered(ApiCall call) {
        if (call.path().endsWith("/binding")) {
            asked.countDown();
            awaitLatch(answer);
        }
        return Answers.of(201, "");
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    private long events() {
        return server.calls().stream()
                .filter(call -> call.path().endsWith("/events"))
                .count();
    }

    @Test
    void theEventOfABindingThatEndsMeanwhileIsWrittenToo() throws InterruptedException {
        scheduler.leads(NodeBuilder.node("n1").allocatable("pods", "10").build(), POD);
        awaitLatch(asked);
        Thread stop = new Thread(() -> scheduler.live().stop(Duration.ofMinutes(5)));
        stop.start();
        await().until(() -> stop.getState() == Thread.State.TIMED_WAITING);
        CommandSink commands = scheduler.live().commands();
        var _ = scheduler.live().ask(_ -> {
            // The engine learns of the answer when nothing is left to be written any more, if it were not for the
            // event.
            await().until(() -> commands.unfinished().isEmpty());
            return true;
        });
        answer.countDown();
        stop.join();

        assertThat(events()).isEqualTo(1);
        assertThat(server.bodies().getLast()).contains("Scheduled");
        assertThat(log.lines()).isEmpty();
    }

    @Test
    void anAnswerThatComesJustAfterTheEngineWasAskedIsNotLeft() throws InterruptedException {
        scheduler.leads(NodeBuilder.node("n1").allocatable("pods", "10").build(), POD);
        awaitLatch(asked);
        EngineLoop engine = scheduler.live().loop();
        CommandSink commands = scheduler.live().commands();
        CountDownLatch busy = new CountDownLatch(1);
        AtomicInteger readings = new AtomicInteger();
        Drain drain = new Drain(
                engine,
                commands,
                () -> {
                    if (readings.incrementAndGet() == 2) { // the engine was asked, how long to wait for it is asked now
                        var _ = engine.ask(_ -> {
                            awaitLatch(busy);
                            return true;
                        });
                        answer.countDown();
                        await().until(() -> commands.unfinished().isEmpty());
                    }
                    return System.nanoTime();
                },
                Machine.SYSTEM.sleeper());
        Thread draining = new Thread(() -> run(drain));
        draining.start();
        await().until(() -> readings.get() >= 4 || !draining.isAlive());
        assertThat(draining.isAlive())
                .as("waits for what the engine makes of it")
                .isTrue();
        busy.countDown();
        draining.join();

        assertThat(events()).isEqualTo(1);
    }

    private static void run(Drain drain) {
        try {
            drain.run(Duration.ofMinutes(5));
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void whetherAllHasEndedIsKnown() throws InterruptedException {
        scheduler.leads(NodeBuilder.node("n1").allocatable("pods", "10").build(), POD);
        awaitLatch(asked);
        Drain drain = new Drain(
                scheduler.live().loop(), scheduler.live().commands(), System::nanoTime, Machine.SYSTEM.sleeper());
        assertThat(drain.run(Duration.ofMillis(1))).isFalse();
        answer.countDown();
        assertThat(drain.run(Duration.ofMinutes(5))).isTrue();
    }

    @Test
    void whatTheGraceWasTooShortForIsSaid() {
        scheduler.leads(NodeBuilder.node("n1").allocatable("pods", "10").build(), POD);
        awaitLatch(asked);
        scheduler.live().stop(Duration.ofMillis(1));

        assertThat(log.lines())
                .containsExactly(
                        "WARN Bindings not finished within --shutdown-grace [bindings=\"1\", conditions=\"0\", events=\"0\"]");
    }
}
