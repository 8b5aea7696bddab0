package io.evenkeel.app.live;

import io.evenkeel.app.companion.LoopObserver;
import io.evenkeel.app.record.Recorder;
import io.evenkeel.app.record.Recording;
import io.evenkeel.app.record.RunSettings;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.Command;
import io.evenkeel.engine.Scheduler;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.engine.decision.NodeChoice;
import io.evenkeel.engine.decision.NodeChoice.AtRandom;
import io.evenkeel.kube.api.Machine;
import io.evenkeel.model.kind.Kind;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** The parts to make the engine with: its clock, its chance, its taker of commands; recorded where the options say so. */
final class RecordedEngine implements AutoCloseable {
    private final LiveOptions options;
    private final Machine machine;
    private final Optional<Recording> recording;

    RecordedEngine(LiveOptions options, Machine machine) {
        this.options = options;
        this.machine = machine;
        recording = options.record().map(record -> new Recording(record, machine));
    }

    NodeChoice choice() {
        return recording.map(run -> Recorder.choice(run.seed())).orElseGet(() -> new AtRandom(machine.random()));
    }

    LongSupplier clock() {
        LongSupplier nanos = machine.clocks().nanos();
        return recording.map(run -> run.recorder().clock(nanos)).orElse(nanos);
    }

    Consumer<? super Command> commands(Consumer<? super Command> taker) {
        return recording
                .<Consumer<? super Command>>map(run -> run.recorder().commands(taker))
                .orElse(taker);
    }

    /** Who is told of each turn: the recorder last, so that what the others do is no part of the call that is recorded. */
    LoopObserver observer(LoopObserver others) {
        return recording
                .map(run -> LoopObserver.all(List.of(others, new Noted(run.recorder()))))
                .orElse(others);
    }

    void begin(SchedulerConfiguration configuration, List<Kind<?>> kinds) {
        recording.ifPresent(run -> run.begin(
                new RunSettings(
                        options.record().orElseThrow().version(),
                        configuration,
                        options.settings(configuration),
                        options.allowUnsupported(),
                        List.copyOf(options.plugins().extensionPoints().keySet())),
                kinds));
    }

    Recording.Counts counts() {
        return recording.map(Recording::counts).orElse(Recording.Counts.NONE);
    }

    @Override
    public void close() {
        recording.ifPresent(Recording::close);
    }

    private record Noted(Recorder recorder) implements LoopObserver {
        @Override
        public void taking(Scheduler scheduler, SchedulerEvent event) {
            recorder.taking(event);
        }

        @Override
        public void ticking() {
            recorder.ticking();
        }

        @Override
        public void placing() {
            recorder.placing();
        }

        @Override
        public void turned(Scheduler scheduler, int events, long nanos) {
            recorder.turned(scheduler);
        }

        @Override
        public void ended() {
            recorder.ended();
        }
    }
}
