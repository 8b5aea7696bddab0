package io.evenkeel.app.companion;

import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** Makes companions of a live scheduler: found by a {@link ServiceLoader} where a jar brings some. */
public interface CompanionProvider {

    /** The companions that this configuration and these options ask for. */
    List<Companion> companions(Setup setup);

    /**
     * Beside what they will be; to answer why, what-ifs, and for the page, the cluster is kept a second time while somebody asks.
     *
     * @param rebalance how pods are moved; empty where none are
     * @param whatIf where what-ifs are answered; empty for nowhere
     */
    record Setup(
            SchedulerConfiguration configuration,
            PluginRegistry plugins,
            String version,
            boolean answersWhy,
            boolean page,
            Optional<RebalanceSettings> rebalance,
            Optional<WhatIfPorts> whatIf) {}

    static List<Companion> all(Setup setup) {
        return ServiceLoader.load(CompanionProvider.class, CompanionProvider.class.getClassLoader()).stream()
                .flatMap(found -> found.get().companions(setup).stream())
                .toList();
    }
}
