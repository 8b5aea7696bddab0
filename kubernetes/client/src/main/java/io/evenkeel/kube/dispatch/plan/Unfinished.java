package io.evenkeel.kube.dispatch.plan;

import io.evenkeel.engine.Command;
import java.util.List;
import java.util.stream.Stream;

/**
 * The commands that were not carried out when the time was over.
 *
 * @param waiting nothing of them was sent, or no more than what the server refused
 * @param underway their outcome is not known
 */
public record Unfinished(List<Command.AtServer> waiting, List<Command.AtServer> underway, int events) {
    public static final Unfinished NOTHING = new Unfinished(List.of(), List.of(), 0);

    /** How many bindings, with what is written before them, and look-ups at what became of some. */
    public long bindings() {
        return count(Command.Bind.class) + count(Command.WriteObject.class) + count(Command.Lookup.class);
    }

    /** How many pods were to go. */
    public long evictions() {
        return count(Command.Evict.class);
    }

    public long conditions() {
        return count(Command.PatchStatus.class) + count(Command.PatchGroup.class);
    }

    private long count(Class<? extends Command.AtServer> type) {
        return Stream.concat(waiting.stream(), underway.stream())
                .filter(type::isInstance)
                .count();
    }

    private int all() {
        return waiting.size() + underway.size();
    }

    public boolean isEmpty() {
        return all() == 0 && events == 0;
    }
}
