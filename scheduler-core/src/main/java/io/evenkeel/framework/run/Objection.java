package io.evenkeel.framework.run;

import io.evenkeel.api.Plugin;
import io.evenkeel.api.Status;
import io.evenkeel.framework.cycle.Diagnosis.FitError;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * A plugin that does not let a pod onto one node, and why.
 *
 * @param plugin empty where it is the scheduler itself, which no change makes change its mind
 * @param status a rejection, or an error
 */
public record Objection(String plugin, Status status) {

    /** Reads a plugin's answer at an extension point, if it is in the pod's way. An error names plugin and point. */
    static Objection at(String point, String plugin, Status answer) {
        return new Objection(
                plugin,
                answer.isRejected() ? answer : Status.error(PluginFailure.text(plugin, point, answer.message())));
    }

    /** Asks plugins in order until one is in the pod's way. */
    static <P extends Plugin> Optional<Objection> first(String point, List<P> plugins, Function<P, Status> answer) {
        for (P plugin : plugins) {
            Status status = answer.apply(plugin);
            if (!status.isSuccess()) {
                return Optional.of(at(point, plugin.name(), status));
            }
        }
        return Optional.empty();
    }

    /** Tells the pod's user: of a rejection the reference's FitError for the one node that was asked for. */
    public String message() {
        if (!status.isRejected()) {
            return status.message();
        }
        SortedMap<String, Integer> counts = new TreeMap<>();
        status.reasons().forEach(reason -> counts.merge(reason, 1, Integer::sum));
        return FitError.message(1, counts);
    }
}
