package io.evenkeel.app.record;

import io.evenkeel.config.Extender;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.engine.SchedulerSettings;
import java.util.List;
import java.util.Optional;

/** The settings that a run's decisions depend on, beside its events. */
public record RunSettings(
        String version,
        SchedulerConfiguration configuration,
        SchedulerSettings settings,
        boolean allowUnsupported,
        List<String> plugins) {

    public RunSettings {
        plugins = plugins.stream().sorted().toList();
        configuration = withoutKeys(configuration);
    }

    /** Keys stay secret, and a replay asks no extender. */
    private static SchedulerConfiguration withoutKeys(SchedulerConfiguration configuration) {
        return configuration.toBuilder()
                .extenders(configuration.extenders().stream()
                        .map(RunSettings::withoutKeys)
                        .toList())
                .build();
    }

    private static Extender withoutKeys(Extender extender) {
        return new Extender(
                extender.urlPrefix(),
                extender.filterVerb(),
                extender.preemptVerb(),
                extender.prioritizeVerb(),
                extender.weight(),
                extender.bindVerb(),
                extender.enableHTTPS(),
                Optional.empty(),
                extender.httpTimeout(),
                extender.nodeCacheCapable(),
                extender.managedResources(),
                extender.ignorable());
    }
}
