package io.evenkeel.world;

import io.evenkeel.app.companion.Companion;
import io.evenkeel.app.companion.Surroundings;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.SchedulerEvent.OfPlace;
import io.evenkeel.kube.api.ApiTransport;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.kube.patch.PatchSink;
import io.evenkeel.kube.patch.PatchSink.Pace;
import io.evenkeel.kube.patch.PatchSink.PatchObserver;
import io.evenkeel.model.kind.Kind;
import io.evenkeel.tools.moves.Moving;
import io.evenkeel.world.play.Actors;
import io.evenkeel.world.play.SimulatedProcess;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The companion of {@code run --rebalance} in a simulated process, where a turn that waits for an answer needs an actor. */
record Mover(Moving moving, SimulatedProcess process) implements Companion {
    @Override
    public void begin(Surroundings around) {
        moving.begin(new InActors(around, process));
    }

    @Override
    public void taking(Scheduler scheduler, SchedulerEvent event) {
        moving.taking(scheduler, event);
    }

    @Override
    public boolean moves() {
        return moving.moves();
    }

    @Override
    public void close() {
        moving.close();
    }

    private record InActors(Surroundings around, SimulatedProcess process) implements Surroundings {
        @Override
        public <T> T answer(Function<Scheduler, T> question) {
            CompletableFuture<T> answer = ask(question);
            if (!answer.isDone()) {
                Actors.Actor asking = process.current();
                var _ = answer.whenComplete((_, _) -> process.now(asking::resume));
            }
            while (!answer.isDone() && !process.isKilled()) {
                process.await();
            }
            if (!answer.isDone() || answer.isCompletedExceptionally()) {
                throw new IllegalStateException("the engine does not answer");
            }
            return answer.join();
        }

        @Override
        public <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
            return around.ask(question);
        }

        @Override
        public boolean isLeading() {
            return around.isLeading();
        }

        @Override
        public boolean mayWrite() {
            return around.mayWrite();
        }

        @Override
        public boolean isSynced() {
            return around.isSynced();
        }

        @Override
        public List<Kind<?>> kinds() {
            return around.kinds();
        }

        @Override
        public void post(OfPlace place) {
            around.post(place);
        }

        @Override
        public ApiTransport transport() {
            return around.transport();
        }

        @Override
        public Machine machine() {
            return around.machine();
        }

        @Override
        public PatchSink patches(String name, Pace pace, PatchObserver observer) {
            return around.patches(name, pace, observer);
        }

        @Override
        public EventSink events() {
            return around.events();
        }
    }
}
