package io.evenkeel.shard;

import io.evenkeel.engine.Command;
import io.evenkeel.engine.SchedulerEvent;
import io.evenkeel.queue.SchedulingQueue.QueueCounts;
import java.util.function.Consumer;

/**
 * Stands between the cluster and the engine of one shard, or of the overseer. The engine knows nothing of shards. Called by the
 * engine's thread alone.
 */
public interface ShardGate {

    /** Takes an event in, and hands on what the engine is to know: nothing, the same, or another. */
    void take(SchedulerEvent event, Consumer<? super SchedulerEvent> engine);

    /** Takes a command of the engine, and hands on what is to be carried out: nothing, the same, or another. */
    void give(Command command, Consumer<? super Command> out);

    /** How far the others have got by now: what waited for them is handed on. */
    void othersAt(ShardProgress least, Consumer<? super SchedulerEvent> engine);

    /** How far this engine has got, for the others. */
    ShardProgress progress();

    /** Whether pods of all nodes are to be listed anew, as a node has come from another shard; asked after each event, true once. */
    boolean wantsPodsAnew();

    /**
     * Of the pods that wait those that this engine counts, where its queue has so many: one that waits in several engines is counted by
     * one of them, and by one what is in no queue.
     */
    QueueCounts counted(QueueCounts inQueue);

    /**
     * Whether engines wait for each other, as far as is known here: this one for others, or others perhaps for it. Then all tell
     * each other at short intervals how far they have got.
     */
    boolean waits();
}
