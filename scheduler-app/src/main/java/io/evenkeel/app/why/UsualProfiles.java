package io.evenkeel.app.why;

import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.feature.FeatureGates;
import io.evenkeel.config.read.ConfigurationReader;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.ProfilesCheck;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What pods are judged by where no configuration is given. */
public final class UsualProfiles {
    /** Pods that name no scheduler are those of one profile, pods of {@code evenkeel run} those of the other. */
    public static final SchedulerConfiguration CONFIGURATION = SchedulerConfiguration.defaults().toBuilder()
            .profiles(List.of(Profile.defaults(), Profile.defaults().named(Profile.OWN_NAME)))
            .build();

    private UsualProfiles() {}

    /**
     * These, or those of a file.
     *
     * @param text what was read of the file
     * @throws io.evenkeel.config.problem.ConfigurationException if the file cannot be understood, or names plugins that there
     *     are not
     */
    public static SchedulerConfiguration orThoseOf(
            Optional<Path> file, Optional<String> text, FeatureGates gates, PluginRegistry registry) {
        String name = file.map(Path::toString).orElse("");
        SchedulerConfiguration configuration =
                text.map(given -> new ConfigurationReader().read(name, given)).orElse(CONFIGURATION).toBuilder()
                        .featureGates(gates)
                        .build();
        text.ifPresent(given -> ProfilesCheck.require(name, given, configuration, registry));
        return configuration;
    }
}
