package io.evenkeel.app.companion;

import io.evenkeel.app.companion.RebalanceOptions.RebalanceSettings;
import io.evenkeel.app.option.WhatIfPorts;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.function.Supplier;

/** Makes companions of a live scheduler: found by a {@link ServiceLoader} where a jar brings some. */
public interface CompanionProvider {

    /** The companions that this configuration and these options ask for. */
    List<Companion> companions(Setup setup);

    /**
     * Beside what they will be; to answer why and for the page, the cluster is kept a second time while somebody asks, and once more to
     * answer what-ifs.
     *
     * @param rebalance how pods are moved; empty where none are
     * @param whatIf where what-ifs are answered; empty for nowhere
     * @param shared by all of them
     */
    record Setup(
            SchedulerConfiguration configuration,
            PluginRegistry plugins,
            String version,
            boolean answersWhy,
            boolean page,
            Optional<RebalanceSettings> rebalance,
            Optional<WhatIfPorts> whatIf,
            Shared shared) {
        public Setup(
                SchedulerConfiguration configuration,
                PluginRegistry plugins,
                String version,
                boolean answersWhy,
                boolean page,
                Optional<RebalanceSettings> rebalance,
                Optional<WhatIfPorts> whatIf) {
            this(configuration, plugins, version, answersWhy, page, rebalance, whatIf, new Shared());
        }
    }

    /** Companions that others of the same scheduler ask: one of a type, for all. */
    final class Shared {
        private final Map<Class<?>, Companion> made = new LinkedHashMap<>();

        /** @param first makes it for who asks first */
        public <T extends Companion> T companion(Class<T> type, Supplier<T> first) {
            return type.cast(made.computeIfAbsent(type, _ -> first.get()));
        }
    }

    /** All companions; those that others ask are told of everything before these. */
    static List<Companion> all(Setup setup) {
        List<Companion> asking =
                ServiceLoader.load(CompanionProvider.class, CompanionProvider.class.getClassLoader()).stream()
                        .flatMap(found -> found.get().companions(setup).stream())
                        .toList();
        Set<Companion> all = new LinkedHashSet<>(setup.shared().made.values());
        all.addAll(asking);
        return List.copyOf(all);
    }
}
