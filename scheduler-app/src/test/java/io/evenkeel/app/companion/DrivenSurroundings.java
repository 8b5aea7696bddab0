package io.evenkeel.app.companion;

import io.evenkeel.engine.Scheduler;
import io.evenkeel.model.kind.Kind;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** The surroundings of a companion of a scheduler that a test drives, on its thread. */
public abstract class DrivenSurroundings implements Surroundings {
    protected abstract Scheduler scheduler();

    @Override
    public boolean mayWrite() {
        return isLeading();
    }

    @Override
    public boolean isSynced() {
        return scheduler().isSynced();
    }

    @Override
    public List<Kind<?>> kinds() {
        return scheduler().watchedKinds();
    }

    @Override
    public <T> CompletableFuture<T> ask(Function<Scheduler, T> question) {
        return CompletableFuture.completedFuture(answer(question));
    }

    @Override
    public <T> T answer(Function<Scheduler, T> question) {
        return question.apply(scheduler());
    }
}
