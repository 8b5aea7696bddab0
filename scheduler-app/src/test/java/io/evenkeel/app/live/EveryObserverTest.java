package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.record.RecordFlags.RecordOptions;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.kube.api.Answers;
import io.evenkeel.kube.api.ScriptedTransport;
import io.evenkeel.kube.dispatch.DispatcherObserver;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever looks on at the engine is told of everything, whoever else looks on. */
class EveryObserverTest {
    @TempDir
    private Path records;

    private static List<Method> calls() {
        return Stream.of(LoopObserver.class.getMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()))
                .toList();
    }

    private static LoopObserver noting(String name, List<String> told) {
        return (LoopObserver) Proxy.newProxyInstance(
                LoopObserver.class.getClassLoader(), new Class<?>[] {LoopObserver.class}, (_, method, _) -> {
                    told.add(name + " " + method.getName());
                    return method.getReturnType() == long.class ? 1L : null;
                });
    }

    @Test
    void eachCallReachesAllInTheirOrder() throws ReflectiveOperationException {
        List<String> told = new ArrayList<>();
        LoopObserver all = LoopObserver.all(List.of(noting("first", told), noting("second", told)));
        assertThat(calls()).hasSizeGreaterThan(4);
        for (Method call : calls()) {
            told.clear();
            Object[] arguments = Arrays.stream(call.getParameterTypes())
                    .map(type -> type == int.class ? (Object) 1 : type == long.class ? (Object) 1L : null)
                    .toArray();
            call.invoke(all, arguments);
            assertThat(told).containsExactly("first " + call.getName(), "second " + call.getName());
        }
    }

    /** With an audit, a rehearsal, and a record. */
    @Test
    void whateverTheOptionsSayTheOneThatIsGivenIsToldOfEverything() {
        Set<String> told = new ConcurrentSkipListSet<>();
        LoopObserver given = new LoopObserver() {
            @Override
            public void taking(Scheduler scheduler, SchedulerEvent event) {
                told.add("taking");
            }

            @Override
            public void ticking() {
                told.add("ticking");
            }

            @Override
            public void placing() {
                told.add("placing");
            }

            @Override
            public void turned(Scheduler scheduler, int events, long nanos) {
                told.add("turned");
            }

            @Override
            public void ended() {
                told.add("ended");
            }
        };
        LiveOptions options = new LiveOptions(true, true, Duration.ofMinutes(5), "test")
                .recording(Optional.of(new RecordOptions(records, RecordOptions.USUAL_LIMIT, "test")));
        try (DrivenScheduler scheduler = DrivenScheduler.of(
                new ScriptedTransport(_ -> Answers.of(500, "")),
                options,
                new LiveObservers(SchedulerObserver.NONE, DispatcherObserver.NONE, given))) {
            scheduler.leads(
                    NodeBuilder.node("n1").allocatable("pods", "10").build(),
                    PodBuilder.pod("p").uid("p-1").build());
        }
        Set<String> all = calls().stream()
                .filter(call -> call.getReturnType() == void.class)
                .map(Method::getName)
                .collect(Collectors.toSet());
        await().untilAsserted(() -> assertThat(told).isEqualTo(all));
    }
}
