package io.evenkeel.app.live;

import io.evenkeel.api.ScorePlugin;
import io.evenkeel.cluster.ClusterView;
import io.evenkeel.config.Extender;
import io.evenkeel.config.FeatureGates;
import io.evenkeel.config.Profile;
import io.evenkeel.config.SchedulerConfiguration;
import io.evenkeel.config.file.NamedPlugins;
import io.evenkeel.framework.OutweighingPlugin;
import io.evenkeel.framework.run.PluginRegistry;
import io.evenkeel.framework.run.SchedulingProfile;
import io.evenkeel.framework.run.ScoreRunner;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warnings at the start about parts of the configuration that may do something else than its author expects. */
final class ConfigurationWarnings {
    private static final Logger log = LoggerFactory.getLogger(ConfigurationWarnings.class);

    private ConfigurationWarnings() {}

    /** @param text what the configuration was read from; empty for the default one */
    static void log(SchedulerConfiguration configuration, String text, LiveOptions options, PluginRegistry registry) {
        warnOfRaces(configuration, options.isReadOnly());
        tellOfGatesWithoutEffect(configuration.featureGates());
        warnOfPluginsWithoutEffect(text, registry);
        tellOfArgumentsWithoutEffect(configuration);
        warnOfOutweighedPolicies(configuration, !options.observing(), registry);
        if (options.observing()) {
            tellOfExtenders(configuration);
        } else {
            tellOfUnsupportedPods(options.allowUnsupported());
        }
    }

    private static void tellOfExtenders(SchedulerConfiguration configuration) {
        if (!configuration.extenders().isEmpty()) {
            log.info("Extenders are not asked: what they would have said is left out of comparisons");
        }
    }

    private static void warnOfPluginsWithoutEffect(String text, PluginRegistry registry) {
        for (NamedPlugins named : NamedPlugins.in(text)) {
            named.plugins().stream()
                    .filter(registry::isAcceptedWithoutEffect)
                    .forEach(plugin -> log.atWarn()
                            .setMessage("Configured plugin is not implemented yet and does nothing")
                            .addKeyValue("profile", named.profile())
                            .addKeyValue("plugin", plugin)
                            .log());
        }
    }

    private static void tellOfArgumentsWithoutEffect(SchedulerConfiguration configuration) {
        for (Profile profile : configuration.profiles()) {
            profile.pluginArgs().forEach((plugin, args) -> {
                List<String> withoutEffect = args.fieldsWithoutEffect();
                if (!withoutEffect.isEmpty()) {
                    log.atInfo()
                            .setMessage("Plugin arguments have no effect")
                            .addKeyValue("profile", profile.schedulerName())
                            .addKeyValue("plugin", plugin)
                            .addKeyValue("args", withoutEffect)
                            .log();
                }
            });
        }
    }

    /** A preference of policies is worth a point at least: that is to be more than all that others can give together. */
    private static void warnOfOutweighedPolicies(
            SchedulerConfiguration configuration, boolean askingExtenders, PluginRegistry registry) {
        double extenders = configuration.extenders().stream()
                .filter(extender ->
                        askingExtenders && !extender.prioritizeVerb().isEmpty())
                .mapToDouble(Extender::weight)
                .sum();
        for (Profile profile : configuration.profiles()) {
            if (!hasOutweighing(profile, registry)) {
                continue;
            }
            List<ScoreRunner.WeightedScore> scores = SchedulingProfile.of(
                            profile, registry, ClusterView.empty(configuration.featureGates()))
                    .scores()
                    .scores();
            double most = ScorePlugin.MAX_SCORE
                    * (extenders
                            + scores.stream()
                                    .filter(score -> !isOfPolicies(score))
                                    .mapToDouble(score -> Math.abs((double) score.weight()))
                                    .sum());
            scores.stream()
                    .filter(score -> isOfPolicies(score) && score.weight() <= most)
                    .forEach(score -> log.atWarn()
                            .setMessage("Preferences of policies do not outweigh all others")
                            .addKeyValue("profile", profile.schedulerName())
                            .addKeyValue("weight", score.weight())
                            .addKeyValue("othersGiveUpTo", Math.round(most))
                            .log());
        }
    }

    private static boolean hasOutweighing(Profile profile, PluginRegistry registry) {
        return profile.plugins().enabledNames().stream()
                .flatMap(name -> registry.find(name).stream())
                .anyMatch(factory -> OutweighingPlugin.class.isAssignableFrom(factory.type()));
    }

    private static boolean isOfPolicies(ScoreRunner.WeightedScore score) {
        return score.plugin() instanceof OutweighingPlugin;
    }

    private static void tellOfGatesWithoutEffect(FeatureGates gates) {
        List<String> withoutEffect = gates.withoutEffect();
        if (!withoutEffect.isEmpty()) {
            log.atInfo()
                    .setMessage("Feature gates have no effect")
                    .addKeyValue("gates", withoutEffect)
                    .log();
        }
    }

    private static void tellOfUnsupportedPods(boolean allowed) {
        if (allowed) {
            log.warn("Scheduling pods without regard to their devices");
        } else {
            log.info("Pods that need devices stay pending: not supported yet");
        }
    }

    private static void warnOfRaces(SchedulerConfiguration configuration, boolean isReadOnly) {
        boolean races = configuration.profiles().stream()
                .map(Profile::schedulerName)
                .anyMatch(Profile.DEFAULT_SCHEDULER_NAME::equals);
        if (races && !isReadOnly) {
            log.atWarn()
                    .setMessage("A profile is named default-scheduler: do not run a kube-scheduler beside it")
                    .addKeyValue("profile", Profile.DEFAULT_SCHEDULER_NAME)
                    .log();
        }
    }
}
