package io.evenkeel.kube.dispatch.plan;

import io.evenkeel.engine.Command;
import java.util.List;
import java.util.stream.Stream;

/**
 * What was not carried out when the time was over.
 *
 * @param waiting of which nothing was sent, or no more than what the server refused
 * @param underway of which it is not known what will become of them
 */
public record Unfinished(List<Command> waiting, List<Command> underway, int events) {
    public static final Unfinished NOTHING = new Unfinished(List.of(), List.of(), 0);

    /** How many bindings, and look-ups at what became of some. */
    public long bindings() {
        return all() - conditions();
    }

    public long conditions() {
        return Stream.concat(waiting.stream(), underway.stream())
                .filter(Command.PatchStatus.class::isInstance)
                .count();
    }

    private int all() {
        return waiting.size() + underway.size();
    }

    public boolean isEmpty() {
        return all() == 0 && events == 0;
    }
}
