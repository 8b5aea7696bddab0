package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.model.Pod;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.testing.LogLines;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FaultLogTest {
    private final LogLines log = new LogLines(FaultLog.class);

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void aLiveSchedulerLogsTheFaultOfAPluginWithItsStackTraceAndGoesOn() {
        SchedulerObserver failing = new SchedulerObserver() {
            @Override
            public void decided(long nanos) {
                throw new IllegalStateException("no luck");
            }
        };
        LiveObservers observers = new LiveObservers(failing, DispatcherObserver.NONE, LoopObserver.NONE);
        try (DrivenScheduler scheduler =
                new DrivenScheduler(new ScriptedTransport(_ -> Answers.of(500, "")), observers, false)) {
            scheduler.leads(
                    NodeBuilder.node("n1").allocatable("pods", "10").build(),
                    PodBuilder.pod("p").uid("p-1").build());

            await().until(() -> !log.events().isEmpty());
            assertThat(log.lines().getFirst()).isEqualTo("ERROR A plugin failed [pod=\"default/p\"]");
            ILoggingEvent event = log.events().getFirst();
            assertThat(event.getThrowableProxy().getMessage()).isEqualTo("no luck");
            assertThat(event.getThrowableProxy()
                            .getStackTraceElementProxyArray()[0]
                            .getSTEAsString())
                    .contains("FaultLogTest");
            assertThat(scheduler.live().loop().isAlive()).isTrue();
        }
    }

    @Test
    void aStackTraceIsToldOnceAndTheFaultEachTime() {
        FaultLog faults = new FaultLog(SchedulerObserver.NONE, () -> true);
        for (String pod : List.of("a", "b", "c")) {
            faults.faulted(PodBuilder.pod(pod).build(), new IllegalStateException("no luck with " + pod));
        }

        assertThat(log.lines())
                .containsExactly(
                        "ERROR A plugin failed [pod=\"default/a\"]",
                        "ERROR A plugin failed [pod=\"default/b\","
                                + " why=\"java.lang.IllegalStateException: no luck with b\"]",
                        "ERROR A plugin failed [pod=\"default/c\","
                                + " why=\"java.lang.IllegalStateException: no luck with c\"]");
        assertThat(log.events())
                .extracting(event -> event.getThrowableProxy() != null)
                .containsExactly(true, false, false);
    }

    @Test
    void theNextObserverIsToldToo() {
        boolean[] told = {false};
        SchedulerObserver next = new SchedulerObserver() {
            @Override
            public void faulted(Pod pod, RuntimeException fault) {
                told[0] = true;
            }
        };

        new FaultLog(next, () -> true).faulted(PodBuilder.pod("p").build(), new IllegalStateException());

        assertThat(told[0]).isTrue();
    }

    /** Otherwise a method that is new one day would be told to nobody. */
    @Test
    void everythingIsPassedOn() {
        assertThat(Arrays.stream(SchedulerObserver.class.getDeclaredMethods())
                        .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()))
                .isNotEmpty()
                .allSatisfy(method -> assertThat(own(method)).isEqualTo(FaultLog.class));
    }

    private static Class<?> own(Method method) throws NoSuchMethodException {
        return FaultLog.class
                .getMethod(method.getName(), method.getParameterTypes())
                .getDeclaringClass();
    }
}
