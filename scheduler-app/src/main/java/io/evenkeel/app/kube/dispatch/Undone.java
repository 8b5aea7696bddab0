package io.evenkeel.app.kube.dispatch;

import io.evenkeel.engine.Command;
import java.util.List;

/**
 * What was not carried out when the time was over.
 *
 * @param waiting of which nothing was sent, or no more than what the server refused
 * @param underway of which it is not known what will become of them
 */
public record Undone(List<Command> waiting, List<Command> underway, int announcements) {
    static final Undone NOTHING = new Undone(List.of(), List.of(), 0);

    public boolean isEmpty() {
        return waiting.isEmpty() && underway.isEmpty() && announcements == 0;
    }
}
