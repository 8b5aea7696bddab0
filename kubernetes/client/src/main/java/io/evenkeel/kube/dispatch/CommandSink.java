package io.evenkeel.kube.dispatch;

import io.evenkeel.engine.Command;
import io.evenkeel.kube.api.EventSink;
import io.evenkeel.kube.api.Machine.Sleeper;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** A taker of the engine's commands. */
public sealed interface CommandSink extends EventSink, AutoCloseable permits Dispatcher, DryRun {

    /** Takes the command and returns at once. Each Bind and each Lookup gets exactly one result, later, until closed. */
    void submit(Command.AtServer command);

    /** Between two looks at what is left, in nanoseconds: on a machine that is simulated nobody can be woken. */
    long DRAIN_PAUSE = 10_000_000;

    /**
     * Waits until all that was taken is carried out and answered, for as long as there is time; for what only tells of
     * pods, conditions and events, for no more than a few seconds beyond the last binding. To be called while the lease is
     * still held.
     *
     * @return whether nothing is left
     */
    boolean drain(Duration time, Sleeper sleeper) throws InterruptedException;

    Unfinished unfinished();

    /** For how long there has been something to carry out that nothing holds back, and nothing was begun. */
    Duration overdue();

    DispatcherView view();

    /** Starts nothing more. What is left is not answered; a Bind that is submitted from now on is, with FAILED. */
    @Override
    void close();

    /**
     * The commands that were not carried out when the time was over.
     *
     * @param waiting nothing of them was sent, or no more than what the server refused
     * @param underway their outcome is not known
     */
    record Unfinished(List<Command.AtServer> waiting, List<Command.AtServer> underway, int events) {
        public static final Unfinished NOTHING = new Unfinished(List.of(), List.of(), 0);

        /** How many bindings, with what is written before them, and look-ups at what became of some. */
        public long bindings() {
            return count(Command.Bind.class) + count(Command.WriteObject.class) + count(Command.Lookup.class);
        }

        public long conditions() {
            return count(Command.PatchStatus.class) + count(Command.PatchGroup.class);
        }

        private long count(Class<? extends Command.AtServer> type) {
            return Stream.concat(waiting.stream(), underway.stream())
                    .filter(type::isInstance)
                    .count();
        }

        public boolean isEmpty() {
            return waiting.isEmpty() && underway.isEmpty() && events == 0;
        }
    }

    /**
     * A look at the dispatcher.
     *
     * @param waiting how many commands of each kind have been taken and are not underway
     * @param calling how many calls of each kind are underway
     * @param preparing how many pods' PreBind plugins are at work
     */
    record DispatcherView(Map<CommandKind, Integer> waiting, Map<CommandKind, Integer> calling, int preparing) {
        public static final DispatcherView IDLE = new DispatcherView(byKind(_ -> 0), byKind(_ -> 0), 0);

        static Map<CommandKind, Integer> byKind(ToIntFunction<CommandKind> count) {
            Map<CommandKind, Integer> counts = new EnumMap<>(CommandKind.class);
            for (CommandKind kind : CommandKind.values()) {
                counts.put(kind, count.applyAsInt(kind));
            }
            return Map.copyOf(counts);
        }
    }
}
