package io.evenkeel.engine;

import io.evenkeel.api.ObjectPatch;
import io.evenkeel.api.Preparation;
import io.evenkeel.api.Preparation.ObjectName;
import io.evenkeel.api.Preparation.Progress;
import io.evenkeel.framework.run.PluginFailure;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** All that plugins have written and wait for before one pod is bound. What goes wrong is told with the plugin and the point. */
public final class PreparationSteps {
    private static final String POINT = "PreBind";

    private final Map<String, Preparation> byPlugin;

    /** @param byPlugin at least one */
    public PreparationSteps(Map<String, Preparation> byPlugin) {
        this.byPlugin = byPlugin;
    }

    public List<ObjectPatch> writes() {
        return byPlugin.values().stream()
                .flatMap(preparation -> preparation.writes().stream())
                .toList();
    }

    /** Tells the pod's user of a write that failed, as one of the plugins would. */
    public String failed(String why) {
        return PluginFailure.text(byPlugin.keySet().iterator().next(), POINT, why);
    }

    /**
     * How far all of them have come.
     *
     * @param waited since the writes
     */
    public Progress progress(Duration waited) {
        Set<ObjectName> awaited = new HashSet<>();
        boolean isDone = true;
        for (Map.Entry<String, Preparation> each : byPlugin.entrySet()) {
            switch (progress(each.getValue(), waited)) {
                case Progress.Done _ -> {}
                case Progress.Waiting(Set<ObjectName> on) -> {
                    isDone = false;
                    awaited.addAll(on);
                }
                case Progress.Failed(String why) -> {
                    return new Progress.Failed(PluginFailure.text(each.getKey(), POINT, why));
                }
            }
        }
        return isDone ? Progress.DONE : new Progress.Waiting(awaited);
    }

    private static Progress progress(Preparation preparation, Duration waited) {
        Progress progress;
        try {
            progress = preparation.progress();
        } catch (Throwable thrown) {
            return new Progress.Failed(String.valueOf(thrown));
        }
        boolean isLate = progress instanceof Progress.Waiting && waited.compareTo(preparation.timeLimit()) >= 0;
        return isLate ? new Progress.Failed(preparation.lateness()) : progress;
    }
}
