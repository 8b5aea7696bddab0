package io.evenkeel.app.live;

import static io.evenkeel.testing.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.ClusterEvent;
import io.evenkeel.engine.SchedulerEvent.Relist;
import io.evenkeel.engine.SchedulerObserver;
import io.evenkeel.engine.SchedulerSettings;
import io.evenkeel.engine.decision.NodeChoice.FirstByName;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.api.Supervisor.SupervisedMachine;
import io.evenkeel.model.build.NodeBuilder;
import io.evenkeel.model.build.PodBuilder;
import io.evenkeel.plugins.InTreePlugins;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import io.evenkeel.shard.ShardGate;
import io.evenkeel.shard.ShardProgress;
import io.evenkeel.testing.LogLines;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EngineLoopTest {
    /** More than are placed in one turn. */
    private static final int MANY_PODS = 100;

    private final Mailbox mailbox = new Mailbox(Machine.SYSTEM);
    private final List<Command.Bind> bindings = new CopyOnWriteArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();
    private volatile boolean mayPlace = true;
    private volatile Runnable whenBinding = () -> {};
    private volatile LoopObserver observer = LoopObserver.NONE;
    private final EngineLoop loop = new EngineLoop(
            engine(),
            mailbox,
            () -> mayPlace,
            (scheduler, events, nanos) -> observer.turned(scheduler, events, nanos),
            System::nanoTime);

    private Scheduler engine() {
        return new Scheduler(
                SchedulerConfiguration.defaults(),
                InTreePlugins.registry(),
                new FirstByName(),
                SchedulerSettings.of(Set.of("Node"), 0),
                this::take,
                SchedulerObserver.NONE,
                System::nanoTime);
    }

    private void take(Command command) {
        if (command instanceof Command.Bind binding) {
            bindings.add(binding);
            whenBinding.run();
        }
    }

    @AfterEach
    void stop() {
        loop.stop();
    }

    @Test
    void nothingIsPlacedBeforeTheClusterIsKnown() {
        createPods(1);
        loop.start(Machine.SYSTEM, faults::add);
        awaitTurn();
        assertThat(loop.isSynced()).isFalse();
        assertThat(bindings).isEmpty();

        oneNode();
        await().until(() -> bindings.size() == 1);
        await().until(loop::isSynced);
    }

    @Test
    void thatTheClusterIsKnownIsLoggedAsItWasBeforeAnyPodIsPlaced() {
        try (LogLines log = new LogLines(EngineLoop.class)) {
            oneNode();
            createPods(3);
            loop.start(Machine.SYSTEM, faults::add);
            awaitTurn();

            assertThat(log.lines())
                    .containsExactly("INFO Caches synced [nodes=\"1\", podsOnNodes=\"0\", podsWaiting=\"3\"]");
        }
    }

    @Test
    void whoMayNotPlaceTakesEventsInAndPlacesNothing() {
        mayPlace = false;
        oneNode();
        createPods(1);
        loop.start(Machine.SYSTEM, faults::add);
        awaitTurn();
        assertThat(loop.ask(scheduler -> scheduler.queue().pods().size()).join())
                .isEqualTo(1);
        assertThat(bindings).isEmpty();

        mayPlace = true;
        awaitTurn();
        assertThat(bindings).hasSize(1);
    }

    @Test
    void whoMayNotPlaceAnyMoreStopsAtTheNextPod() {
        whenBinding = () -> mayPlace = false;
        oneNode();
        createPods(3);
        loop.start(Machine.SYSTEM, faults::add);
        awaitTurn();

        assertThat(bindings).hasSize(1);
    }

    @Test
    void whoAsksWhileManyPodsWaitIsAnsweredInBetween() {
        CompletableFuture<CompletableFuture<Integer>> asked = new CompletableFuture<>();
        whenBinding = () -> {
            if (!asked.isDone()) {
                asked.complete(loop.ask(scheduler -> scheduler.onTheirWay().size()));
            }
        };
        oneNode();
        createPods(MANY_PODS);
        loop.start(Machine.SYSTEM, faults::add);

        assertThat(asked.thenCompose(answer -> answer).join()).isBetween(1, MANY_PODS - 1);
        await().until(() -> bindings.size() == MANY_PODS);
    }

    @Test
    void aFaultWhileAnEventIsTakenInEndsTheLoopAndIsReported() {
        oneNode();
        createPods(1);
        IllegalStateException fault = new IllegalStateException("broken");
        mailbox.post(new SchedulerEvent.Inquiry(_ -> {
            throw fault;
        }));
        loop.start(Machine.SYSTEM, faults::add);

        await().until(() -> !loop.isAlive());
        assertThat(faults).containsExactly(fault);
        assertThat(bindings).isEmpty();
    }

    @Test
    void noWatchWaitsForALoopThatHasEnded() {
        loop.start(Machine.SYSTEM, faults::add);
        loop.stop();
        await().until(() -> !loop.isAlive());

        for (int i = 0; i < 100_000; i++) {
            mailbox.news(new Relist.Began("Pod"));
        }
        assertThat(mailbox.isEmpty()).isTrue();
    }

    @Test
    void aFaultOfWhoIsToldOfTurnsEndsTheLoopToo() {
        AssertionError fault = new AssertionError("miscounted");
        observer = (_, _, _) -> {
            throw fault;
        };
        loop.start(Machine.SYSTEM, faults::add);

        await().until(() -> !loop.isAlive());
        assertThat(faults).containsExactly(fault);
    }

    @Test
    void aFaultThatCannotEvenBeToldEndsTheLoopForWatchesAndAskersToo() {
        observer = (_, _, _) -> {
            throw new AssertionError("miscounted");
        };
        loop.start(new SupervisedMachine(Machine.SYSTEM, (_, why) -> faults.add(why)), _ -> {
            throw new AssertionError("no room to tell");
        });

        await().until(() -> !loop.isAlive());
        await().until(() -> faults.size() == 1);
        assertThat(faults.getFirst()).hasMessage("no room to tell");
        oneNode();
        assertThat(mailbox.isEmpty()).isTrue();
        assertThat(loop.ask(Scheduler::isSynced)).isCancelled();
    }

    @Test
    void aQuestionThatFailsIsTheAskersTroubleAlone() {
        loop.start(Machine.SYSTEM, faults::add);

        assertThatThrownBy(loop.ask(scheduler -> {
                    throw new IllegalArgumentException("silly");
                })::join)
                .hasRootCauseMessage("silly");
        awaitTurn();
        assertThat(faults).isEmpty();
    }

    @Test
    void whoAsksAfterTheEndGetsNoAnswerAndNeedNotWaitForIt() {
        loop.start(Machine.SYSTEM, faults::add);
        loop.stop();
        await().until(() -> !loop.isAlive());

        assertThat(loop.ask(Scheduler::isSynced)).isCancelled();
        assertThat(faults).isEmpty();
    }

    @Test
    void whoHasAskedBeforeTheEndNeedNotWaitEither() throws InterruptedException {
        CountDownLatch began = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        mailbox.post(new SchedulerEvent.Inquiry(_ -> {
            began.countDown();
            awaitUninterrupted(goesOn);
        }));
        loop.start(Machine.SYSTEM, faults::add);
        began.await();
        CompletableFuture<Boolean> answer = loop.ask(Scheduler::isSynced);
        loop.stop();
        goesOn.countDown();

        await().until(answer::isCancelled);
    }

    @Test
    void howMuchATurnHasTakenInIsTold() {
        CompletableFuture<Integer> taken = new CompletableFuture<>();
        observer = (_, events, _) -> taken.complete(events);
        oneNode();
        loop.start(Machine.SYSTEM, faults::add);

        assertThat(taken.join()).isEqualTo(3);
    }

    @Test
    void aGateIsToldHowFarOthersHaveGotThoughTheyHaveGotNoFurther() {
        List<ShardProgress> told = new CopyOnWriteArrayList<>();
        EngineLoop gated = new EngineLoop(
                engine(),
                mailbox,
                () -> mayPlace,
                LoopObserver.NONE,
                System::nanoTime,
                Optional.of(new EngineLoop.Gated(
                        new ShardGate() {
                            @Override
                            public void take(SchedulerEvent event, Consumer<? super SchedulerEvent> engine) {
                                engine.accept(event);
                            }

                            @Override
                            public void give(Command command, Consumer<? super Command> out) {
                                out.accept(command);
                            }

                            @Override
                            public void othersAt(ShardProgress least, Consumer<? super SchedulerEvent> engine) {
                                told.add(least);
                            }

                            @Override
                            public ShardProgress progress() {
                                return ShardProgress.NOBODY;
                            }

                            @Override
                            public boolean wantsPodsAnew() {
                                return false;
                            }

                            @Override
                            public QueueCounts counted(QueueCounts inQueue) {
                                return inQueue;
                            }

                            @Override
                            public boolean waits() {
                                return false;
                            }
                        },
                        () -> {})));
        ShardProgress others = new ShardProgress(5, 6, 5, 5);
        gated.start(Machine.SYSTEM, faults::add);
        for (int times = 1; times <= 2; times++) {
            int expected = times;
            gated.othersAt(others);
            await().until(() -> told.size() == expected);
        }
        assertThat(told).containsOnly(others);
        gated.stop();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            awaitUninterrupted(latch);
        }
    }

    /** Whoever is answered twice has seen the whole turn in between. */
    private void awaitTurn() {
        loop.ask(Scheduler::isSynced).join();
        loop.ask(Scheduler::isSynced).join();
    }

    private void oneNode() {
        mailbox.news(new Relist.Began("Node"));
        mailbox.news(new ClusterEvent.Put(NodeBuilder.node("n1")
                .allocatable("cpu", "1000")
                .allocatable("pods", "1000")
                .build()));
        mailbox.news(new Relist.Ended("Node"));
    }

    private void createPods(int count) {
        for (int pod = 0; pod < count; pod++) {
            mailbox.news(new ClusterEvent.Put(
                    PodBuilder.pod("p" + pod).uid("uid-" + pod).build()));
        }
    }
}
