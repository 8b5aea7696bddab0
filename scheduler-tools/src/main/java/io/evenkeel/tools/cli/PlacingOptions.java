package io.evenkeel.tools.cli;

import io.evenkeel.app.option.ConfigurationFile;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.tools.why.UsualProfiles;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say by which configuration pods are placed, and which it is compared with. */
final class PlacingOptions {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec = CommandSpec.create();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "KubeSchedulerConfiguration to place pods by, compared with that of --against"
                    + " (default: the default plugins, compared with nothing)")
    private Optional<Path> config = Optional.empty();

    @Option(
            names = "--against",
            paramLabel = "FILE",
            description = "KubeSchedulerConfiguration to compare --config with (default: the default plugins)")
    private Optional<Path> against = Optional.empty();

    /**
     * A configuration by the name that it has in answers.
     *
     * @param isUsual whether it is none of the user's
     */
    record Named(String name, SchedulerConfiguration configuration, boolean isUsual) {}

    Named placing(FeatureGates gates, PluginRegistry registry) {
        return named(config, gates, registry);
    }

    /** Empty where there is nothing to compare. */
    Optional<Named> comparing(FeatureGates gates, PluginRegistry registry) {
        if (config.isEmpty()) {
            if (against.isPresent()) {
                throw new ParameterException(spec.commandLine(), "--against goes with --config, which is not there");
            }
            return Optional.empty();
        }
        return Optional.of(named(against, gates, registry));
    }

    private static Named named(Optional<Path> file, FeatureGates gates, PluginRegistry registry) {
        return new Named(
                file.map(Path::toString).orElse("the default plugins"),
                UsualProfiles.ofFileOr(
                        file, file.map(ConfigurationFile::read), UsualProfiles.OF_A_CLUSTER, gates, registry),
                file.isEmpty());
    }
}
